import { z } from '@hono/zod-openapi';
import { isRangeWithin } from '../../../shared/config/address-ranges.ts';
import {
  createOperatorKey,
  listOperatorKeys,
  revokeOperatorKey,
} from '../../../shared/domain/operators/operator-keys.ts';
import { allOperatorScopes } from '../../../shared/domain/operators/operator-scopes.ts';
import { AppError } from '../../../shared/errors.ts';
import { type AdminOperation, operatorOf } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { cursorParam, idParam, limitParam } from '../common-schemas.ts';
import {
  actRoute,
  addressRange,
  displayName,
  futureTime,
  known,
  number,
  ok,
  page,
  readRoute,
  text,
  time,
  toDate,
} from './admin-resource.ts';

const tags: [string] = ['Operators'];
const maxRanges = 100;

const request = z
  .object({
    name: displayName,
    scopes: z
      .array(z.enum(allOperatorScopes))
      .min(1, 'must name a scope')
      .max(allOperatorScopes.length)
      .refine((list) => new Set(list).size === list.length, 'must name each scope once')
      .nullish()
      .openapi({ description: 'What it may do; by default what your key may do.', example: ['accounts:read'] }),
    addressRanges: z
      .array(addressRange)
      .min(1, 'must name a range')
      .max(maxRanges)
      .nullish()
      .openapi({ description: 'Where it is accepted from; by default where yours is.', example: ['203.0.113.0/24'] }),
    requestsPerMinute: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .nullish()
      .openapi({ description: 'By default `ADMIN_REQUESTS_PER_MINUTE`.', example: 120 }),
    expiresAt: futureTime,
  })
  .strict()
  .openapi('OperatorKeyRequest');

const fields = {
  operatorKeyId: text('Id of the operator key.'),
  name: text('Its name.'),
  scopes: z.array(z.enum(allOperatorScopes)).nullable().openapi({ description: 'Its scopes; null for all of them.' }),
  addressRanges: z
    .array(z.string())
    .nullable()
    .openapi({ description: 'Where it is accepted from; null for anywhere.' }),
  requestsPerMinute: number('Requests in a minute; null for the configured limit.').nullable(),
  expiresAt: time('When it expires.').nullable(),
};
const keySchema = z
  .object({
    ...fields,
    createdAt: time('When it was created.'),
    lastUsedAt: time('Its last use, accurate to a minute.').nullable(),
    revokedAt: time('When it was revoked.').nullable(),
  })
  .openapi('OperatorKey');
const createdSchema = z
  .object({ ...fields, operatorKey: text('The key itself. Store it: it is shown only now.') })
  .openapi('CreatedOperatorKey');

const createOperation: AdminOperation = {
  scope: 'operators:write',
  route: actRoute(
    'post',
    '/v1/admin/operator-keys',
    {
      operationId: 'createOperatorKey',
      summary: 'Create operator key',
      description:
        'Creates an operator key with at most the scopes, addresses and lifetime of yours. Its secret is shown once.',
      tags,
    },
    { body: request, responses: ok('The key with its secret.', createdSchema, 201) },
  ),
  async handle(c, deps) {
    const input = await readInput(c, deps, request);
    const { scopes: own, addressRanges: ownRanges, expiresAt: ownEnd } = operatorOf(c);
    const key = {
      name: input.name,
      scopes: input.scopes ?? own,
      addressRanges: input.addressRanges ?? ownRanges,
      requestsPerMinute: input.requestsPerMinute ?? null,
      expiresAt: toDate(input.expiresAt) ?? ownEnd,
    };
    const excess = own === null ? [] : (key.scopes ?? []).filter((scope) => !own.includes(scope));
    if (excess.length > 0) {
      c.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
      throw new AppError('insufficient_scope', `Your operator key cannot grant ${excess.join(', ')}, which it lacks.`);
    }
    const wide =
      ownRanges === null ? [] : (key.addressRanges ?? []).filter((range) => !isRangeWithin(range, ownRanges));
    if (wide.length > 0) {
      c.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
      throw new AppError('insufficient_scope', `Your operator key cannot allow ${wide[0]}, where it is not accepted.`);
    }
    if (ownEnd !== null && key.expiresAt !== null && key.expiresAt > ownEnd) {
      c.header('WWW-Authenticate', 'Bearer error="insufficient_scope"');
      throw new AppError('insufficient_scope', 'Your operator key cannot create a key that expires after it.');
    }
    const options = { scopes: key.scopes?.join(','), n: key.requestsPerMinute, expires: input.expiresAt };
    const created = await performAct(
      c,
      deps,
      { action: 'create-operator-key', options, request: key },
      (tx) => createOperatorKey(tx, key),
      ({ operatorKeyId }) => ({ target: operatorKeyId }),
    );
    return c.json(created, 201);
  },
};

const query = z.object({ limit: limitParam, cursor: cursorParam });

const listOperation: AdminOperation = {
  scope: 'operators:write',
  route: readRoute(
    '/v1/admin/operator-keys',
    {
      operationId: 'listOperatorKeys',
      summary: 'List operator keys',
      description: 'All operator keys, newest first, without their secrets; revoked and expired ones too.',
      tags,
    },
    { query, responses: page('Operator keys.', z.array(keySchema).openapi('OperatorKeyList')) },
  ),
  async handle(c, { db, config }) {
    const { limit, cursor } = parseQuery(query, c);
    const { keys, next } = await listOperatorKeys(db, { limit, before: parseCursor(cursor, 'opk') });
    setNextLink(c, config.PUBLIC_URL, next ?? undefined);
    return c.json(keys);
  },
};

const revokedSchema = z
  .object({ operatorKeyId: fields.operatorKeyId, revokedAt: time('When it was first revoked.').nullable() })
  .openapi('RevokedOperatorKey');

const revokeOperation: AdminOperation = {
  scope: 'operators:write',
  route: actRoute(
    'post',
    '/v1/admin/operator-keys/{id}/revoke',
    {
      operationId: 'revokeOperatorKey',
      summary: 'Revoke operator key',
      description: 'Revokes an operator key at once. A key can revoke itself.',
      tags,
    },
    {
      params: z.object({ id: idParam('opk', 'Id of the operator key.') }),
      responses: ok('The revoked key.', revokedSchema),
    },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'operator key');
    const act = { action: 'revoke-operator-key', target: id, request: null };
    return c.json(await performAct(c, deps, act, (tx) => revokeOperatorKey(tx, id)));
  },
};

export const operatorKeyOperations: readonly AdminOperation[] = [createOperation, listOperation, revokeOperation];
