import type { components } from '@docmill/client';
import { deliveryTexts } from '../texts/deliveries.ts';
import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../ui/tone.ts';

type Schemas = components['schemas'];
type RecipientState = Schemas['DeliveryRecipient']['status'];

const tones: Readonly<Record<Schemas['DeliveryStatus'] | RecipientState, Tone>> = {
  pending: 'neutral',
  sending: 'info',
  sent: 'good',
  partial: 'warn',
  deferred: 'warn',
  unknown: 'warn',
  failed: 'bad',
  skipped: 'neutral',
};

export const DeliveryStatus = ({ status }: { readonly status: Schemas['DeliveryStatus'] }) => (
  <Badge tone={tones[status]}>{deliveryTexts.statuses[status]}</Badge>
);

export const RecipientStatus = ({ status }: { readonly status: RecipientState }) => (
  <Badge tone={tones[status]}>{deliveryTexts.recipientStatuses[status]}</Badge>
);

/** The mail server's reply for the first recipient that was not reached, or for the whole message. */
export function failureOf({ recipients, reply }: Schemas['Delivery']): string | undefined {
  return recipients.find((one) => one.status !== 'sent' && one.reply !== undefined)?.reply ?? reply;
}

/** Summarises the recipients: the first one, and the number of others. */
export function recipientsOf({ recipients }: Schemas['Delivery']): string {
  const [first] = recipients;
  if (first === undefined) return '';
  return recipients.length === 1 ? first.address : deliveryTexts.andMore(first.address, recipients.length - 1);
}
