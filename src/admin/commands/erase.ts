import type { Executor } from '../../shared/db/client.ts';
import { findErased } from '../../shared/domain/erasure/stop-documents.ts';
import { AppError } from '../../shared/errors.ts';
import { isMailAddress } from '../../shared/mail-address.ts';
import { type Commands, optional, required, UsageError } from '../parse-command.ts';
import { readId, readName } from '../read-options.ts';

export const eraseCommands: Commands = {
  'delete-account': {
    summary: 'Delete an account with everything it has but monthly totals; cannot be undone',
    options: { account: required('<accountId>'), confirm: required('<name>') },
    steps(options) {
      const accountId = readId(options, 'account', 'acc');
      const name = readName(options, 'confirm');
      return async ({ db }) => {
        const { deleteAccount, withStores } = await loadErasure();
        return await withStores(db, (stores) => deleteAccount(stores, accountId, name));
      };
    },
  },
  erase: {
    summary: 'Erase a document, or all documents that were sent to an address or name it; cannot be undone',
    options: {
      recipient: optional('<address>'),
      document: optional('<documentId>'),
      account: optional('<accountId>'),
    },
    steps(options) {
      const accountId = options.has('account') ? readId(options, 'account', 'acc') : undefined;
      if (options.has('recipient') === options.has('document'))
        throw new UsageError('Give either --recipient or --document');
      if (options.has('document')) {
        const documentId = readId(options, 'document', 'doc');
        return async ({ db }) => {
          await requireOwned(db, documentId, accountId);
          const { eraseDocuments, resumeErasures, rewriteRedisLog, withStores } = await loadErasure();
          return await withStores(db, async (stores) => {
            const resumed = await resumeErasures(stores);
            const documents = await eraseDocuments(stores, [documentId]);
            return { documentId, documents, resumed, redisLog: await rewriteRedisLog(stores.redis) };
          });
        };
      }
      const address = options.get('recipient') ?? '';
      if (!isMailAddress(address)) throw new UsageError('--recipient must be an address like name@example.com');
      return async ({ db }) => {
        const { eraseRecipient, resumeErasures, rewriteRedisLog, withStores } = await loadErasure();
        return await withStores(db, async (stores) => {
          const resumed = await resumeErasures(stores);
          const erased = await eraseRecipient(stores, address, accountId);
          return { ...erased, resumed, redisLog: await rewriteRedisLog(stores.redis) };
        });
      };
    },
  },
};

/** Loaded on demand: the clients of all stores, which other commands do not need. */
const loadErasure = async () => ({
  ...(await import('../erasure/delete-account.ts')),
  ...(await import('../erasure/erase-documents.ts')),
  ...(await import('../erasure/erase-recipient.ts')),
  ...(await import('../erasure/open-stores.ts')),
  ...(await import('../erasure/resume-erasures.ts')),
  ...(await import('../erasure/rewrite-redis-log.ts')),
});

/** Throws `not_found` for a document that does not exist or belongs to another account. */
async function requireOwned(db: Executor, documentId: string, accountId: string | undefined): Promise<void> {
  const [document] = await findErased(db, [documentId]);
  if (document === undefined || (accountId !== undefined && document.accountId !== accountId))
    throw new AppError(
      'not_found',
      `There is no document ${documentId}${accountId === undefined ? '' : ' of this account'}`,
    );
}
