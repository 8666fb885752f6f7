import type { components } from '@docmill/client';
import { webhookTexts } from '../texts/webhooks.ts';
import { Badge } from '../ui/badge.tsx';
import type { Tone } from '../ui/tone.ts';

type Schemas = components['schemas'];

export function WebhookStatus({ webhook }: { readonly webhook: Schemas['Webhook'] }) {
  const isFailing = webhook.status === 'enabled' && webhook.failingSince !== undefined;
  const tone = webhook.status === 'disabled' ? 'neutral' : isFailing ? 'warn' : 'good';
  return <Badge tone={tone}>{webhookTexts.statuses[webhook.status]}</Badge>;
}

const tones: Readonly<Record<Schemas['WebhookDeliveryStatus'], Tone>> = {
  pending: 'neutral',
  sending: 'info',
  delivered: 'good',
  failed: 'bad',
};

export const WebhookDeliveryStatus = ({ status }: { readonly status: Schemas['WebhookDeliveryStatus'] }) => (
  <Badge tone={tones[status]}>{webhookTexts.deliveryStatuses[status]}</Badge>
);
