import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readBudget } from '../../../shared/domain/api-keys/budget.ts';
import { findEmailExcess, tallyEmails, tallyRecipients } from '../../../shared/domain/deliveries/email-limits.ts';
import { findHolder, once } from '../../../shared/domain/idempotency-keys.ts';
import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import { findStoredSchema, findTemplate } from '../../../shared/domain/templates/find-template.ts';
import { findVersion } from '../../../shared/domain/templates/find-versions.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { batchQuery, batchRequest } from '../../batches/batch-request.ts';
import { type ReceivedBatch, type ReceivingTemplate, receiveBatch } from '../../batches/receive-batch.ts';
import { openRequestBody } from '../../batches/request-body.ts';
import { type BatchTemplate, submitBatch } from '../../batches/submit-batch.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { emailLimitsOf } from '../../http/email-limits.ts';
import { discardObject } from '../../http/keep-if-written.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { noteRequest } from '../../http/request-facts.ts';
import { requireLiveKey } from '../../http/require-scope.ts';
import { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import type { Operation } from '../../operation.ts';
import {
  errorSchema,
  header,
  idempotencyHeader,
  problemResponses,
  templateIdParam,
  versionQuery,
} from '../common-schemas.ts';
import { batchSchema, readBatchResource, toRowError } from './batch-resource.ts';

const ndjson = z.string().openapi({ description: 'One row a line: the data as a JSON object.' });
const csv = z.string().openapi({ description: 'A header of paths, then one row a line.' });
const count = z.number().int();
const maxInvalidRows = 1_000;
const query = z.object({ version: versionQuery });

const invalidRow = z
  .object({ row: count.openapi({ description: 'Counted from 1.' }), error: errorSchema })
  .openapi('InvalidRow');

const dryRunSchema = z
  .object({
    rows: count.openapi({ description: 'Number of rows.' }),
    cost: count.openapi({ description: 'Documents charged to the quota: one for each valid row.' }),
    remaining: count.openapi({ description: 'Documents left in the quota.' }),
    budgetRemaining: count
      .optional()
      .openapi({ description: 'Documents left in the budget of the API key, if it has one.' }),
    fits: z.boolean().openapi({
      description:
        'Whether the batch would be accepted: it costs no more than is left, and its e-mails exceed no limit.',
    }),
    emailProblem: z
      .string()
      .optional()
      .openapi({ description: 'Which limit the e-mails of the batch exceed today. Absent when they exceed none.' }),
    invalidRowCount: count.openapi({ description: 'Number of rows that would fail.' }),
    invalidRows: z
      .array(invalidRow)
      .openapi({ description: `The first ${maxInvalidRows} rows that would fail, counted from 1.` }),
  })
  .openapi('BatchDryRun');

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
    request: {
      params: z.object({ id: templateIdParam }),
      query: batchQuery,
      headers: idempotencyHeader,
      body: {
        required: true,
        content: {
          'application/json': { schema: batchRequest },
          'application/x-ndjson': { schema: ndjson },
          'text/csv': { schema: csv },
        },
      },
    },
    responses: {
      200: {
        description: 'The cost of the batch, for `dryRun`. Nothing was stored.',
        content: { 'application/json': { schema: dryRunSchema } },
      },
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
      if (received.isDryRun) {
        await once(deps.db, accountId, newId('req'), claim, async () => undefined);
        return await reportDryRun(c, deps, received);
      }
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

async function findBatchTemplate(
  { db }: ApiDeps,
  accountId: string,
  templateId: string,
  version: number | undefined,
): Promise<BatchTemplate & ReceivingTemplate> {
  const current = version ?? (await findTemplate(db, accountId, templateId)).version;
  const { name, objectKey, checksum, includes } = await findVersion(db, { accountId, templateId, version: current });
  const { schema } = await findStoredSchema(db, { accountId, templateId, version: current });
  return { id: templateId, name, version: current, objectKey, checksum, includes, schema };
}

async function reportDryRun(c: Context<ApiEnv>, deps: ApiDeps, received: ReceivedBatch): Promise<Response> {
  if (received.isStored) await discardObject(deps, received.inputKey);
  const invalid = received.rows.flatMap(({ error }, index) =>
    error === undefined ? [] : [{ row: index + 1, error: toRowError(error) }],
  );
  const { remaining } = await readQuotas(deps.db, c.get('accountId'));
  const budget = await readBudget(deps.db, c.get('keyId'));
  const emailProblem = await findEmailProblem(c, deps, received);
  const cost = received.rows.length - invalid.length;
  return c.json({
    rows: received.rows.length,
    cost,
    remaining: remaining.total.docs,
    ...(budget !== undefined && { budgetRemaining: budget }),
    fits: cost <= Math.min(remaining.total.docs, budget ?? cost) && emailProblem === undefined,
    ...(emailProblem !== undefined && { emailProblem }),
    invalidRowCount: invalid.length,
    invalidRows: invalid.slice(0, maxInvalidRows),
  });
}

async function findEmailProblem(c: Context<ApiEnv>, { config, db }: ApiDeps, { rows }: ReceivedBatch) {
  const accountId = c.get('accountId');
  const limits = emailLimitsOf(config);
  const emails = rows.map((row) => row.email);
  const excess =
    (await findEmailExcess(db, accountId, tallyRecipients(limits, emails))) ??
    (await findEmailExcess(db, accountId, await tallyEmails(limits, emails)));
  return excess?.message;
}

/** True for the upload of a batch, whose body may be 1 GB. */
export function isBatchUpload({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /^\/v1\/templates\/[^/?]+\/batches\/?(\?|$)/.test(url ?? '');
}

/** The query as it is, or its digest if it is long: the formats of many columns take thousands of characters. */
function shortened(search: string): string {
  return search.length <= 1_000 ? search : `?${hash('sha256', search, 'hex')}`;
}
