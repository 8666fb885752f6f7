import { requireErasable } from '../../shared/domain/erasure/stop-documents.ts';
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
          await requireErasable(db, documentId, accountId);
          const { eraseDocument, withStores } = await loadErasure();
          return await withStores(db, (stores) => eraseDocument(stores, documentId));
        };
      }
      const address = options.get('recipient') ?? '';
      if (!isMailAddress(address)) throw new UsageError('--recipient must be an address like name@example.com');
      return async ({ db }) => {
        const { eraseAddress, withStores } = await loadErasure();
        return await withStores(db, (stores) => eraseAddress(stores, address, accountId));
      };
    },
  },
};

/** Loaded on demand: the clients of all stores, which other commands do not need. */
const loadErasure = async () => ({
  ...(await import('../../api/erasure/delete-account.ts')),
  ...(await import('../../api/erasure/erase.ts')),
  ...(await import('../erasure/open-stores.ts')),
});
