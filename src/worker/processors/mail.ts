import { type ClaimedDelivery, claimDelivery } from '../../shared/domain/deliveries/claim-delivery.ts';
import { markTransmitting } from '../../shared/domain/deliveries/mark-transmitting.ts';
import { type DeliveryOutcome, settleDelivery } from '../../shared/domain/deliveries/settle-delivery.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import { contentTypeOf } from '../../shared/storage/content-types.ts';
import { required, type WorkerDeps } from '../context.ts';
import { toDeliveryOutcome } from '../delivery/delivery-outcome.ts';
import { keepLease } from '../delivery/keep-lease.ts';
import { defaultBody, defaultSubject } from '../mail/default-texts.ts';
import type { MailMessage, SendOutcome } from '../mail/mailer.ts';
import { retryOnOutage } from '../retry-on-outage.ts';

const leaseMs = 60_000;

/** Sends the e-mail of a document to those who have not got it, and records what became of it for each of them. */
export async function processMail(deps: WorkerDeps, payload: JobPayload<'mail'>): Promise<void> {
  const delivery = await claimDelivery(deps.db, payload.deliveryId, leaseMs);
  if (delivery === undefined) return;
  // failpoint: mail-claimed
  const lease = keepLease(deps, delivery, leaseMs);
  const outcome = await attempt(deps, delivery).finally(() => lease.end());
  const jobId = `${delivery.id}.${delivery.attempts}`;
  if (outcome.status === 'sent') return;
  const isQueued =
    outcome.status === 'pending'
      ? deps.queues.add('mail', jobId, { deliveryId: delivery.id }, { delay: outcome.retryInMs })
      : deps.queues.add('webhook', jobId, { accountId: delivery.accountId });
  await isQueued.catch((error: unknown) =>
    deps.logger.warn({ err: error, deliveryId: delivery.id }, 'left to the sweep'),
  );
}

async function attempt(deps: WorkerDeps, delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
  const sent = await send(deps, delivery);
  // failpoint: after-reply-before-settle
  const outcome = toDeliveryOutcome(delivery, sent, deps.config);
  await retryOnOutage(deps.logger, () => settleDelivery(deps.db, delivery, outcome));
  deps.metrics.delivery('mail', outcome.status);
  return outcome;
}

async function send(deps: WorkerDeps, delivery: ClaimedDelivery): Promise<SendOutcome> {
  const open = delivery.recipients.filter(({ status }) => status === 'pending' || status === 'deferred');
  const content = await loadAttachment(deps, delivery);
  if (content === 'unreachable') {
    const reply = 'the document could not be read from the file store';
    const recipients = open.map(({ address }) => ({ address, status: 'deferred' as const, reply }));
    return { status: 'deferred', reason: 'unreachable', reply, recipients };
  }
  if (content === undefined) {
    const reply = 'the document is no longer kept';
    const recipients = open.map(({ address }) => ({ address, status: 'failed' as const, reply }));
    return { status: 'failed', reason: 'invalid', reply, recipients };
  }
  const message = toMessage(
    delivery,
    open.map(({ address }) => address),
    content,
  );
  return required(deps.mailer, 'mail').send(message, {
    async beforeFinalDot() {
      // failpoint: before-final-dot
      if (!(await markTransmitting(deps.db, delivery, leaseMs))) throw new Error('this attempt was fenced');
      // failpoint: transmitting-before-dot
    },
  });
}

async function loadAttachment(
  deps: WorkerDeps,
  delivery: ClaimedDelivery,
): Promise<Buffer | 'unreachable' | undefined> {
  if (delivery.result?.store !== 'object') return undefined;
  try {
    return await deps.objects.get(delivery.result.key, delivery.result.checksum);
  } catch (error) {
    deps.logger.warn({ err: error, deliveryId: delivery.id }, 'the document of a delivery could not be read');
    return 'unreachable';
  }
}

function toMessage(delivery: ClaimedDelivery, envelopeTo: readonly string[], content: Buffer): MailMessage {
  const { email, filename, format } = delivery;
  return {
    messageId: delivery.messageId,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    envelopeTo,
    subject: email.subject ?? defaultSubject(filename),
    body: email.body ?? defaultBody(filename),
    attachment: { filename, contentType: contentTypeOf(format), content },
  };
}
