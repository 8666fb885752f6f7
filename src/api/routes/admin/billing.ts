import { z } from '@hono/zod-openapi';
import { setKeyBudget } from '../../../shared/domain/api-keys/budget.ts';
import { grantCredits } from '../../../shared/domain/quota/grant-credits.ts';
import { setSubscription } from '../../../shared/domain/quota/set-subscription.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { pathId } from '../../http/parse-request.ts';
import {
  accountId,
  accountParams,
  actRoute,
  count,
  futureTime,
  keyParams,
  known,
  number,
  ok,
  text,
  time,
  toDate,
} from './admin-resource.ts';

const tags: [string] = ['Billing'];

const subscriptionRequest = z
  .object({
    docs: count('Documents in a month.', 1_000),
    templates: count('Templates that the account may have.', 50),
    anchorDay: z
      .number()
      .int()
      .min(1)
      .max(31)
      .nullish()
      .openapi({ description: 'The day on which its month begins; by default it stays, at first 1.', example: 1 }),
  })
  .strict()
  .openapi('AdminSubscriptionRequest');
const subscriptionSchema = z
  .object({
    accountId,
    docs: number('Documents in a month.'),
    templates: number('Templates that the account may have.'),
    anchorDay: number('The day on which its month begins.'),
  })
  .openapi('AdminSubscription');

const subscriptionOperation: AdminOperation = {
  scope: 'billing:write',
  route: actRoute(
    'put',
    '/v1/admin/accounts/{id}/subscription',
    {
      operationId: 'adminSetSubscription',
      summary: 'Set subscription',
      description: 'Sets the monthly quota of documents and the quota of templates, effective at once.',
      tags,
    },
    { params: accountParams, body: subscriptionRequest, responses: ok('The subscription.', subscriptionSchema) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const { docs, templates, anchorDay } = await readInput(c, deps, subscriptionRequest);
    const options = { docs, templates, 'anchor-day': anchorDay };
    const act = { action: 'set-subscription', accountId: id, options, request: options };
    const subscription = { accountId: id, docs, templates, anchorDay: anchorDay ?? undefined };
    return c.json(await performAct(c, deps, act, (tx) => setSubscription(tx, subscription)));
  },
};

const creditsRequest = z
  .object({
    docs: count('Documents.', 500),
    templates: count('Templates.', 0),
    expiresAt: futureTime,
  })
  .strict()
  .refine(({ docs, templates }) => docs + templates > 0, {
    path: ['docs'],
    message: 'must be at least 1 unless templates is',
  })
  .openapi('AdminCreditsRequest');
const creditsSchema = z
  .object({
    creditsId: text('Id of the credits.'),
    accountId,
    docs: number('Documents.'),
    templates: number('Templates.'),
    expiresAt: time('When they expire; absent for never.').optional(),
  })
  .openapi('AdminCredits');

const creditsOperation: AdminOperation = {
  scope: 'billing:write',
  route: actRoute(
    'post',
    '/v1/admin/accounts/{id}/credits',
    {
      operationId: 'adminGrantCredits',
      summary: 'Grant credits',
      description: 'Grants an account credits for documents and templates, in addition to its subscription.',
      tags,
    },
    { params: accountParams, body: creditsRequest, responses: ok('The credits.', creditsSchema, 201) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const { docs, templates, expiresAt } = await readInput(c, deps, creditsRequest);
    const options = { docs, templates, expires: expiresAt };
    const act = { action: 'grant-credits', accountId: id, options, request: options };
    const credits = { accountId: id, docs, templates, expiresAt: toDate(expiresAt) };
    const granted = await performAct(
      c,
      deps,
      act,
      (tx) => grantCredits(tx, credits),
      ({ creditsId }) => ({ target: creditsId }),
    );
    return c.json(granted, 201);
  },
};

const budgetRequest = z
  .object({
    docsPerMonth: count('Documents in a calendar month (UTC); null removes the budget.', 500).nullable(),
  })
  .strict()
  .openapi('AdminBudgetRequest');
const budgetSchema = z
  .object({
    keyId: text('Id of the key.'),
    docsPerMonth: number('Documents in a calendar month (UTC); null for no budget.').nullable(),
  })
  .openapi('AdminBudget');

const budgetOperation: AdminOperation = {
  scope: 'billing:write',
  route: actRoute(
    'put',
    '/v1/admin/keys/{id}/budget',
    {
      operationId: 'adminSetKeyBudget',
      summary: 'Set budget of key',
      description: 'Sets how many documents a key may request in a month, this month included.',
      tags,
    },
    { params: keyParams, body: budgetRequest, responses: ok('The budget.', budgetSchema) },
  ),
  async handle(c, deps) {
    const keyId = known(pathId(c), 'API key');
    const { docsPerMonth } = await readInput(c, deps, budgetRequest);
    const act = { action: 'set-budget', target: keyId, options: { docs: docsPerMonth }, request: docsPerMonth };
    return c.json(await performAct(c, deps, act, (tx) => setKeyBudget(tx, keyId, docsPerMonth)));
  },
};

export const billingOperations: readonly AdminOperation[] = [subscriptionOperation, creditsOperation, budgetOperation];
