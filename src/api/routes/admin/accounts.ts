import { z } from '@hono/zod-openapi';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { listAccounts } from '../../../shared/domain/accounts/list-accounts.ts';
import { setApproval } from '../../../shared/domain/accounts/set-approval.ts';
import { resumeAccount, suspendAccount } from '../../../shared/domain/accounts/suspend-account.ts';
import { setBatchWeight } from '../../../shared/domain/batches/dispatch/set-weight.ts';
import { setEmailLimits } from '../../../shared/domain/deliveries/email-limits.ts';
import { deliveryStatuses, listDeliveries } from '../../../shared/domain/deliveries/list-deliveries.ts';
import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import { readUsage, usageGroups } from '../../../shared/domain/usage/read-usage.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { invalidField, pathId } from '../../http/parse-request.ts';
import { quotasSchema } from '../account/quotas-resource.ts';
import { cursorParam, limitParam } from '../common-schemas.ts';
import {
  accountId,
  accountParams,
  actRoute,
  count,
  displayName,
  flag,
  known,
  number,
  ok,
  page,
  readRoute,
  text,
  time,
} from './admin-resource.ts';
import { adminKeySchema } from './key-resource.ts';

const tags: [string] = ['Accounts'];
const suspendedAt = time('Since when its keys are refused; null if they are accepted.').nullable();
const deletingSince = time('Since when it is being deleted, which cannot be undone.').nullable();
const emailLimitFields = {
  recipientsPerDay: number('Recipients in a day (UTC); null for the limit of the service, 0 for none.').nullable(),
  messagesPerRecipientPerDay: number('E-mails to one address in a day; null and 0 as above.').nullable(),
};

const newAccountSchema = z.object({ name: displayName }).strict().openapi('AdminAccountRequest');
const createdSchema = z.object({ accountId, name: text('Its name.') }).openapi('AdminCreatedAccount');
const summarySchema = z
  .object({
    accountId,
    name: text('Its name.'),
    createdAt: time('When it was created.'),
    suspendedAt,
    deletingSince,
    templates: number('Templates it has.'),
    keys: number('Keys that are neither revoked nor expired.'),
    subscription: z
      .object({ docs: number('Documents of a month.'), used: number('Those used this month.') })
      .nullable()
      .openapi({ description: 'The monthly quota; null without one.' }),
    credits: z
      .object({ docs: number('Documents of all valid credits.'), used: number('Those used.') })
      .openapi({ description: 'The credits.' }),
  })
  .openapi('AdminAccountSummary');
const accountSchema = z
  .object({
    accountId,
    name: text('Its name.'),
    createdAt: time('When it was created.'),
    suspendedAt,
    deletingSince,
    needsApproval: flag('Whether a new version of a template is a draft until another person approves it.'),
    emailLimits: z.object(emailLimitFields).openapi({ description: 'Its own limits of e-mails.' }),
    subscription: z
      .object({
        docs: number('Documents of a month.'),
        templates: number('Templates it may have.'),
        anchorDay: number('The day on which its month begins.'),
      })
      .nullable()
      .openapi({ description: 'The monthly quota; null without one.' }),
    keys: z.array(adminKeySchema).openapi({ description: 'Its API keys, oldest first.' }),
    quotas: quotasSchema,
  })
  .openapi('AdminAccount');
const stateSchema = z.object({ accountId, suspendedAt }).openapi('AdminAccountState');

const createOperation: AdminOperation = {
  scope: 'accounts:write',
  route: actRoute(
    'post',
    '/v1/admin/accounts',
    {
      operationId: 'adminCreateAccount',
      summary: 'Create account',
      description: 'Creates an account without quota and without keys.',
      tags,
    },
    { body: newAccountSchema, responses: ok('The account.', createdSchema, 201) },
  ),
  async handle(c, deps) {
    const { name } = await readInput(c, deps, newAccountSchema);
    const created = await performAct(
      c,
      deps,
      { action: 'create-account', request: name },
      async (tx) => ({ ...(await createAccount(tx, name)), name }),
      (account) => ({ accountId: account.accountId, target: account.accountId }),
    );
    return c.json(created, 201, { Location: `/v1/admin/accounts/${created.accountId}` });
  },
};

const listQuery = z.object({ limit: limitParam, cursor: cursorParam });

const listOperation: AdminOperation = {
  scope: 'accounts:read',
  route: readRoute(
    '/v1/admin/accounts',
    {
      operationId: 'adminListAccounts',
      summary: 'List accounts',
      description: 'All accounts in order of creation, with the use of their quotas. Deleted ones are left out.',
      tags,
    },
    { query: listQuery, responses: page('Accounts.', z.array(summarySchema).openapi('AdminAccountList')) },
  ),
  async handle(c, { db, config }) {
    const { limit, cursor } = parseQuery(listQuery, c);
    const { accounts, next } = await listAccounts(db, { limit, after: parseCursor(cursor, 'acc') });
    setNextLink(c, config.PUBLIC_URL, next ?? undefined);
    return c.json(accounts);
  },
};

