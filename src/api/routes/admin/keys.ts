import { z } from '@hono/zod-openapi';
import { findAccount } from '../../../shared/domain/accounts/find-account.ts';
import { createKey, revokeKey } from '../../../shared/domain/api-keys/create-key.ts';
import { findAccountKeysPage } from '../../../shared/domain/api-keys/list-keys.ts';
import { rotateKey } from '../../../shared/domain/api-keys/rotate-key.ts';
import { allScopes } from '../../../shared/domain/api-keys/scopes.ts';
import type { AdminOperation } from '../../admin/admin-operation.ts';
import { performAct, readInput } from '../../admin/perform-act.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import { pathId } from '../../http/parse-request.ts';
import { cursorParam, exampleId, limitParam } from '../common-schemas.ts';
import {
  accountId,
  accountParams,
  actRoute,
  displayName,
  futureTime,
  keyParams,
  known,
  ok,
  page,
  readRoute,
  text,
  time,
  toDate,
} from './admin-resource.ts';
import { adminKeySchema, keyFields } from './key-resource.ts';

const tags: [string] = ['Keys'];
const dayMs = 86_400_000;
const maxOverlapHours = 90 * 24;

const request = z
  .object({
    name: displayName.nullish(),
    scopes: z
      .array(z.enum(allScopes))
      .min(1, 'must name a scope')
      .max(allScopes.length)
      .refine((list) => new Set(list).size === list.length, 'must name each scope once')
      .nullish()
      .openapi({ description: 'What it may do; by default everything.', example: ['generate'] }),
    kind: z.enum(['live', 'test']).nullish().openapi({ description: 'By default `live`.', example: 'live' }),
    expiresAt: futureTime,
    ownerId: z
      .string()
      .min(1)
      .max(100)
      .nullish()
      .openapi({
        description: 'The person who is responsible for it, by the id of their key.',
        example: exampleId('key'),
      }),
  })
  .strict()
  .openapi('AdminKeyRequest');
const createdSchema = z
  .object({ ...keyFields, accountId, apiKey: text('The key itself. Store it: it is shown only now.') })
  .openapi('AdminCreatedKey');

const createOperation: AdminOperation = {
  scope: 'keys:write',
  route: actRoute(
    'post',
    '/v1/admin/accounts/{id}/keys',
    {
      operationId: 'adminCreateKey',
      summary: 'Create API key',
      description: 'Creates a key of an account. Its secret is shown once; only its hash is stored.',
      tags,
    },
    { params: accountParams, body: request, responses: ok('The key with its secret.', createdSchema, 201) },
  ),
  async handle(c, deps) {
    const id = known(pathId(c), 'account');
    const { name, scopes, kind, expiresAt, ownerId } = await readInput(c, deps, request);
    const key = {
      accountId: id,
      name: name ?? undefined,
      scopes: scopes ?? null,
      isTest: kind === 'test',
      expiresAt: toDate(expiresAt),
      ownerId: ownerId ?? undefined,
    };
    const options = { kind: kind ?? undefined, scopes: scopes?.join(','), expires: expiresAt, owner: ownerId };
    const act = { action: 'create-key', accountId: id, options, request: key };
    const found = ({ keyId }: { readonly keyId: string }) => ({ target: keyId });
    return c.json(await performAct(c, deps, act, (tx) => createKey(tx, key), found), 201);
  },
};

const query = z.object({ limit: limitParam, cursor: cursorParam });

const listOperation: AdminOperation = {
  scope: 'accounts:read',
  route: readRoute(
    '/v1/admin/accounts/{id}/keys',
    {
      operationId: 'adminListKeys',
      summary: 'List API keys',
      description: 'The keys of an account, oldest first, without their secrets; revoked and expired ones too.',
      tags,
    },
    { params: accountParams, query, responses: page('Keys.', z.array(adminKeySchema).openapi('AdminKeyList')) },
  ),
  async handle(c, { db, config }) {
    const id = known(pathId(c), 'account');
    const { limit, cursor } = parseQuery(query, c);
    const after = parseCursor(cursor, 'key');
    await findAccount(db, id);
    const { keys, next } = await findAccountKeysPage(db, { accountId: id, limit, after });
    setNextLink(c, config.PUBLIC_URL, next);
    return c.json(keys);
  },
};

const rotation = z
  .object({
    overlapHours: z
      .number()
      .min(0)
      .max(maxOverlapHours)
      .nullish()
      .openapi({ description: 'How long the previous secret works; by default 24 hours.', example: 24 }),
    force: z.boolean().nullish().openapi({ description: 'Ends the overlap of an earlier rotation.', example: false }),
  })
  .strict()
  .openapi('AdminKeyRotationRequest');
const rotatedSchema = z
  .object({
    keyId: text('Id of the key.'),
    previousSecretUntil: time('Until when the previous secret works.').nullable(),
    apiKey: text('The key with its new secret. Store it: it is shown only now.'),
  })
  .openapi('AdminRotatedKey');

const rotateOperation: AdminOperation = {
  scope: 'keys:write',
  route: actRoute(
    'post',
    '/v1/admin/keys/{id}/rotate',
    {
      operationId: 'adminRotateKey',
      summary: 'Rotate API key',
      description: 'Gives a key a new secret, shown once. The previous one works for a while.',
      tags,
    },
    { params: keyParams, body: rotation, responses: ok('The key with its new secret.', rotatedSchema) },
  ),
  async handle(c, deps) {
    const keyId = known(pathId(c), 'API key');
    const { overlapHours, force } = await readInput(c, deps, rotation);
    const overlapMs =
      overlapHours === null || overlapHours === undefined ? dayMs : Math.round(overlapHours * 3_600_000);
    const input = { keyId, overlapMs, isForced: force === true };
    const act = { action: 'rotate-key', target: keyId, options: { overlapMs, force }, request: input };
    return c.json(await performAct(c, deps, act, (tx) => rotateKey(tx, input)));
  },
};

const revokedSchema = z
  .object({ keyId: text('Id of the key.'), revokedAt: time('When it was first revoked.').nullable() })
  .openapi('AdminRevokedKey');

const revokeOperation: AdminOperation = {
  scope: 'keys:write',
  route: actRoute(
    'post',
    '/v1/admin/keys/{id}/revoke',
    {
      operationId: 'adminRevokeKey',
      summary: 'Revoke API key',
      description: 'Revokes a key. It stops working within `KEY_CACHE_SECONDS`.',
      tags,
    },
    { params: keyParams, responses: ok('The revoked key.', revokedSchema) },
  ),
  async handle(c, deps) {
    const keyId = known(pathId(c), 'API key');
    const act = { action: 'revoke-key', target: keyId, request: null };
    return c.json(await performAct(c, deps, act, (tx) => revokeKey(tx, keyId)));
  },
};

export const keyOperations: readonly AdminOperation[] = [
  createOperation,
  listOperation,
  rotateOperation,
  revokeOperation,
];
