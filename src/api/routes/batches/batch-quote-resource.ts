import { hash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { readBudget } from '../../../shared/domain/api-keys/budget.ts';
import { findEmailExcess, tallyEmails, tallyRecipients } from '../../../shared/domain/deliveries/email-limits.ts';
import { once } from '../../../shared/domain/idempotency-keys.ts';
import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import { newId } from '../../../shared/ids.ts';
import type { ApiDeps } from '../../api-deps.ts';
import { batchRequest, documentedBatchQuery } from '../../batches/batch-request.ts';
import type { ReceivedBatch } from '../../batches/receive-batch.ts';
import type { ApiEnv } from '../../http/api-env.ts';
import { emailLimitsOf } from '../../http/email-limits.ts';
import { discardObject } from '../../http/keep-if-written.ts';
import type { idempotencyClaim } from '../../middleware/idempotency-key.ts';
import { errorSchema, idempotencyHeader, templateIdParam } from '../common-schemas.ts';
import { toRowError } from './batch-resource.ts';

const ndjson = z.string().openapi({ description: 'One row a line: the data as a JSON object.' });
const csv = z.string().openapi({ description: 'A header of paths, then one row a line.' });
const count = z.number().int();
const maxInvalidRows = 1_000;
const invalidRow = z
  .object({ row: count.openapi({ description: 'Counted from 1.' }), error: errorSchema })
  .openapi('InvalidRow');

export const quoteSchema = z
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
  .openapi('BatchQuote');

/** The request of a batch: its rows and options. */
export const batchInput = {
  params: z.object({ id: templateIdParam }),
  query: documentedBatchQuery,
  headers: idempotencyHeader,
  body: {
    required: true,
    content: {
      'application/json': { schema: batchRequest },
      'application/x-ndjson': { schema: ndjson },
      'text/csv': { schema: csv },
    },
  },
};

/** Binds the idempotency key to the request, and removes what it stored. */
export async function replyQuote(
  c: Context<ApiEnv>,
  deps: ApiDeps,
  received: ReceivedBatch,
  claim: ReturnType<typeof idempotencyClaim>,
): Promise<Response> {
  await once(deps.db, c.get('accountId'), newId('req'), claim, async () => undefined);
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

/** The query as it is, or its digest if it is long: the formats of many columns take thousands of characters. */
export function shortened(search: string): string {
  return search.length <= 1_000 ? search : `?${hash('sha256', search, 'hex')}`;
}
