import { findAccountKey } from '../../../shared/domain/api-keys/find-account-keys.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Operation } from '../../operation.ts';
import { problemResponses } from '../common-schemas.ts';
import { keySchema, toKeyResource } from './key-resource.ts';

export const getKeyOperation: Operation = {
  scope: null,
  route: {
    method: 'get',
    path: '/v1/account/key',
    operationId: 'getKey',
    summary: 'Get this key',
    description: 'The key of the request: what it may do, until when, and what is left of its budget.',
    tags: ['Account'],
    responses: {
      200: { description: 'The key.', content: { 'application/json': { schema: keySchema } } },
      ...problemResponses(),
    },
  },
  async handle(c, { db }) {
    const key = await findAccountKey(db, c.get('accountId'), c.get('keyId'));
    // The account was deleted after the key was checked.
    if (key === undefined) throw new AppError('unauthorized', 'Missing or invalid API key');
    return c.json(toKeyResource(key));
  },
};