const getOperation: AdminOperation = {
  scope: 'accounts:read',
  route: readRoute(
    '/v1/admin/accounts/{id}',
    {
      operationId: 'adminGetAccount',
      summary: 'Get account',
      description: 'An account with its keys and quotas. Of a deleted account only an empty row is left.',
      tags,
    },
    { params: accountParams, responses: ok('The account.', accountSchema) },
  ),
  async handle(c, { db }) {
    const account = await findAccount(db, known(pathId(c), 'account'));
    return c.json({ ...account, quotas: await readQuotas(db, account.accountId) });
  },
};

/** Suspends or resumes. */
const stateOperation = (
  verb: 'suspend' | 'resume',
  summary: string,
  description: string,
  change: typeof suspendAccount,
): AdminOperation => ({
  scope: 'accounts:write',
  route: actRoute(
    'post',
    `/v1/admin/accounts/{id}/${verb}`,
    { operationId: `admin${verb === 'suspend' ? 'Suspend' : 'Resume'}Account`, summary, description, tags },
    { params: accountParams, responses: ok('The state of the account.', stateSchema) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const act = { action: `${verb}-account`, accountId: id, request: null };
    return c.json(await performAct(c, deps, act, (tx) => change(tx, id)));
  },
});

const limitsRequest = z
  .object({
    recipientsPerDay: count('Recipients in a day (UTC); null for the limit of the service, 0 for none.', 500).nullish(),
    messagesPerRecipientPerDay: count('E-mails to one address in a day; null and 0 as above.', 20).nullish(),
  })
  .strict()
  .openapi('AdminEmailLimitsRequest');
const limitsSchema = z.object({ accountId, ...emailLimitFields }).openapi('AdminEmailLimits');

const emailLimitsOperation: AdminOperation = {
  scope: 'accounts:write',
  route: actRoute(
    'put',
    '/v1/admin/accounts/{id}/email-limits',
    {
      operationId: 'adminSetEmailLimits',
      summary: 'Set e-mail limits',
      description: 'Replaces both limits of the account; one that is left out is that of the service.',
      tags,
    },
    { params: accountParams, body: limitsRequest, responses: ok('The limits.', limitsSchema) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const input = await readInput(c, deps, limitsRequest);
    const limits = {
      recipientsPerDay: input.recipientsPerDay ?? null,
      messagesPerRecipientPerDay: input.messagesPerRecipientPerDay ?? null,
    };
    const options = { recipients: limits.recipientsPerDay, 'per-recipient': limits.messagesPerRecipientPerDay };
    const act = { action: 'set-email-limits', accountId: id, options, request: limits };
    return c.json(await performAct(c, deps, act, (tx) => setEmailLimits(tx, id, limits)));
  },
};

const weightField = z.number().int().min(1).max(100);
const weightRequest = z
  .object({ weight: weightField.openapi({ description: 'Its share beside other accounts; usually 1.', example: 3 }) })
  .strict()
  .openapi('AdminBatchWeightRequest');
const weightSchema = z
  .object({ accountId, weight: number('Its share beside other accounts.') })
  .openapi('AdminBatchWeight');

const batchWeightOperation: AdminOperation = {
  scope: 'accounts:write',
  route: actRoute(
    'put',
    '/v1/admin/accounts/{id}/batch-weight',
    {
      operationId: 'adminSetBatchWeight',
      summary: 'Set batch weight',
      description: 'Sets the fair-share weight of the batches of the account.',
      tags,
    },
    { params: accountParams, body: weightRequest, responses: ok('The weight.', weightSchema) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const { weight } = await readInput(c, deps, weightRequest);
    const act = { action: 'set-batch-weight', accountId: id, options: { weight }, request: weight };
    return c.json(await performAct(c, deps, act, (tx) => setBatchWeight(tx, { accountId: id, weight })));
  },
};

const approvalFields = {
  needsApproval: flag('Whether a new version of a template is a draft until another person approves it.'),
};
const approvalRequest = z
  .object({ needsApproval: approvalFields.needsApproval.openapi({ example: true }) })
  .strict()
  .openapi('AdminApprovalRequest');
const approvalSchema = z.object({ accountId, ...approvalFields }).openapi('AdminApproval');

const approvalOperation: AdminOperation = {
  scope: 'accounts:write',
  route: actRoute(
    'put',
    '/v1/admin/accounts/{id}/approval',
    {
      operationId: 'adminSetApproval',
      summary: 'Set approval',
      description:
        'Sets whether a new version of a template is a draft until another person approves it. Versions that exist keep their state.',
      tags,
    },
    { params: accountParams, body: approvalRequest, responses: ok('The setting.', approvalSchema) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const { needsApproval } = await readInput(c, deps, approvalRequest);
    const options = { approval: needsApproval ? 'on' : 'off' };
    const act = { action: 'set-approval', accountId: id, options, request: needsApproval };
    return c.json(await performAct(c, deps, act, (tx) => setApproval(tx, { accountId: id, needsApproval })));
  },
};

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

export const accountOperations: readonly AdminOperation[] = [
  createOperation,
  listOperation,
  getOperation,
  stateOperation(
    'suspend',
    'Suspend account',
    'Refuses all requests of an account and holds its batches. Accepted documents are still produced and sent.',
    suspendAccount,
  ),
  stateOperation(
    'resume',
    'Resume account',
    'Accepts the requests of a suspended account again, and continues its batches.',
    resumeAccount,
  ),
  emailLimitsOperation,
  batchWeightOperation,
  approvalOperation,
  usageOperation,
  deliveriesOperation,
];
