import type { components } from '@docmill/client';
import { CircleAlert } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { webhookTexts } from '../texts/webhooks.ts';
import { Facts } from '../ui/facts.tsx';
import { formatTime } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookLog } from './webhook-log.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import './webhooks.css';

type Webhook = components['schemas']['Webhook'];

export default function WebhookPage() {
  const { id } = useParams<{ id: string }>();
  const docmill = useDocmill();
  const { value: webhook, error, reload } = useLoad((signal) => docmill.webhooks.get(id, { signal }), id);
  // A test or a state change affects the log immediately.
  const [logRound, setLogRound] = useState(0);
  const refresh = (): void => {
    reload();
    setLogRound((count) => count + 1);
  };
  const parent = <Link href="/webhooks">{webhookTexts.title}</Link>;
  if (webhook === undefined) {
    return (
      <>
        <PageHeader title={webhookTexts.title} parent={parent} />
        {error === undefined ? <Skeleton lines={6} /> : <ErrorNote error={error} onRetry={reload} />}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={webhook.url ?? webhookTexts.callbacks}
        parent={parent}
        about={<WebhookStatus webhook={webhook} />}
      >
        <WebhookActions webhook={webhook} onChange={refresh} />
      </PageHeader>
      <div class="sections">
        {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
        <Problem webhook={webhook} />
        <WebhookFacts webhook={webhook} />
        <WebhookLog webhook={webhook} round={logRound} onChange={reload} />
      </div>
    </>
  );
}

function Problem({ webhook: { status, disabledReason, failingSince } }: { readonly webhook: Webhook }) {
  const isDisabled = status === 'disabled';
  if (!isDisabled && failingSince === undefined) return null;
  const title = isDisabled ? webhookTexts.disabledTitle : webhookTexts.failingTitle;
  return (
    <section class="note warn" aria-label={title}>
      <CircleAlert aria-hidden="true" />
      <div class="breaks">
        <h2>{title}</h2>
        {isDisabled && disabledReason !== undefined && <p>{webhookTexts.disabledBy(disabledReason)}</p>}
        <p>
          {isDisabled || failingSince === undefined
            ? webhookTexts.disabledText
            : webhookTexts.failingText(formatTime(failingSince))}
        </p>
      </div>
    </section>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, description, events, createdAt, updatedAt, previousSecretExpiresAt } = webhook;
  const previous = previousSecretExpiresAt === undefined ? undefined : formatTime(previousSecretExpiresAt);
  return (
    <section class="card">
      <h2>{webhookTexts.facts}</h2>
      <Facts
        facts={[
          [webhookTexts.description, description],
          [webhookTexts.events, events.map((event) => webhookTexts.eventNames[event]).join(', ')],
          [webhookTexts.created, formatTime(createdAt)],
          [webhookTexts.changed, formatTime(updatedAt)],
          [webhookTexts.previousUntil, previous],
          [webhookTexts.id, <code>{id}</code>],
        ]}
      />
    </section>
  );
}
