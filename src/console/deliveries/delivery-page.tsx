import type { components } from '@docmill/client';
import { CircleAlert, RotateCw, Send } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import { hasScope, isTestKey, useDocmill } from '../session/session.ts';
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
import { SendAgainDialog } from './send-again-dialog.tsx';

type Delivery = components['schemas']['Delivery'];

const everyMs = 2_000;

export default function DeliveryPage() {
  const { id } = useParams<{ id: string }>();
  const docmill = useDocmill();
  const { value: delivery, error, reload } = useLoad((signal) => docmill.deliveries.get(id, { signal }), id);
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<'resend' | 'again'>();
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
  const isUnconfirmed = delivery.status !== 'sent';
  const { to, cc = [], bcc = [] } = delivery;
  const canSend =
    delivery.finishedAt !== undefined && delivery.status !== 'skipped' && !isTestKey.value && hasScope('generate');
  const canResend = canSend && isUnconfirmed && to !== undefined;
  const canSendAgain = canSend && to !== undefined;
  return (
    <>
      <PageHeader
        title={deliveryTexts.pageTitle(recipientsOf(delivery))}
        parent={parent}
        about={<DeliveryStatus status={delivery.status} />}
      >
        {canResend && (
          <Button variant="primary" icon={<RotateCw />} onClick={() => setAsked('resend')}>
            {deliveryTexts.resend}
          </Button>
        )}
        {canSendAgain && (
          <Button icon={<Send />} onClick={() => setAsked('again')}>
            {deliveryTexts.again}
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
          {canSend && to === undefined && <p class="muted">{deliveryTexts.notKept}</p>}
        </section>
      </div>
      {asked === 'again' && to !== undefined && (
        <SendAgainDialog
          documentId={delivery.documentId}
          lists={{ to, cc, bcc }}
          onClose={() => setAsked(undefined)}
          onSent={(sent) => {
            showToast(deliveryTexts.sentAgain);
            setAsked(undefined);
            navigate(`/deliveries/${sent.id}`);
          }}
        />
      )}
      {asked === 'resend' && (
        <ConfirmDialog
          title={deliveryTexts.resendTitle}
          text={deliveryTexts.resendText}
          action={deliveryTexts.resend}
          onClose={() => setAsked(undefined)}
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
          [deliveryTexts.next, nextAttemptAt === undefined ? undefined : <Time value={nextAttemptAt} isExact />],
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
