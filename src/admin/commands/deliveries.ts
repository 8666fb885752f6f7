import { findAccount } from '../../shared/domain/accounts/find-account.ts';
import type { DeliveryRecord } from '../../shared/domain/deliveries/find-delivery.ts';
import { deliveryStatuses, listDeliveries } from '../../shared/domain/deliveries/list-deliveries.ts';
import { type Commands, optional, required } from '../parse-command.ts';
import { readId, readLimit, readOneOf } from '../read-options.ts';

function toSummary({ id, documentId, lastReply, nextAttemptAt, finishedAt, ...delivery }: DeliveryRecord) {
  return {
    deliveryId: id,
    documentId,
    ...delivery,
    lastReply: lastReply ?? null,
    nextAttemptAt: nextAttemptAt ?? null,
    finishedAt: finishedAt ?? null,
  };
}

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
        statuses: options.has('status') ? [readOneOf(options, 'status', deliveryStatuses)] : undefined,
        limit: readLimit(options),
        before: options.has('before') ? readId(options, 'before', 'dlv') : undefined,
      };
      // Throws for an account that does not exist.
      await findAccount(db, accountId);
      const { deliveries, next } = await listDeliveries(db, page);
      return { deliveries: deliveries.map(toSummary), next: next ?? null };
    },
  },
};
