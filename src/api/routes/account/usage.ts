import { z } from '@hono/zod-openapi';
import { readUsage, type Usage, type UsageGroup, usageGroups } from '../../../shared/domain/usage/read-usage.ts';
import { invalidField, parseRequest } from '../../http/invalid-request.ts';
import type { Operation } from '../../http/operation.ts';
import { problemResponses } from '../schemas.ts';

const dayMs = 86_400_000;
const mostDays = 366;
const mostGroups = 1_000;

// PostgreSQL reads neither the year 0 nor one of five digits, which the day after would have.
const isNear = (text: string): boolean => text >= '2000-01-01' && text <= '2999-12-31';
const day = z.iso
  .date('must be a date such as 2026-11-30')
  .refine(isNear, 'must be a date between 2000-01-01 and 2999-12-31');
const query = z.object({
  from: day
    .optional()
    .openapi({ description: 'First day (UTC); 30 days before `to` without it.', example: '2026-11-01' }),
  to: day.optional().openapi({ description: 'Last day (UTC), included; today without it.', example: '2026-11-30' }),
  groupBy: z.enum(usageGroups, 'must be day, template or key').default('day'),
});

const amounts = {
  documents: z.number().int().openapi({ description: 'Documents made and charged, less those refunded.' }),
  pages: z.number().int().openapi({ description: 'Pages of the PDFs among them.' }),
  bytes: z.number().int().openapi({ description: 'Size of the files.' }),
  failures: z.number().int().openapi({ description: 'Documents that could not be made, and cost nothing.' }),
  cancelled: z.number().int().openapi({ description: 'Documents cancelled before they were made; they cost nothing.' }),
};
const usageSchema = z
  .object({
    from: z.iso.date(),
    to: z.iso.date(),
    groupBy: z.enum(usageGroups),
    totals: z.object(amounts),
    groups: z
      .array(
        z.object({
          day: z.iso.date().optional(),
          templateId: z.string().optional(),
          keyId: z.string().nullable().optional().openapi({ description: 'Null for documents of unknown keys.' }),
          ...amounts,
        }),
      )
      .openapi({
        description: `Days in order, others by most documents; at most ${mostGroups}. Days without any are left out.`,
      }),
    hasMore: z.boolean().openapi({ description: `There are more than ${mostGroups} groups.` }),
  })
  .openapi('Usage');

const nameFields: Readonly<Record<UsageGroup, string>> = { day: 'day', template: 'templateId', key: 'keyId' };

export const getUsageOperation: Operation = {
  route: {
    method: 'get',
    path: '/v1/account/usage',
    operationId: 'getUsage',
    summary: 'Get usage',
    description: 'What the account used, from its ledger: documents count on the day (UTC) they were made.',
    tags: ['Account'],
    request: { query },
    responses: {
      200: { description: 'Usage.', content: { 'application/json': { schema: usageSchema } } },
      ...problemResponses(400),
    },
  },
  async handle(c, { db }) {
    const { groupBy, ...range } = parseRequest(query, c.req.query());
    const { from, to } = toDays(range);
    const period = { from: new Date(from), to: new Date(Date.parse(to) + dayMs) };
    const usage = await readUsage(db, { accountId: c.get('accountId'), ...period, groupBy, limit: mostGroups });
    return c.json({ from, to, groupBy, ...toAnswer(usage, groupBy) });
  },
};

function toDays(range: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = range.to ?? new Date().toISOString().slice(0, 10);
  const from = range.from ?? new Date(Date.parse(to) - 29 * dayMs).toISOString().slice(0, 10);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw invalidField('from', 'must not be after to');
  if (days > mostDays) throw invalidField('from', `must be at most ${mostDays} days before to`);
  return { from, to };
}

function toAnswer({ totals, groups, isCut }: Usage, groupBy: UsageGroup) {
  return {
    totals,
    groups: groups.map(({ name, ...amountsOfGroup }) => ({ [nameFields[groupBy]]: name, ...amountsOfGroup })),
    hasMore: isCut,
  };
}
