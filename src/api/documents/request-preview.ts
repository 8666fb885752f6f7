import type { Context } from 'hono';
import { findTemplate } from '../../shared/domain/templates/find-template.ts';
import { findVersion } from '../../shared/domain/templates/find-versions.ts';
import { resolveIncludes } from '../../shared/domain/templates/resolve-includes.ts';
import { isReleasedState } from '../../shared/domain/templates/review-states.ts';
import type { WhichVersion } from '../../shared/domain/templates/template-record.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type PreviewTask, previewLossesKey, previewTtlSeconds } from '../../shared/queue/preview-task.ts';
import type { TransientKind } from '../../shared/storage/transient.ts';
import type { TemplateSyntax } from '../../shared/template-syntax.ts';
import type { ApiEnv } from '../http/api-env.ts';
import type { ReceivedPreview } from './await-result.ts';
import type { DocumentDeps } from './document-deps.ts';
import { toSafeFilename } from './output-filename.ts';
import { toUtc } from './output-options.ts';
import { type FilePreviewRequest, toExcerpt } from './preview-request.ts';
import { digestInSlices, toRenderOptions, withoutBlanks } from './submit-document.ts';

/** The template of a preview: a file in the request, or a stored template. */
export interface PreviewTemplate {
  readonly task: PreviewTask['template'];
  readonly file: Buffer | undefined;
  readonly name: string;
  /** The document date if the request gives none. */
  readonly date: Date;
  /** The version of LibreOffice to which the template is pinned; null for any. */
  readonly engine: string | null;
}

export interface Preview extends ReceivedPreview {
  readonly bytes: Buffer;
  readonly filename: string;
}

export interface PreviewInput {
  readonly template: PreviewTemplate;
  readonly request: FilePreviewRequest;
  readonly data: Buffer;
  /** True for a thumbnail, which has no watermark. */
  readonly isThumbnail?: boolean;
}

const kinds: readonly TransientKind[] = ['preview', 'data', 'upload', 'result'];
/** How often an account's previews may crash or hang LibreOffice within ten minutes. */
const maxLosses = 5;

/**
 * Finds a version of the account's template, by default the one that `which` names. The newest includes the newest
 * drafts of other templates. Throws `not_found`.
 */
export async function findPreviewed(
  { db }: DocumentDeps,
  accountId: string,
  {
    templateId,
    version,
    which,
  }: { readonly templateId: string; readonly version?: number | undefined; readonly which: WhichVersion },
): Promise<PreviewTemplate> {
  const template = await findTemplate(db, accountId, templateId, which);
  const templateVersion = version ?? template.version;
  const found = await findVersion(db, { accountId, templateId, version: templateVersion });
  const { objectKey, checksum, createdAt, syntax } = found;
  const withDrafts = which === 'newest' || !isReleasedState(found.reviewState);
  const includes = [...(await resolveIncludes(db, { accountId, references: found.includes, templateId, withDrafts }))];
  const task = {
    kind: 'stored',
    templateId,
    templateVersion,
    objectKey,
    checksum,
    includes,
    ...(syntax !== null && { syntax }),
  } as const;
  return { task, file: undefined, name: template.name, date: createdAt, engine: template.engine };
}

/** The template of a preview of an uploaded file, which dates from now. */
export const previewOfFile = (file: Buffer, syntax: TemplateSyntax): PreviewTemplate => ({
  task: { kind: 'file', syntax },
  file,
  name: 'preview.docx',
  date: new Date(),
  engine: null,
});

/**
 * Has a worker make the preview and waits for it. All its data is in Redis and is removed before this function settles,
 * even if the client disconnects; after a crash it expires. Throws the errors of generate and of upload, `rate_limited`
 * after several crashes of LibreOffice, and `wait_timeout`.
 */
export async function requestPreview(
  c: Context<ApiEnv>,
  deps: DocumentDeps,
  { template, request, data, isThumbnail }: PreviewInput,
): Promise<Preview> {
  const { config, results } = deps;
  const { engine } = template;
  const accountId = c.get('accountId');
  const transient = deps.transient.of(accountId);
  await refuseCrashing(deps, accountId);
  deps.pauses?.admit('pdf', accountId);
  if (engine !== null) await deps.engines.require(engine);
  await deps.backlog.admit('pdf', accountId, 'waiting', engine);
  const id = newId('prv');
  const values = withoutBlanks(data);
  const task = { ...(await toTask(template, request, values)), ...(isThumbnail === true && { isThumbnail }) };
  const ttlSeconds = previewTtlSeconds(config.WAIT_LIMIT_MS);
  const remove = () => Promise.all(kinds.map((kind) => transient.remove(kind, id))).catch(() => undefined);
  const disconnection = new AbortController();
  const abort = (): void => disconnection.abort(new AppError('invalid_request', 'The client has disconnected.'));
  c.env.incoming.socket.once('close', abort);
  if (c.env.incoming.socket.destroyed) abort();
  const begin = async (): Promise<void> => {
    const { file } = template;
    await Promise.all([
      file === undefined ? undefined : transient.put('upload', id, file, ttlSeconds),
      transient.put('data', id, values, ttlSeconds),
      transient.put('preview', id, Buffer.from(JSON.stringify(task)), ttlSeconds),
    ]);
    // failpoint: preview-stored-before-add
    const payload = { documentId: id, accountId, replyTo: results.channel, trace: deps.trace, isPreview: true };
    await deps.queues.add('pdf', id, payload, { engine });
  };
  try {
    const reply = await deps.stages.time('wait', () => results.awaitPreview(id, begin, disconnection.signal));
    const bytes = reply.bytes?.length === reply.sizeBytes ? reply.bytes : await deps.transient.get('result', id);
    if (bytes?.length !== reply.sizeBytes) {
      throw new AppError('unavailable', 'The finished preview was lost. Send the request again.', {
        retryAfterSeconds: 1,
      });
    }
    return { ...reply, bytes, filename: task.filename };
  } catch (error) {
    // A worker that has already taken the job finds no task and skips it.
    await deps.queues.withdraw('pdf', id, engine).catch(() => undefined);
    throw error;
  } finally {
    c.env.incoming.socket.off('close', abort);
    await remove();
  }
}

async function toTask(template: PreviewTemplate, request: FilePreviewRequest, data: Buffer): Promise<PreviewTask> {
  const { output } = request;
  return {
    template: template.task,
    dataChecksum: await digestInSlices(data),
    filename: toSafeFilename(withoutExtension(output?.filename ?? template.name), 'pdf'),
    pdfOptions: output?.pdf ?? null,
    renderOptions: toRenderOptions({ ...output, format: 'pdf' }) ?? null,
    documentDate: toUtc(output?.documentDate ?? template.date.toISOString()) ?? template.date.toISOString(),
    excerpt: toExcerpt(request.preview),
    requestedAtMs: Date.now(),
  };
}

const withoutExtension = (name: string): string => name.replace(/\.docx$/i, '');

/** Throws `rate_limited` after too many crashes, because each one costs all accounts a warm LibreOffice for seconds. */
async function refuseCrashing({ redis, config }: DocumentDeps, accountId: string): Promise<void> {
  const key = previewLossesKey(config.QUEUE_PREFIX, accountId);
  const losses = Number(await redis.get(key).catch(() => null));
  if (!(losses >= maxLosses)) return;
  const retryAfterSeconds = Math.max(1, await redis.ttl(key).catch(() => 1));
  const message = `The last previews of this account crashed or hung the converter ${losses} times. Try again later, with a simpler template or less data.`;
  throw new AppError('rate_limited', message, { retryAfterSeconds });
}
