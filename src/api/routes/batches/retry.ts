import { z } from '@hono/zod-openapi';
import { type BatchRecord, findBatch } from '../../../shared/domain/batches/find-batches.ts';
import { retryRows } from '../../../shared/domain/batches/retry-rows.ts';
import { queueOf } from '../../../shared/domain/documents/document-record.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { findRetries } from '../../batches/find-retries.ts';
import { writeBatch } from '../../batches/submit-batch.ts';
import { admitOrReplay } from '../../http/admit-or-replay.ts';
import { emailLimitsOf } from '../../http/email-limits.ts';
import { pathId } from '../../http/parse-request.ts';
import { requireLiveKey } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import { header, idempotencyHeader, problemResponses } from '../common-schemas.ts';
import { batchIdParam, batchSchema, readBatchResource } from './batch-resource.ts';

export const retryBatchOperation: Operation = {
  scope: 'generate',
  route: {
    method: 'post',
    path: '/v1/batches/{id}/retry',
    operationId: 'retryBatch',
    summary: 'Retry failed rows',
    description:
      'Runs the failed rows of an ended batch again, then rebuilds its bundle. All of these rows are reserved, or the request is rejected with 402, or with 429 when their e-mails exceed a limit. Rows that were invalid (a bad address, not an object) are not retried; send them again. A bundle that failed, or whose batch was cancelled, is built from the existing documents, even when no row has failed.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }), headers: idempotencyHeader },
    responses: {
      202: {
        description: 'The batch, running again.',
        headers: { Location: header('Address of the batch.') },
        content: { 'application/json': { schema: batchSchema } },
      },
      ...problemResponses(400, 402, 404, 409),
    },
  },
  async handle(c, deps) {
    requireLiveKey(c, 'Test keys generate single documents, not batches.');
    const accountId = c.get('accountId');
    const id = pathId(c);
    const batch = await findBatch(deps.db, accountId, id);
    const claim = idempotencyClaim(c, deps, `POST /v1/batches/${id}/retry`, '');
    const replayedId = await admitOrReplay(deps, accountId, claim, () =>
      deps.pauses?.admit(`${queueOf(batch.format)}-batch`, accountId),
    );
    if (replayedId === undefined) await retry(deps, batch, c.get('keyId'), claim);
    return c.json(await readBatchResource(deps, accountId, { id, isFresh: true }), 202, {
      Location: `/v1/batches/${id}`,
    });
  },
};

async function retry(
  deps: ApiDeps,
  { id, accountId, inputKey, finishedAt }: BatchRecord,
  keyId: string,
  claim: ReturnType<typeof idempotencyClaim>,
): Promise<void> {
  const isEnded = finishedAt !== undefined;
  if (!isEnded && claim === undefined)
    throw new AppError('conflict', 'The batch has not ended yet. Wait until it has, or cancel it.');
  const rows = isEnded ? await findRetries(deps, { id, inputKey }) : [];
  const { trace, config } = deps;
  const request = { batchId: id, accountId, keyId, trace, rows, emailLimits: emailLimitsOf(config) };
  await writeBatch(deps, () => retryRows(deps.db, request, claim));
}
