import { z } from '@hono/zod-openapi';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { deliveryStatuses, listDeliveries } from '../../../shared/domain/deliveries/list-deliveries.ts';
import { readUsage, usageGroups } from '../../../shared/domain/usage/read-usage.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField, pathId } from '../../http/parse-request.ts';
import { cursorParam, limitParam } from '../common-schemas.ts';
import { accountId, accountParams, flag, known, number, ok, page, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Accounts'];

const dayMs = 86_400_000;

const maxDays = 366;

const maxGroups = 1_000;

const day = z.iso
  .date('must be a date such as 2026-11-30')
  .regex(/^2\d{3}-/, 'must be in the years 2000 to 2999')
  .optional();

const usageQuery = z.object({
  from: day.openapi({ description: 'The first day (UTC). Default: 29 days before `to`.', example: '2026-11-01' }),
  to: day.openapi({ description: 'The last day (UTC). Default: today.', example: '2026-11-30' }),
  by: z.enum(usageGroups).optional().openapi({ description: 'How it is grouped; by default by day.', example: 'day' }),
});

const amounts = {
  documents: number('Produced and charged, minus refunds.'),
  pages: number('Pages of the PDFs among them.'),
  bytes: number('Bytes of the files.'),
  failures: number('Released because they could not be produced.'),
  cancelled: number('Cancelled.'),
};

const usageSchema = z
  .object({
    accountId,
    from: text('The first day.'),
    to: text('The last day.'),
    by: z.enum(usageGroups).openapi({ description: 'How it is grouped.' }),
    totals: z.object(amounts).openapi({ description: 'Of the whole period.' }),
    groups: z
      .array(
        z.object({
          name: text('A day, or the id of a template or key; null if the key is unknown.').nullable(),
          templateId: text('For `dayAndTemplate`: a template, or null for all others.').nullable().optional(),
          ...amounts,
        }),
      )
      .openapi({ description: 'The groups.' }),
    hasMore: flag('Whether there are more groups.'),
  })
  .openapi('AdminUsage');

const usageOperation: AdminOperation = {
  scope: 'accounts:read',
  route: readRoute(
    '/v1/admin/accounts/{id}/usage',
    {
      operationId: 'adminGetUsage',
      summary: 'Get usage of account',
      description: 'Documents, pages and failures of an account by day, template or key, for at most 366 days.',
      tags,
    },
    { params: accountParams, query: usageQuery, responses: ok('The usage.', usageSchema) },
  ),
  async handle(c, { db }) {
    const id = known(pathId(c), 'account');
    const { from: first, to: last, by = 'day' } = parseQuery(usageQuery, c);
    const to = last ?? new Date().toISOString().slice(0, 10);
    const from = first ?? new Date(Date.parse(to) - 29 * dayMs).toISOString().slice(0, 10);
    const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (days < 1) throw invalidField('from', 'must not be after to');
    if (days > maxDays) throw invalidField('from', `must be at most ${maxDays} days before to`);
    await findAccount(db, id);
    const period = { from: new Date(from), to: new Date(Date.parse(to) + dayMs) };
    const usage = await readUsage(db, { accountId: id, ...period, groupBy: by, limit: maxGroups });
    return c.json({ accountId: id, from, to, by, ...usage });
  },
};

const deliveryQuery = z.object({
  limit: limitParam,
  cursor: cursorParam,
  status: z.enum(deliveryStatuses).optional().openapi({ description: 'Only those with this status.', example: 'sent' }),
});

const deliverySchema = z
  .object({
    deliveryId: text('Id of the delivery.'),
    documentId: text('Id of the document.'),
    status: z.enum(deliveryStatuses).openapi({ description: 'Its status.' }),
    recipients: z.array(z.looseObject({})).openapi({ description: 'The recipients, each with its outcome.' }),
    attempts: number('How often it was tried.'),
    lastReply: text('The last reply of the mail server.').nullable(),
    createdAt: time('When it was created.'),
    nextAttemptAt: time('When it is tried next.').nullable(),
    finishedAt: time('When it ended.').nullable(),
  })
  .openapi('AdminDelivery');

const deliveriesOperation: AdminOperation = {
  scope: 'accounts:read',
  route: readRoute(
    '/v1/admin/accounts/{id}/deliveries',
    {
      operationId: 'adminListDeliveries',
      summary: 'List e-mails',
      description: 'The e-mails of an account, newest first. With a status, a page may be short although more follow.',
      tags,
    },
    {
      params: accountParams,
      query: deliveryQuery,
      responses: page('E-mails.', z.array(deliverySchema).openapi('AdminDeliveryList')),
    },
  ),
  async handle(c, { db, config }) {
    const id = known(pathId(c), 'account');
    const { limit, cursor, status } = parseQuery(deliveryQuery, c);
    await findAccount(db, id);
    const before = parseCursor(cursor, 'dlv');
    const statuses = status === undefined ? undefined : [status];
    const found = await listDeliveries(db, { accountId: id, statuses, limit, before });
    setNextLink(c, config.PUBLIC_URL, found.next);
    return c.json(found.deliveries.map(toDelivery));
  },
};

const toDelivery = ({
  id,
  lastReply,
  nextAttemptAt,
  finishedAt,
  ...delivery
}: Awaited<ReturnType<typeof listDeliveries>>['deliveries'][number]) => ({
  deliveryId: id,
  ...delivery,
  lastReply: lastReply ?? null,
  nextAttemptAt: nextAttemptAt ?? null,
  finishedAt: finishedAt ?? null,
});

export const accountReportOperations: readonly AdminOperation[] = [usageOperation, deliveriesOperation];
