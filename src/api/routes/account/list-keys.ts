import { z } from '@hono/zod-openapi';
import { listAccountKeys } from '../../../shared/domain/api-keys/find-account-keys.ts';
import { parseCursor, setNextLink } from '../../http/cursor.ts';
import { parseQuery } from '../../http/parse-query.ts';
import type { Operation } from '../../operation.ts';
import { cursorParam, limitParam, nextPageHeader, problemResponses } from '../common-schemas.ts';
import { keySchema, toKeyResource } from './key-resource.ts';

const query = z.object({ limit: limitParam, cursor: cursorParam });

export const listKeysOperation: Operation = {
  scope: 'account:read',
  route: {
    method: 'get',
    path: '/v1/account/keys',
    operationId: 'listKeys',
    summary: 'List keys',
    description:
      'The API keys of the account, newest first, revoked and expired ones too; never their secrets. The operator creates, changes and revokes them.',
    tags: ['Account'],
    request: { query },
    responses: {
      200: {
        description: 'Keys.',
        headers: nextPageHeader,
        content: { 'application/json': { schema: z.array(keySchema).openapi('AccountKeyList') } },
      },
      ...problemResponses(400),
    },
  },
  async handle(c, { db, config }) {
    const { cursor, limit } = parseQuery(query, c);
    const before = parseCursor(cursor, 'key');
    const page = await listAccountKeys(db, { accountId: c.get('accountId'), limit, before });
    setNextLink(c, config.PUBLIC_URL, page.next);
    return c.json(page.keys.map(toKeyResource));
  },
};
