import { z } from '@hono/zod-openapi';
import {
  readTemplateStatistics,
  sampledDocuments,
  type TemplateStatistics,
} from '../../../shared/domain/templates/read-statistics.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { wholeNumber } from '../../http/whole-number.ts';
import type { Operation } from '../../operation.ts';
import { exampleId, problemResponses } from '../common-schemas.ts';

const dayMs = 86_400_000;
const maxTemplates = 50;
const idList = /^tpl_[0-9a-z]{26}(,tpl_[0-9a-z]{26}){0,49}$/;

const query = z.object({
  ids: z
    .string('is missing')
    .regex(idList, `must be ids of at most ${maxTemplates} templates, separated by commas`)
    .openapi({
      description: `Ids of at most ${maxTemplates} templates, separated by commas.`,
      example: exampleId('tpl'),
    }),
  days: wholeNumber(1, 366)
    .default(30)
    .openapi({ description: 'How many days back documents count. Default: 30.', example: 30 }),
});

const milliseconds = (description: string) => z.number().optional().openapi({ description });

const statisticsSchema = z
  .object({
    templateId: z.string().openapi({ description: 'Id of the template.' }),
    lastDocumentAt: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'When its newest document was requested, however long ago; absent when it has none.' }),
    documents: z
      .number()
      .int()
      .openapi({ description: `Documents that succeeded or failed: the newest ${sampledDocuments} of the period.` }),
    failures: z.number().int().openapi({ description: 'Those of them that failed.' }),
    withWarnings: z.number().int().openapi({ description: 'Those of them that succeeded with warnings.' }),
    p95TotalMs: milliseconds('95 % of those that succeeded took no longer from the request to the end.'),
    p95ProductionMs: milliseconds('The same without waiting: only filling the template and converting.'),
    complete: z.boolean().openapi({
      description: `Whether the sample covers the whole period; false if it reached the limit of ${sampledDocuments} documents.`,
    }),
  })
  .openapi('TemplateStatistics');

export const getTemplateStatisticsOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/templates/statistics',
    operationId: 'getTemplateStatistics',
    summary: 'Get statistics',
    description: `Last use and health of several templates, computed from the ${sampledDocuments} most recent documents of each in the last \`days\` days. Documents of test keys count too. A template that does not exist is left out. Exact numbers of documents are in the usage of the account.`,
    tags: ['Templates'],
    request: { query },
    responses: {
      200: {
        description: 'One entry for each template, in the order of their ids.',
        content: { 'application/json': { schema: z.array(statisticsSchema).openapi('TemplateStatisticsList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db }) {
    const { ids, days } = parseQuery(query, c);
    const statistics = await readTemplateStatistics(db, {
      accountId: c.get('accountId'),
      templateIds: [...new Set(ids.split(','))],
      since: new Date(Date.now() - days * dayMs),
    });
    return c.json(statistics.map(toResource));
  },
};

function toResource(statistics: TemplateStatistics): z.infer<typeof statisticsSchema> {
  const { templateId, lastDocumentAt, documents, failures, withWarnings, p95TotalMs, p95ProductionMs } = statistics;
  return {
    templateId,
    ...(lastDocumentAt !== null && { lastDocumentAt: lastDocumentAt.toISOString() }),
    documents,
    failures,
    withWarnings,
    ...(p95TotalMs !== null && { p95TotalMs }),
    ...(p95ProductionMs !== null && { p95ProductionMs }),
    complete: documents < sampledDocuments,
  };
}
