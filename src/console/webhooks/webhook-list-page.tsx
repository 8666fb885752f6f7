import type { components } from '@docmill/client';
import { Plus, Webhook as WebhookIcon } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { webhookTexts } from '../texts/webhooks.ts';
import { Button } from '../ui/button.tsx';
import { formatAge, formatTime } from '../ui/format.ts';
import { ListStart } from '../ui/list-start.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { EmptyState, Skeleton } from '../ui/states.tsx';
import { usePages } from '../ui/use-pages.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookStatus } from './webhook-status.tsx';
import './webhooks.css';

type Webhook = components['schemas']['Webhook'];

const pageSize = 50;

export default function WebhookListPage() {
  const docmill = useDocmill();
  const [, go] = useLocation();
  const pages = usePages<Webhook>((signal) => docmill.webhooks.list({ signal }), pageSize, '');
  const { entries, isLoading, isEmpty } = pages;
  const [isCreating, setIsCreating] = useState(false);
  const [created, setCreated] = useState<Webhook>();
  const add = (
    <Button variant="primary" icon={<Plus />} onClick={() => setIsCreating(true)}>
      {webhookTexts.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={webhookTexts.title} about={webhookTexts.about}>
        {!isEmpty && add}
      </PageHeader>
      <ListStart
        pages={pages}
        loading={<Skeleton lines={4} />}
        empty={
          <EmptyState title={webhookTexts.emptyTitle} icon={<WebhookIcon aria-hidden="true" />}>
            <p>{webhookTexts.emptyText}</p>
            {add}
          </EmptyState>
        }
      />
      {entries.length > 0 && (
        <ul class="rows" aria-label={webhookTexts.title}>
          {entries.map((webhook) => (
            <li key={webhook.id}>
              <WebhookRow webhook={webhook} />
            </li>
          ))}
        </ul>
      )}
      <MoreButton hasMore={pages.hasMore} isBusy={isLoading} onMore={pages.more} />
      {isCreating && (
        <WebhookForm
          title={webhookTexts.create}
          onClose={() => setIsCreating(false)}
          onSave={async (fields) => {
            const webhook = await docmill.webhooks.create(fields);
            setIsCreating(false);
            setCreated(webhook);
          }}
        />
      )}
      {created?.secret !== undefined && (
        <SecretDialog secret={created.secret} onClose={() => go(`/webhooks/${created.id}`)} />
      )}
    </>
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const { id, kind, url, description, events, status, failingSince, disabledReason } = webhook;
  const about = kind === 'callbacks' ? webhookTexts.callbacksAbout : description;
  return (
    <>
      <div>
        <Link class="row-link" href={`/webhooks/${id}`}>
          {url ?? webhookTexts.callbacks}
        </Link>
        <p class="row-about">
          {about !== undefined && <span>{about}</span>}
          <span>{events.map((event) => webhookTexts.eventNames[event]).join(', ')}</span>
        </p>
      </div>
      <div class="row-side">
        <WebhookStatus webhook={webhook} />
      </div>
      {status === 'disabled' && disabledReason !== undefined && (
        <p class="row-error">{webhookTexts.disabledBy(disabledReason)}</p>
      )}
      {status === 'enabled' && failingSince !== undefined && (
        <p class="row-error">{webhookTexts.failingSince(formatAge(failingSince), formatTime(failingSince))}</p>
      )}
    </>
  );
}
