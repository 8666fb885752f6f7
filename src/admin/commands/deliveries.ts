import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import { deliveryStatuses, listDeliveries } from '../../shared/domain/deliveries/list-deliveries.ts';
import { type Commands, optional, required } from '../parse-command.ts';
import { readId, readLimit, readOneOf } from '../read-options.ts';

export const deliveryCommands: Commands = {
  deliveries: {
    summary: 'List the e-mail deliveries of an account, newest first',
    options: {
      account: required('<accountId>'),
      status: optional(`<${deliveryStatuses.join('|')}>`),
      limit: optional('<1-1000>'),
      before: optional('<deliveryId>'),
    },
    async run({ db }, options) {
      const accountId = readId(options, 'account', 'acc');
      const page = {
        accountId,
        status: options.has('status') ? readOneOf(options, 'status', deliveryStatuses) : undefined,
        limit: readLimit(options),
        before: options.has('before') ? readId(options, 'before', 'dlv') : undefined,
      };
      // Throws for an account that does not exist.
      await findAccount(db, accountId);
      return await listDeliveries(db, page);
    },
  },
};
