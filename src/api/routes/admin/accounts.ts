import { z } from '@hono/zod-openapi';
import { createAccount } from '../../../shared/domain/accounts/create-account.ts';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { listAccounts } from '../../../shared/domain/accounts/list-accounts.ts';
import { resumeAccount, suspendAccount } from '../../../shared/domain/accounts/suspend-account.ts';
import { readQuotas } from '../../../shared/domain/quota/read-quotas.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { quotasSchema } from '../account/quotas-resource.ts';
import { cursorParam, limitParam } from '../common-schemas.ts';
import {
  accountId,
  accountParams,
  actRoute,
  displayName,
  emailLimitFields,
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
];
