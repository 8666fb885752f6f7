import { dictionaryNotFound, findDictionary } from '../../../shared/domain/dictionaries/find-dictionary.ts';
import { notModified, toChecksumTag } from '../../http/conditional-request.ts';
import type { Operation } from '../../operation.ts';
import { etagHeader, notModifiedResponse, problemResponses, readPreconditions } from '../common-schemas.ts';
import { dictionarySchema, toDictionaryResource } from './dictionary-resource.ts';

export const getDictionaryOperation: Operation = {
  scope: 'templates:read',
  route: {
    method: 'get',
    path: '/v1/dictionary',
    operationId: 'getDictionary',
    summary: 'Get dictionary',
    description: 'The words of the account, which the formatter `translate` prints in the language of a document.',
    tags: ['Dictionary'],
    request: { headers: readPreconditions },
    responses: {
      200: {
        description: 'The dictionary.',
        headers: etagHeader,
        content: { 'application/json': { schema: dictionarySchema } },
      },
      ...notModifiedResponse,
      ...problemResponses(404, 412),
    },
  },
  async handle(c, { db }) {
    const dictionary = await findDictionary(db, c.get('accountId'));
    if (dictionary === undefined) throw dictionaryNotFound();
    const etag = toChecksumTag(dictionary.checksum);
    return notModified(c, etag) ?? c.json(toDictionaryResource(dictionary), 200, { ETag: etag });
  },
};
