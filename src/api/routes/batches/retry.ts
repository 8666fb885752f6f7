import { z } from '@hono/zod-openapi';
import { findBatch } from '../../../shared/domain/batches/find-batch.ts';
import { findFailedRows } from '../../../shared/domain/batches/find-failed-rows.ts';
import { type RowRetry, retryRows } from '../../../shared/domain/batches/retry-rows.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { answerBatch } from '../../batches/answer-batch.ts';
import { batchIdParam, batchSchema } from '../../batches/batch-schema.ts';
import { readPrivateRows } from '../../batches/private-rows.ts';
import type { ApiDeps } from '../../context.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import { header, idempotencyHeader, problemResponses } from '../schemas.ts';

export const retryBatchOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/batches/{id}/retry',
    operationId: 'retryBatch',
    summary: 'Retry failed rows',
    description:
      'Makes the failed rows of an ended batch again, and then its bundle. They are reserved anew: all of them, or 402. Rows that were never fit (a bad address, no object) are not tried; send them again. A bundle that could not be made, or whose batch was cancelled, is made of what there is, also when no row has failed.',
    tags: ['Batches'],
    request: { params: z.object({ id: batchIdParam }), headers: idempotencyHeader },
    responses: {
      202: {
        description: 'The batch, at work again.',
        headers: { Location: header('Address of the batch.') },
        content: { 'application/json': { schema: batchSchema } },
      },
      ...problemResponses(400, 402, 404, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const id = pathId(c);
    const batch = await findBatch(deps.db, accountId, id);
    const idempotencyKey = c.get('idempotencyKey');
    const isEnded = batch.finishedAt !== undefined;
    if (!isEnded && idempotencyKey === undefined) throw new AppError('conflict', 'The batch has not ended yet');
    const rows = isEnded ? await findRetries(deps, { id, inputKey: batch.inputKey }) : [];
    const key =
      idempotencyKey === undefined
        ? undefined
        : {
            key: idempotencyKey,
            operation: `POST /v1/batches/${id}/retry`,
            requestHash: '',
            ttlSeconds: deps.config.RESULT_TTL_SECONDS,
          };
    await deps.batchUploads.write(() =>
      retryRows(deps.db, { batchId: id, accountId, keyId: c.get('keyId'), rows }, key),
    );
    return c.json(await answerBatch(deps, accountId, { id, isFresh: true }), 202, { Location: `/v1/batches/${id}` });
  },
};

async function findRetries(
  { db, objects }: ApiDeps,
  { id, inputKey }: { readonly id: string; readonly inputKey: string },
): Promise<readonly RowRetry[]> {
  const failed = await findFailedRows(db, id);
  const known = await readPrivateRows(objects, inputKey, new Set(failed.map(({ row }) => row)));
  if (known === undefined) throw new AppError('conflict', 'The batch has expired, and cannot be retried');
  return failed.map((row) => {
    const { email = null, password = null } = known.get(row.row) ?? {};
    return { ...row, password, email: email === null ? null : { deliveryId: newId('dlv'), ...email } };
  });
}
