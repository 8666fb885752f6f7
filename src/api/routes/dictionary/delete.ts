import { withLock } from '../../../shared/domain/accounts/lock-for-change.ts';
import { removeDictionary } from '../../../shared/domain/dictionaries/remove-dictionary.ts';
import { checksumPrecondition } from '../../http/conditional-request.ts';
import { changeBy } from '../../http/require-scope.ts';
import type { Operation } from '../../operation.ts';
import { ifMatchHeader, problemResponses } from '../common-schemas.ts';

export const deleteDictionaryOperation: Operation = {
  scope: 'templates:write',
  route: {
    method: 'delete',
    path: '/v1/dictionary',
    operationId: 'deleteDictionary',
    summary: 'Delete dictionary',
    description: 'Deletes all words of the account. Documents that were accepted before still print them.',
    tags: ['Dictionary'],
    request: { headers: ifMatchHeader },
    responses: { 204: { description: 'Deleted.' }, ...problemResponses(400, 404, 412) },
  },
  async handle(c, { db }) {
    const precondition = checksumPrecondition(c);
    await withLock(db, changeBy(c), (tx) => removeDictionary(tx, c.get('accountId'), precondition));
    return c.body(null, 204);
  },
};
