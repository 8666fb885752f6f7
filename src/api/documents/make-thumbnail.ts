import type { Context } from 'hono';
import { findSchema } from '../../shared/domain/templates/find-template.ts';
import {
  findThumbnail,
  type PicturedVersion,
  storeThumbnail,
  type Thumbnail,
} from '../../shared/domain/templates/thumbnails.ts';
import { AppError, errorTable, toErrorRecord } from '../../shared/errors.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { applyLimit } from '../middleware/rate-limit.ts';
import type { DocumentDeps } from './document-deps.ts';
import { type PreviewTemplate, requestPreview } from './request-preview.ts';
import { withPermit } from './with-permit.ts';

/** Draws an A4 page with 480 by 678 pixels. */
const dpi = 58;
/** A larger picture, such as one with photographic noise, is drawn again at half the resolution. */
const maxBytes = 512 * 1024;

/**
 * Opens the thumbnail of a stored version. The first request has a worker make it from the example data; this counts as
 * a preview. PostgreSQL keeps it as long as the version and the versions that it includes. Throws `not_found` when the
 * template itself is at fault, and the errors of a preview.
 */
export async function openThumbnail(
  c: Context<ApiEnv>,
  deps: DocumentDeps,
  template: PreviewTemplate,
  version: PicturedVersion,
): Promise<Extract<Thumbnail, { png: Buffer }>> {
  const found = (await findThumbnail(deps.db, version)) ?? (await makeThumbnail(c, deps, template, version));
  if (found.png !== undefined) return found;
  const { message, details } = found.error;
  throw new AppError('not_found', `There is no thumbnail of this version: ${message}`, { details });
}

async function makeThumbnail(
  c: Context<ApiEnv>,
  deps: DocumentDeps,
  template: PreviewTemplate,
  version: PicturedVersion,
): Promise<Thumbnail> {
  await applyLimit(c, deps.previewLimiter, 'preview');
  await withPermit(c, deps, async () => {
    const data = Buffer.from(JSON.stringify(await exampleOf(c, deps, version)));
    const draw = async (resolution: number): Promise<Buffer> => {
      const request = {
        data: {},
        output: undefined,
        preview: { format: 'png' as const, pages: undefined, page: 1, dpi: resolution },
      };
      return (await requestPreview(c, deps, { template, request, data, isThumbnail: true })).bytes;
    };
    const first = await attempt(() => draw(dpi));
    const made = first instanceof Uint8Array && first.length > maxBytes ? await attempt(() => draw(dpi / 2)) : first;
    // failpoint: thumbnail-made-before-store
    await storeThumbnail(deps.db, version, made);
  });
  // Another request may have stored its thumbnail first; a deleted template has none.
  const stored = await findThumbnail(deps.db, version);
  if (stored !== undefined) return stored;
  if (version.includes?.length)
    throw new AppError('unavailable', 'An included template has just changed. Try again.', { retryAfterSeconds: 1 });
  throw new AppError('not_found', 'There is no template with this id and version');
}

/**
 * Returns the picture, or the error if the template caused it. Throws other errors, because the next request may
 * succeed.
 */
async function attempt(draw: () => Promise<Buffer>) {
  try {
    return await draw();
  } catch (error) {
    const record = toErrorRecord(error);
    if (errorTable[record.code].status !== 400 || record.code === 'invalid_request') throw error;
    return record;
  }
}

/** Reads the version's example data; a version with too many names has no schema, and so no example. */
async function exampleOf(
  c: Context<ApiEnv>,
  { db }: DocumentDeps,
  { templateId, version }: PicturedVersion,
): Promise<unknown> {
  try {
    return (await findSchema(db, { accountId: c.get('accountId'), templateId, version })).example ?? {};
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return {};
    throw error;
  }
}
