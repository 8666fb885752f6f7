import { z } from '@hono/zod-openapi';
import { beginDeletion } from '../../../shared/domain/accounts/delete-account.ts';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import {
  type ErasureTarget,
  findErasure,
  listErasures,
  requestErasure,
} from '../../../shared/domain/erasure/erasure-requests.ts';
import { requireErasable } from '../../../shared/domain/erasure/stop-documents.ts';
import { isMailAddress } from '../../../shared/mail-address.ts';
import { type AdminOperation, operatorOf } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { plainText } from '../../http/plain-text.ts';
import { cursorParam, idParam, limitParam } from '../common-schemas.ts';
import { actRoute, idField, known, ok, page, readRoute, text, time } from './admin-resource.ts';

const tags: [string] = ['Erasure'];

const erasureSchema = z
  .object({
    erasureId: text('Id of the erasure.'),
    kind: z.enum(['account', 'document', 'recipient']).openapi({ description: 'What is erased.' }),
    target: text('The account or the document; null for an address, which is not kept.').nullable(),
    withinAccount: text('The only account in which an address is erased; null for all.').nullable(),
    state: z
      .enum(['waiting', 'running', 'succeeded', 'failed'])
      .openapi({ description: 'Only `succeeded` and `failed` are final.' }),
    result: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .nullable()
      .openapi({ description: 'What was erased; null until it has succeeded.' }),
    error: text('Why it failed.').nullable(),
    createdAt: time('When it was requested.'),
    finishedAt: time('When it ended.').nullable(),
  })
  .openapi('Erasure');

const accountRequest = z
  .object({
    confirm: plainText(1, 200).openapi({
      description: 'The name of the account, so that a wrong id deletes nothing.',
      example: 'Smith & Sons',
    }),
  })
  .strict()
  .openapi('AdminAccountErasureRequest');

const deleteAccountOperation: AdminOperation = {
  scope: 'erasure:write',
  route: actRoute(
    'post',
    '/v1/admin/accounts/{id}/erase',
    {
      operationId: 'adminEraseAccount',
      summary: 'Delete account',
      description:
        'Deletes an account with everything it has but monthly totals. It cannot be undone. Its keys are refused at once; the rest is erased afterwards. The state is that of the erasure.',
      tags,
    },
    {
      params: z.object({ id: idParam('acc', 'Id of the account.') }),
      body: accountRequest,
      responses: ok('The erasure.', erasureSchema, 202),
    },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const { confirm } = await readInput(c, deps, accountRequest);
    const act = { action: 'delete-account', accountId: id, request: confirm, outcome: 'started' as const };
    const erasure = await performAct(c, deps, act, async (tx, auditId) => {
      await beginDeletion(tx, id, confirm);
      const { operatorKeyId } = operatorOf(c);
      return await requestErasure(
        tx,
        { kind: 'account', target: id },
        { operatorKeyId, address: c.get('address'), auditId },
      );
    });
    return c.json(erasure, 202, { Location: `/v1/admin/erasures/${erasure.erasureId}` });
  },
};

const request = z
  .object({
    document: idField('doc', 'A document.').nullish(),
    recipient: plainText(3, 320)
      .refine(isMailAddress, 'must be an address like name@example.com')
      .nullish()
      .openapi({ description: 'Every document sent to this address or naming it.', example: 'ada@example.com' }),
    account: idField('acc', 'Only in this account.').nullish(),
  })
  .strict()
  .refine(({ document, recipient }) => (typeof document === 'string') !== (typeof recipient === 'string'), {
    path: ['document'],
    message: 'give either document or recipient',
  })
  .openapi('AdminErasureRequest');

const createOperation: AdminOperation = {
  scope: 'erasure:write',
  route: actRoute(
    'post',
    '/v1/admin/erasures',
    {
      operationId: 'adminCreateErasure',
      summary: 'Erase document or address',
      description:
        'Erases a document, or all documents that were sent to an address or name it. It cannot be undone. It is carried out afterwards, also if the service is restarted.',
      tags,
    },
    { body: request, responses: ok('The erasure.', erasureSchema, 202) },
  ),
  async handle(c, deps) {
    const { document, recipient, account } = await readInput(c, deps, request);
    const target: ErasureTarget =
      typeof document === 'string'
        ? { kind: 'document', target: document }
        : { kind: 'recipient', recipient: recipient ?? '', withinAccount: account ?? null };
    const act = {
      action: 'erase',
      accountId: account ?? undefined,
      target: document ?? undefined,
      options: { document, account },
      request: [document, recipient, account],
      outcome: 'started' as const,
    };
    const erasure = await performAct(c, deps, act, async (tx, auditId) => {
      if (target.kind === 'document') await requireErasable(tx, target.target, account ?? undefined);
      else if (typeof account === 'string') await findAccount(tx, account);
      const { operatorKeyId } = operatorOf(c);
      return await requestErasure(tx, target, { operatorKeyId, address: c.get('address'), auditId });
    });
    return c.json(erasure, 202, { Location: `/v1/admin/erasures/${erasure.erasureId}` });
  },
};

const query = z.object({ limit: limitParam, cursor: cursorParam });

const listOperation: AdminOperation = {
  scope: 'erasure:write',
  route: readRoute(
    '/v1/admin/erasures',
    {
      operationId: 'adminListErasures',
      summary: 'List erasures',
      description: 'The erasures that were requested by HTTP, newest first.',
      tags,
    },
    { query, responses: page('Erasures.', z.array(erasureSchema).openapi('ErasureList')) },
  ),
  async handle(c, { db, config }) {
    const { limit, cursor } = parseQuery(query, c);
    const { erasures, next } = await listErasures(db, { limit, before: parseCursor(cursor, 'ers') });
    setNextLink(c, config.PUBLIC_URL, next ?? undefined);
    return c.json(erasures);
  },
};

const getOperation: AdminOperation = {
  scope: 'erasure:write',
  route: readRoute(
    '/v1/admin/erasures/{id}',
    { operationId: 'adminGetErasure', summary: 'Get erasure', description: 'The state of an erasure.', tags },
    {
      params: z.object({ id: idParam('ers', 'Id of the erasure.') }),
      responses: ok('The erasure.', erasureSchema),
    },
  ),
  handle: async (c, { db }) => c.json(await findErasure(db, known(pathId(c), 'erasure'))),
};

export const erasureOperations: readonly AdminOperation[] = [
  deleteAccountOperation,
  createOperation,
  listOperation,
  getOperation,
];
