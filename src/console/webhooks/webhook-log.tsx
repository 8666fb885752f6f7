import type { components } from '@docmill/client';
import { History, RotateCw } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { hasScope, useDocmill } from '../session/session.ts';
import { listTexts } from '../texts/lists.ts';
import { webhookTexts } from '../texts/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDuration, formatTime } from '../ui/format.ts';
import { LiveRows } from '../ui/live-rows.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { EmptyState, ErrorNote } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../ui/use-action.ts';
import { useFilters } from '../ui/use-filters.ts';
import { useLiveList } from '../ui/use-live-list.ts';
import { documentOf, prettyJson } from './event-body.ts';
import { WebhookDeliveryStatus } from './webhook-status.tsx';

type Schemas = components['schemas'];
type Delivery = Schemas['WebhookDelivery'];

const pageSize = 20;
const filterNames = ['status'] as const;
const statuses: readonly Delivery['status'][] = ['pending', 'sending', 'delivered', 'failed'];

interface WebhookLogProps {
  readonly webhook: Schemas['Webhook'];
  /** Reloads the log when it changes. */
  readonly round: number;
  readonly onChange: () => void;
}

/** The requests sent to a webhook, and its responses. */
export function WebhookLog({ webhook, round, onChange }: WebhookLogProps) {
  const docmill = useDocmill();
  const { values, set } = useFilters(filterNames);
  const status = statuses.find((one) => one === values.status);
  const query = { limit: pageSize, ...(status !== undefined && { status }) };
  const pages = useLiveList<Delivery>({
    key: `${webhook.id} ${values.status} ${round}`,
    pageSize,
    list: (signal) => docmill.webhooks.deliveries(webhook.id, query, { signal }),
    get: (id, signal) => docmill.webhooks.delivery(webhook.id, id, { signal }),
    hasEnded: ({ finishedAt }) => finishedAt !== undefined,
  });
  const redeliver = async (id: string): Promise<void> => {
    const changed = await docmill.webhooks.redeliver(webhook.id, id);
    pages.update((shown) => shown.map((one) => (one.id === id ? changed : one)));
    showToast(webhookTexts.redelivered);
    onChange();
  };
  return (
    <section>
      <div class="log-header">
        <div>
          <h2>{webhookTexts.log}</h2>
          <p class="muted small">{webhookTexts.logAbout}</p>
        </div>
        <div class="filters">
          <SelectField
            label={webhookTexts.status}
            value={status ?? ''}
            options={[
              ['', listTexts.all],
              ...statuses.map((one) => [one, webhookTexts.deliveryStatuses[one]] as const),
            ]}
            onSelect={(next) => set({ status: next })}
          />
        </div>
      </div>
      <LiveRows
        pages={pages}
        label={webhookTexts.log}
        empty={
          <EmptyState title={webhookTexts.logEmptyTitle} icon={<History aria-hidden="true" />}>
            <p>{webhookTexts.logEmptyText}</p>
          </EmptyState>
        }
        row={(delivery) => <LogRow delivery={delivery} onRedeliver={redeliver} />}
      />
    </section>
  );
}

interface LogRowProps {
  readonly delivery: Delivery;
  readonly onRedeliver: (id: string) => Promise<void>;
}

function LogRow({ delivery, onRedeliver }: LogRowProps) {
  const { eventType, status, attempts, durationMs, response, error, createdAt, url } = delivery;
  return (
    <details class="log-entry">
      <summary>
        <span class="log-summary">
          <b>{eventType}</b>
          <span class="row-about">
            {response !== undefined && <span>{webhookTexts.responseStatus(response.status)}</span>}
            {durationMs !== undefined && <span class="number">{formatDuration(durationMs)}</span>}
            <span>{listTexts.attempts(attempts)}</span>
            {url !== undefined && <span>{url}</span>}
          </span>
          {error !== undefined && <span class="row-error">{error}</span>}
        </span>
        <span class="row-side">
          <WebhookDeliveryStatus status={status} />
          <Time value={createdAt} isExact />
        </span>
      </summary>
      <LogDetails delivery={delivery} onRedeliver={onRedeliver} />
    </details>
  );
}

function LogDetails({ delivery, onRedeliver }: LogRowProps) {
  const { id, eventId, body, response, nextAttemptAt, finishedAt } = delivery;
  const { run, isBusy, error } = useAction(() => onRedeliver(id));
  const documentId = documentOf(body);
  return (
    <div class="log-details">
      <p class="log-actions">
        {finishedAt !== undefined && (
          <Button icon={<RotateCw />} isBusy={isBusy} onClick={() => run()}>
            {webhookTexts.redeliver}
          </Button>
        )}
        {documentId !== undefined && hasScope('generate') && (
          <Link class="button plain" href={`/documents/${documentId}`}>
            {webhookTexts.document}
          </Link>
        )}
        {nextAttemptAt !== undefined && (
          <span class="muted small">
            {webhookTexts.nextAttempt}: {formatTime(nextAttemptAt)}
          </span>
        )}
      </p>
      {error !== undefined && <ErrorNote error={error} />}
      <div class="exchange">
        <Message title={webhookTexts.request} about={`${webhookTexts.eventId}: ${eventId}`} body={body} />
        {response === undefined ? (
          <section>
            <h3>{webhookTexts.response}</h3>
            <p class="muted">{webhookTexts.noResponse}</p>
          </section>
        ) : (
          <Message
            title={webhookTexts.response}
            about={webhookTexts.responseStatus(response.status)}
            body={response.body}
          />
        )}
      </div>
    </div>
  );
}

interface MessageProps {
  readonly title: string;
  readonly about: string;
  readonly body: string;
}

function Message({ title, about, body }: MessageProps) {
  return (
    <section>
      <h3>{title}</h3>
      <p class="muted small breaks">
        {about} <CopyButton text={body} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre class="code-block" tabIndex={0}>
        {body === '' ? webhookTexts.emptyBody : prettyJson(body)}
      </pre>
    </section>
  );
}
