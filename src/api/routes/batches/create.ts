import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readBudget } from '../../../shared/domain/api-keys/read-budget.ts';
import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import { findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { findVersion } from '../../../shared/domain/templates/find-version.ts';
import { answerBatch } from '../../batches/answer-batch.ts';
import { batchQuery, batchRequest } from '../../batches/batch-request.ts';
import { batchSchema, toRowError } from '../../batches/batch-schema.ts';
import { type ReceivedBatch, receiveBatch } from '../../batches/receive-batch.ts';
import { type BatchTemplate, submitBatch } from '../../batches/submit-batch.ts';
import type { ApiDeps } from '../../context.ts';
import type { ApiEnv } from '../../env.ts';
import { parseRequest } from '../../http/invalid-request.ts';
import { discardObject } from '../../http/keep-if-written.ts';
import type { Operation } from '../../http/operation.ts';
import { pathId } from '../../http/path-id.ts';
import {
  header,
  idempotencyHeader,
  problemResponses,
  problemSchema,
  templateIdParam,
  versionParam,
} from '../schemas.ts';

const text = z.string();
const count = z.number().int();
const maxInvalidRows = 1_000;
const versionQuery = z.object({ version: versionParam.optional() });

const dryRunSchema = z
  .object({
    rows: count,
    cost: count.openapi({ description: 'Documents of the quota: one for each row that is fit.' }),
    remaining: count.openapi({ description: 'What is left of the quota.' }),
    budgetRemaining: count
      .optional()
      .openapi({ description: 'What is left of the budget of the API key, if it has one.' }),
    fits: z.boolean().openapi({ description: 'Would the batch be accepted? It costs no more than is left.' }),
    invalidRowCount: count,
    invalidRows: z
      .array(z.object({ row: count, error: problemSchema.shape.error }))
      .openapi({ description: `The first ${maxInvalidRows} rows that would fail, counted from 1.` }),
  })
  .openapi('BatchDryRun');

export const createBatchOperation: Operation = {
  route: {
    method: 'post',
    path: '/v1/templates/{id}/batches',
    operationId: 'createBatch',
    summary: 'Create batch',
    description:
      'Many documents of one template: up to 100,000 rows and 1 GB, read as they stream in. JSON holds everything; NDJSON (an object a line) and CSV (RFC 4180, UTF-8, a header of paths such as `customer.name` and `items[0].price`, every value a text) take the options as query parameters. The whole batch is reserved, or refused with 402. A row that is not fit fails alone, with its number, and costs nothing; a body that is malformed is refused at the byte where it is, and nothing is charged.',
    tags: ['Batches'],
    request: {
      params: z.object({ id: templateIdParam }),
      query: batchQuery,
      headers: idempotencyHeader,
      body: {
        required: true,
        content: {
          'application/json': { schema: batchRequest },
          'application/x-ndjson': { schema: text },
          'text/csv': { schema: text },
        },
      },
    },
    responses: {
      200: {
        description: 'What the batch would cost, as `dryRun` asked. Nothing was stored.',
        content: { 'application/json': { schema: dryRunSchema } },
      },
      202: {
        description: 'Accepted.',
        headers: { Location: header('Address of the batch.') },
        content: { 'application/json': { schema: batchSchema } },
      },
      ...problemResponses(400, 402, 404, 409),
    },
  },
  async handle(c, deps) {
    const accountId = c.get('accountId');
    const place = deps.batchUploads.enter(accountId);
    try {
      const { version } = parseRequest(versionQuery, { version: c.req.query('version') });
      const template = await findBatchTemplate(deps, accountId, pathId(c), version);
      const received = await receiveBatch(c, deps, template.name);
      if (received.isDryRun) return await answerDryRun(c, deps, received);
      const { id } = await submitBatch(
        deps,
        {
          accountId,
          keyId: c.get('keyId'),
          template,
          idempotencyKey: c.get('idempotencyKey'),
          operation: `POST /v1/templates/${template.id}/batches${new URL(c.req.url).search}`.slice(0, 4_000),
        },
        received,
      );
      return c.json(await answerBatch(deps, accountId, { id, isFresh: true }), 202, { Location: `/v1/batches/${id}` });
    } finally {
      place.leave();
    }
  },
};

async function findBatchTemplate(
  { db }: ApiDeps,
  accountId: string,
  templateId: string,
  version: number | undefined,
): Promise<BatchTemplate> {
  const current = version ?? (await findTemplate(db, accountId, templateId)).version;
  const { name, objectKey, checksum } = await findVersion(db, { accountId, templateId, version: current });
  return { id: templateId, name, version: current, objectKey, checksum };
}

async function answerDryRun(c: Context<ApiEnv>, deps: ApiDeps, received: ReceivedBatch): Promise<Response> {
  if (received.isStored) await discardObject(deps, received.inputKey);
  const invalid = received.rows.flatMap(({ error }, index) =>
    error === undefined ? [] : [{ row: index + 1, error: toRowError(error) }],
  );
  const { remaining } = await readQuotas(deps.db, c.get('accountId'));
  const budget = await readBudget(deps.db, c.get('keyId'));
  const cost = received.rows.length - invalid.length;
  return c.json({
    rows: received.rows.length,
    cost,
    remaining: remaining.total.docs,
    ...(budget !== undefined && { budgetRemaining: budget }),
    fits: cost <= Math.min(remaining.total.docs, budget ?? cost),
    invalidRowCount: invalid.length,
    invalidRows: invalid.slice(0, maxInvalidRows),
  });
}
