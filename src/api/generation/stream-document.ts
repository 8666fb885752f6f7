import type { Context } from 'hono';
import { contentTypeOf } from '../../shared/storage/content-types.ts';
import type { ApiDeps } from '../context.ts';
import type { ApiEnv } from '../env.ts';
import type { AnsweredDocument } from './await-result.ts';
import { contentDisposition, toSafeFilename } from './output-filename.ts';
import { readResult } from './read-result.ts';

/** Answers with the finished file, its name, and where the time went (`Server-Timing`, milliseconds). */
export async function streamDocument(c: Context<ApiEnv>, deps: ApiDeps, document: AnsweredDocument): Promise<Response> {
  const bytes = await readResult(deps, document);
  const { queueMs, renderMs, convertMs, totalMs } = document.timings;
  const headers: Record<string, string> = {
    'Content-Type': contentTypeOf(document.format),
    'Content-Length': String(bytes.length),
    'Content-Disposition': contentDisposition(toSafeFilename(document.filename, document.format)),
    'Server-Timing': `queue;dur=${queueMs}, render;dur=${renderMs}, convert;dur=${convertMs}, total;dur=${totalMs}`,
  };
  if (document.deliveryId !== null) headers['Email-Delivery-Id'] = document.deliveryId;
  if (document.warningCount > 0) headers.Warnings = String(document.warningCount);
  return c.body(
    new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Uint8Array<ArrayBuffer>,
    200,
    headers,
  );
}
