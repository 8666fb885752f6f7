import { z } from '@hono/zod-openapi';
import { busiestAccounts } from '../../../shared/domain/usage/busiest-accounts.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { wholeNumber } from '../../http/whole-number.ts';
import { readQueues } from '../../queues/read-queues.ts';
import { accountId, flag, idField, number, ok, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Operations'];

const queueQuery = z.object({
  account: idField('acc', 'Only the backlog of this account.').optional(),
  top: wholeNumber(1, 1_000)
    .optional()
    .openapi({ description: 'How many accounts with the largest backlogs. Default: 10.', example: 10 }),
});
const backlog = {
  waiting: number('Jobs that wait.'),
  delayed: number('Jobs that wait for their next attempt.'),
  inProgress: number('Jobs in progress.'),
  oldestSeconds: number('How long the oldest has waited.'),
};
const queuesSchema = z
  .object({
    isComplete: flag('False if more wait than were counted.'),
    redis: text('`read`, or why Redis was not read.'),
    queues: z
      .array(
        z.object({
          queue: text('The queue.'),
          ...backlog,
          inPerMinute: number('Arrivals; null without Redis.').nullable(),
          outPerMinute: number('Jobs that ended.'),
          failedPerMinute: number('Those that failed.'),
          isPaused: flag('Whether it is paused.'),
          workers: number('Live workers that serve it.'),
          jobs: z
            .object({ waiting: z.number(), active: z.number(), delayed: z.number() })
            .nullable()
            .openapi({ description: 'Jobs in Redis; null without Redis.' }),
          missingJobs: number('Documents or e-mails without a job.').nullable(),
        }),
      )
      .openapi({ description: 'The queues.' }),
    accounts: z
      .array(
        z.object({
          accountId,
          suspendedAt: time('Since when it is suspended.').nullable(),
          ...backlog,
          queues: z.record(z.string(), z.number()).openapi({ description: 'Waiting jobs, by queue.' }),
          isPaused: flag('Whether it is paused.'),
        }),
      )
      .openapi({ description: 'The accounts with the largest backlogs.' }),
  })
  .openapi('AdminQueues');

const queuesOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/queues',
    {
      operationId: 'adminGetQueues',
      summary: 'Get queues',
      description: 'Backlog, age, throughput and workers of each queue, and the accounts with the largest backlogs.',
      tags,
    },
    { query: queueQuery, responses: ok('The queues.', queuesSchema) },
  ),
  async handle(c, { db, queues }) {
    const { account, top = 10 } = parseQuery(queueQuery, c);
    return c.json(await readQueues(db, queues, { accountId: account, top }));
  },
};

const busiestQuery = z.object({
  minutes: wholeNumber(1, 7 * 24 * 60)
    .optional()
    .openapi({ description: 'The last minutes. Default: 60.', example: 60 }),
  limit: wholeNumber(1, 1_000).optional().openapi({ description: 'How many accounts. Default: 20.', example: 20 }),
});
const busiestSchema = z
  .object({
    since: time('The start of the period.'),
    accounts: z
      .array(
        z.object({
          accountId,
          documents: number('Documents accepted in the period.'),
          failed: number('Those that failed.'),
          engineSeconds: number('Seconds that engines worked on them.'),
        }),
      )
      .openapi({ description: 'The busiest first.' }),
  })
  .openapi('AdminBusiestAccounts');

const busiestOperation: AdminOperation = {
  scope: 'operations:read',
  route: readRoute(
    '/v1/admin/busiest-accounts',
    {
      operationId: 'adminGetBusiestAccounts',
      summary: 'Get busiest accounts',
      description: 'The accounts that occupied render processes and LibreOffice longest.',
      tags,
    },
    { query: busiestQuery, responses: ok('The accounts.', busiestSchema) },
  ),
  async handle(c, { db }) {
    const { minutes = 60, limit = 20 } = parseQuery(busiestQuery, c);
    const since = new Date(Date.now() - minutes * 60_000);
    return c.json({ since, accounts: await busiestAccounts(db, since, limit) });
  },
};

export const queueOperations: readonly AdminOperation[] = [queuesOperation, busiestOperation];
