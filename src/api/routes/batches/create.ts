import type { IncomingMessage } from 'node:http';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { findHolder } from '../../../shared/domain/idempotency-keys.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { type ReceivingTemplate, receiveBatch } from '../../batches/receive-batch.ts';
import { openRequestBody } from '../../batches/request-body.ts';
import { type BatchTemplate, submitBatch } from '../../batches/submit-batch.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { noteRequest } from '../../http/request-facts.ts';
import { requireLiveKey } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { header, problemResponses, versionQuery } from '../common-schemas.ts';
import { batchInput, replyQuote, shortened } from './batch-quote-resource.ts';
import { batchSchema, readBatchResource } from './batch-resource.ts';
import { findBatchTemplate } from './find-batch-template.ts';

const query = z.object({ version: versionQuery });

export const createBatchOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/templates/{id}/batches',
    operationId: 'createBatch',
    summary: 'Create batch',
    description:
      'Generates many documents from one template: up to 100,000 rows and 1 GB, read as they stream in. JSON contains the options; NDJSON (one object per line) and CSV (RFC 4180, UTF-8, a header of paths such as `customer.name` and `items[0].price`, every value as the type that the template needs, see `columnFormats`) take them as query parameters. The whole batch is reserved, or rejected with 402. An invalid row fails alone, is reported with its number, and costs nothing. A malformed body is rejected with the byte offset of the error; nothing is charged.',
    tags: ['Batches'],
    request: batchInput,
    responses: {
      202: {
        description: 'Accepted.',
        headers: { Location: header('Address of the batch.') },
        content: { 'application/json': { schema: batchSchema } },
      },
      ...problemResponses(400, 402, 404, 409, 415),
    },
  },
  async handle(c, deps) {
    requireLiveKey(c, 'Test keys generate single documents, not batches.');
    const accountId = c.get('accountId');
    const permit = deps.batchUploads.acquire(accountId);
    try {
      const { version } = parseQuery(query, c);
      const operation = `POST /v1/templates/${pathId(c)}/batches${shortened(new URL(c.req.url).search)}`;
      const found = await findTemplateOrReplay(c, deps, operation, version);
      if ('replayedId' in found) return await respondAccepted(c, deps, found.replayedId);
      const { template } = found;
      const received = await receiveBatch(c, deps, template);
      const claim = idempotencyClaim(c, deps, operation, received.bodyChecksum);
      // `dryRun`, which the OpenAPI document leaves out so that this operation has one response.
      if (received.isDryRun) return await replyQuote(c, deps, received, claim);
      const submission = { accountId, keyId: c.get('keyId'), template, claim };
      const { id } = await submitBatch(deps, submission, received);
      noteRequest(c, { batchId: id, templateVersion: template.version });
      return await respondAccepted(c, deps, id);
    } finally {
      permit.release();
    }
  },
};

async function respondAccepted(c: Context<ApiEnv>, deps: ApiDeps, id: string): Promise<Response> {
  const batch = await readBatchResource(deps, c.get('accountId'), { id, isFresh: true });
  return c.json(batch, 202, { Location: `/v1/batches/${id}` });
}

/** Finds the template, or the batch that this request repeats even if its template has since been deleted. */
async function findTemplateOrReplay(
  c: Context<ApiEnv>,
  deps: ApiDeps,
  operation: string,
  version: number | undefined,
): Promise<{ readonly template: BatchTemplate & ReceivingTemplate } | { readonly replayedId: string }> {
  try {
    return { template: await findBatchTemplate(deps, c.get('accountId'), pathId(c), version) };
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === 'not_found';
    const replayedId = isMissing ? await findReplayed(c, deps, operation) : undefined;
    if (replayedId === undefined) throw error;
    return { replayedId };
  }
}

/**
 * Finds the batch that an earlier request with the same key and body created for a template that has since been
 * deleted.
 */
async function findReplayed(c: Context<ApiEnv>, { db }: ApiDeps, operation: string): Promise<string | undefined> {
  const key = c.get('idempotencyKey');
  if (key === undefined) return undefined;
  const holder = await findHolder(db, c.get('accountId'), { key, operation });
  if (holder === undefined) return undefined;
  const body = openRequestBody(c);
  for await (const _chunk of body.chunks);
  return body.checksum() === holder.requestHash ? holder.resourceId : undefined;
}

/** True for a request with the rows of a batch, whose body may be 1 GB. */
export function isBatchUpload({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /^\/v1\/templates\/[^/?]+\/batches(\/quote)?\/?(\?|$)/.test(url ?? '');
}
