import { z } from '@hono/zod-openapi';
import {
  maxParts,
  readUsage,
  type Usage,
  type UsageGroup,
  usageGroups,
} from '../../../shared/domain/usage/read-usage.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField } from '../../http/parse-request.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses, templateIdQuery } from '../common-schemas.ts';

const dayMs = 86_400_000;
const maxDays = 366;
const maxGroups = 1_000;
/** Enough for every day of the longest period. */
const maxDayGroups = maxDays * (maxParts + 1);

// PostgreSQL rejects the year 0 and five-digit years; the day after 9999-12-31 would have one.
const supportedYear = /^2\d{3}-/;
const day = z.iso
  .date('must be a date such as 2026-11-30')
  .regex(supportedYear, 'must be a date between 2000-01-01 and 2999-12-31');
const groupMeaning = `What each group stands for. \`dayAndTemplate\`: a day and one of the ${maxParts} templates with the most documents of the period; the others have one group a day together.`;
const query = z.object({
  from: day.optional().openapi({ description: 'First day (UTC). Default: 30 days up to `to`.', example: '2026-11-01' }),
  to: day.optional().openapi({ description: 'Last day (UTC), inclusive. Default: today.', example: '2026-11-30' }),
  groupBy: z
    .enum(usageGroups, 'must be day, template, key or dayAndTemplate')
    .default('day')
    .openapi({ description: groupMeaning }),
  templateId: templateIdQuery.openapi({ description: 'Only documents of this template.' }),
});

const amounts = {
  documents: z.number().int().openapi({ description: 'Documents charged, minus refunds.' }),
  pages: z.number().int().openapi({ description: 'Pages of the PDFs among them.' }),
  bytes: z.number().int().openapi({ description: 'Size of the files in bytes.' }),
  failures: z.number().int().openapi({ description: 'Documents that failed; they cost nothing.' }),
  cancelled: z
    .number()
    .int()
    .openapi({ description: 'Documents cancelled before they were produced; they cost nothing.' }),
};
const usageSchema = z
  .object({
    from: z.iso.date().openapi({ description: 'First day (UTC).' }),
    to: z.iso.date().openapi({ description: 'Last day (UTC), inclusive.' }),
    groupBy: z.enum(usageGroups).openapi({ description: groupMeaning }),
    totals: z.object(amounts).openapi('UsageAmounts'),
    groups: z
      .array(
        z
          .object({
            day: z.iso.date().optional().openapi({ description: 'For `groupBy=day` and `dayAndTemplate`.' }),
            templateId: z.string().optional().openapi({
              description:
                'For `groupBy=template` and `dayAndTemplate`; absent in the group of all other templates of a day.',
            }),
            keyId: z
              .string()
              .nullable()
              .optional()
              .openapi({ description: 'For `groupBy=key`. Null for documents of unknown keys.' }),
            ...amounts,
          })
          .openapi('UsageGroup'),
      )
      .openapi({
        description: `Days in order, other groups by number of documents; at most ${maxGroups}, or all of \`dayAndTemplate\`. Days without documents are omitted.`,
      }),
    hasMore: z.boolean().openapi({ description: `Whether there are more than ${maxGroups} groups.` }),
  })
  .openapi('Usage');

const nameFields: Readonly<Record<UsageGroup, string>> = {
  day: 'day',
  template: 'templateId',
  key: 'keyId',
  dayAndTemplate: 'day',
};

export const getUsageOperation: Operation = {
  scope: 'account:read',
  route: {
    method: 'get',
    path: '/v1/account/usage',
    operationId: 'getUsage',
    summary: 'Get usage',
    description: 'Usage of the account according to its ledger. A document counts on the day (UTC) it was produced.',
    tags: ['Account'],
    request: { query },
    responses: {
      200: { description: 'Usage.', content: { 'application/json': { schema: usageSchema } } },
      ...problemResponses(400),
    },
  },
  async handle(c, { db }) {
    const { groupBy, templateId, ...range } = parseQuery(query, c);
    const { from, to } = toDays(range);
    const period = { from: new Date(from), to: new Date(Date.parse(to) + dayMs) };
    const limit = groupBy === 'dayAndTemplate' ? maxDayGroups : maxGroups;
    const usage = await readUsage(db, { accountId: c.get('accountId'), ...period, groupBy, templateId, limit });
    return c.json({ from, to, groupBy, ...toUsageResource(usage, groupBy) });
  },
};

function toDays(range: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  const to = range.to ?? new Date().toISOString().slice(0, 10);
  const from = range.from ?? new Date(Date.parse(to) - 29 * dayMs).toISOString().slice(0, 10);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw invalidField('from', 'must not be after to');
  if (days > maxDays) throw invalidField('from', `must be at most ${maxDays} days before to`);
  return { from, to };
}

function toUsageResource({ totals, groups, hasMore }: Usage, groupBy: UsageGroup) {
  return {
    totals,
    groups: groups.map(({ name, templateId, ...amountsOfGroup }) => ({
      [nameFields[groupBy]]: name,
      ...(typeof templateId === 'string' && { templateId }),
      ...amountsOfGroup,
    })),
    hasMore,
  };
}
