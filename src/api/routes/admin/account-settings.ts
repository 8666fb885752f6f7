import { z } from '@hono/zod-openapi';
import { setApproval } from '../../../shared/domain/accounts/set-approval.ts';
import { setBatchWeight } from '../../../shared/domain/batches/dispatch/set-weight.ts';
import { setEmailLimits } from '../../../shared/domain/deliveries/email-limits.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { pathId } from '../../http/parse-request.ts';
import {
  accountId,
  accountParams,
  actRoute,
  count,
  emailLimitFields,
  flag,
  known,
  number,
  ok,
} from './admin-resource.ts';

const tags: [string] = ['Accounts'];

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

export const accountSettingOperations: readonly AdminOperation[] = [
  emailLimitsOperation,
  batchWeightOperation,
  approvalOperation,
];
