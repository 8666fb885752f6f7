import type { RecipientResult } from '../../db/schema/deliveries.ts';
import type { RecipientLists } from '../../mail-address.ts';

const fields = ['to', 'cc', 'bcc'] as const;

/** The recipients by header: those of a delivery that names its own, or else those of the document's request. */
export function recipientLists(recipients: readonly RecipientResult[], requested: RecipientLists): RecipientLists {
  if (recipients.every(({ field }) => field === undefined)) {
    const { to, cc, bcc } = requested;
    return { to, cc, bcc };
  }
  const named = (wanted: (typeof fields)[number]): string[] =>
    recipients.flatMap(({ address, field }) => (field === wanted ? [address] : []));
  return { to: named('to'), cc: named('cc'), bcc: named('bcc') };
}

/** The recipients of a new delivery that names its own. */
export const newRecipients = (lists: RecipientLists): readonly RecipientResult[] =>
  fields.flatMap((field) => lists[field].map((address) => ({ address, status: 'pending', field }) as const));
