import type { components } from '@docmill/client';
import { deliveryTexts } from '../texts/deliveries.ts';
import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../ui/tone.ts';
import { summarizeRecipients } from './summarize-recipients.ts';

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

export const recipientsOf = ({ recipients }: Schemas['Delivery']): string =>
  summarizeRecipients(recipients.map(({ address }) => address));
