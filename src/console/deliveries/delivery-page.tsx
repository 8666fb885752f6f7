import type { components } from '@docmill/client';
import { CircleAlert, Send } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { isTestKey, useDocmill } from '../session/session.ts';
import { deliveryTexts } from '../texts/deliveries.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatNumber, formatTime } from '../ui/format.ts';
import { PageHeader } from '../ui/page-header.tsx';
import '../ui/rows.css';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { TableScroll } from '../ui/table-scroll.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoad } from '../ui/use-load.ts';
import { usePolling } from '../ui/use-polling.ts';
import { DeliveryStatus, failureOf, RecipientStatus, recipientsOf } from './delivery-status.tsx';

type Delivery = components['schemas']['Delivery'];

const everyMs = 2_000;

export default function DeliveryPage() {
  const { id } = useParams<{ id: string }>();
  const docmill = useDocmill();
  const { value: delivery, error, reload } = useLoad((signal) => docmill.deliveries.get(id, { signal }), id);
  const [isAsking, setIsAsking] = useState(false);
  usePolling(async () => reload(), {
    everyMs,
    isOn: delivery !== undefined && delivery.finishedAt === undefined,
  });
  const parent = <Link href="/deliveries">{deliveryTexts.title}</Link>;
  if (delivery === undefined) {
    return (
      <>
        <PageHeader title={deliveryTexts.title} parent={parent} />
        {error === undefined ? <Skeleton lines={6} /> : <ErrorNote error={error} onRetry={reload} />}
      </>
    );
  }
  const isUnconfirmed = delivery.status !== 'sent' && delivery.status !== 'skipped';
  const canResend = delivery.finishedAt !== undefined && isUnconfirmed && !isTestKey.value;
  return (
    <>
      <PageHeader
        title={deliveryTexts.pageTitle(recipientsOf(delivery))}
        parent={parent}
        about={<DeliveryStatus status={delivery.status} />}
      >
        {canResend && (
          <Button variant="primary" icon={<Send />} onClick={() => setIsAsking(true)}>
            {deliveryTexts.resend}
          </Button>
        )}
      </PageHeader>
      <div class="sections">
        {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
        <Problem delivery={delivery} />
        <DeliveryFacts delivery={delivery} />
        <section class="card">
          <h2>{deliveryTexts.message}</h2>
          <Facts facts={[[deliveryTexts.subject, delivery.subject ?? deliveryTexts.defaultSubject]]} />
          {delivery.body === undefined ? (
            <p class="muted">{deliveryTexts.defaultBody}</p>
          ) : (
            <p class="message-body">{delivery.body}</p>
          )}
        </section>
        <section class="card">
          <h2>{deliveryTexts.recipients}</h2>
          <Recipients recipients={delivery.recipients} />
        </section>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={deliveryTexts.resendTitle}
          text={deliveryTexts.resendText}
          action={deliveryTexts.resend}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await docmill.deliveries.resend(id);
            showToast(deliveryTexts.resent);
            reload();
          }}
        />
      )}
    </>
  );
}

function Problem({ delivery }: { readonly delivery: Delivery }) {
  const { status } = delivery;
  const reply = failureOf(delivery);
  if (status !== 'failed' && status !== 'partial' && status !== 'unknown') return null;
  return (
    <section class={status === 'failed' ? 'note bad' : 'note warn'} aria-label={deliveryTexts[status]}>
      <CircleAlert aria-hidden="true" />
      <div class="breaks">
        <h2>{deliveryTexts[status]}</h2>
        {reply !== undefined && <p>{reply}</p>}
        <p>{status === 'unknown' ? deliveryTexts.unknownText : deliveryTexts.failedText}</p>
      </div>
    </section>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { id, documentId, attempts, createdAt, nextAttemptAt, finishedAt, reply } = delivery;
  return (
    <section class="card">
      <h2>{deliveryTexts.facts}</h2>
      <Facts
        facts={[
          [deliveryTexts.document, <Link href={`/documents/${documentId}`}>{documentId}</Link>],
          [deliveryTexts.attemptCount, formatNumber(attempts)],
          [deliveryTexts.requested, formatTime(createdAt)],
          [deliveryTexts.finished, finishedAt === undefined ? undefined : formatTime(finishedAt)],
          [deliveryTexts.next, nextAttemptAt === undefined ? undefined : <Time value={nextAttemptAt} />],
          [deliveryTexts.lastReply, reply],
          [deliveryTexts.id, <code>{id}</code>],
        ]}
      />
    </section>
  );
}

function Recipients({ recipients }: Pick<Delivery, 'recipients'>) {
  return (
    <TableScroll label={deliveryTexts.recipients}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{deliveryTexts.address}</th>
            <th scope="col">{deliveryTexts.status}</th>
            <th scope="col">{deliveryTexts.reply}</th>
          </tr>
        </thead>
        <tbody>
          {recipients.map(({ address, status, reply }) => (
            <tr key={address}>
              <th scope="row" class="breaks">
                {address}
              </th>
              <td>
                <RecipientStatus status={status} />
              </td>
              <td class="breaks muted">{reply}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}
