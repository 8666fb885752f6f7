import { z } from '@hono/zod-openapi';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { listKeyUse } from '../../../shared/domain/audit/key-use.ts';
import { listActs } from '../../../shared/domain/audit/list-acts.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { parseCursor, parseUseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { cursorParam, limitParam } from '../common-schemas.ts';
import { accountParams, idField, known, number, page, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Audit'];

const query = z.object({
  limit: limitParam,
  cursor: cursorParam,
  account: idField('acc', 'Only acts on this account.').optional(),
  action: z
    .string()
    .regex(/^[a-z-]{1,40}$/, 'must be the name of a command')
    .optional()
    .openapi({ description: 'Only acts of this command.', example: 'create-key' }),
  since: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2026-11-30T12:00:00Z' })
    .regex(/^2\d{3}-/, 'must be a time between the years 2000 and 2999')
    .optional()
    .openapi({ description: 'Only acts since this time.', example: '2026-11-01T00:00:00Z' }),
});
const entrySchema = z
  .object({
    id: text('Id of the entry.'),
    at: time('When it was written.'),
    actor: text('The operator key, or the name that was given to the command.').nullable(),
    osUser: text('`api`, or the user who ran the command.'),
    host: text('The address of the client, or the host of the command.'),
    action: text('The name of the command.'),
    accountId: text('The account.').nullable(),
    target: text('What was changed.').nullable(),
    options: z.record(z.string(), z.string()).openapi({ description: 'Ids, numbers and choices.' }),
    outcome: z.enum(['started', 'succeeded', 'failed']).openapi({ description: 'What came of it.' }),
    counts: z.record(z.string(), z.number()).nullable().openapi({ description: 'How much was changed.' }),
    error: text('The code of the error.').nullable(),
    startId: text('The entry of the start, for an act in several steps.').nullable(),
  })
  .openapi('AuditEntry');

const listOperation: AdminOperation = {
  scope: 'audit:read',
  route: readRoute(
    '/v1/admin/audit',
    {
      operationId: 'adminListAudit',
      summary: 'List audit log',
      description: 'What operators changed by HTTP and by command, newest first.',
      tags,
    },
    { query, responses: page('Entries.', z.array(entrySchema).openapi('AuditEntryList')) },
  ),
  async handle(c, { db, config }) {
    const { limit, cursor, account, action, since } = parseQuery(query, c);
    const { acts, next } = await listActs(db, {
      accountId: account,
      action,
      since: since === undefined ? undefined : new Date(since),
      before: parseCursor(cursor, 'aud'),
      limit,
    });
    setNextLink(c, config.PUBLIC_URL, next ?? undefined);
    return c.json(acts);
  },
};

const useQuery = z.object({
  limit: limitParam,
  cursor: cursorParam,
  since: z.iso
    .date('must be a date such as 2026-11-30')
    .regex(/^2\d{3}-/, 'must be in the years 2000 to 2999')
    .optional()
    .openapi({ description: 'Only since this day (UTC).', example: '2026-11-01' }),
});
const useSchema = z
  .object({
    keyId: text('Id of the key.'),
    day: text('The day (UTC).'),
    scope: text('The scope, or `any`.'),
    accountId: text('Id of the account.'),
    requests: number('Requests of that day.'),
    firstAt: time('The first of them.'),
    lastAt: time('The last of them.'),
  })
  .openapi('AdminKeyUse');

const keyUseOperation: AdminOperation = {
  scope: 'audit:read',
  route: readRoute(
    '/v1/admin/accounts/{id}/key-use',
    {
      operationId: 'adminListKeyUse',
      summary: 'List use of keys',
      description: 'The requests of the keys of an account by day, key and scope, oldest first.',
      tags,
    },
    { params: accountParams, query: useQuery, responses: page('Uses.', z.array(useSchema).openapi('AdminKeyUseList')) },
  ),
  async handle(c, { db, config }) {
    const id = known(pathId(c), 'account');
    const { limit, cursor, since } = parseQuery(useQuery, c);
    const after = parseUseCursor(cursor);
    await findAccount(db, id);
    const { uses, next } = await listKeyUse(db, { accountId: id, since, after, limit });
    setNextLink(c, config.PUBLIC_URL, next ?? undefined);
    return c.json(uses);
  },
};

export const auditOperations: readonly AdminOperation[] = [listOperation, keyUseOperation];
