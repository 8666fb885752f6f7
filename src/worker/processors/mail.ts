import type { WorkerConfig } from '../../shared/config/load-config.ts';
import type { RecipientResult } from '../../shared/db/schema/deliveries.ts';
import {
  type ClaimedDelivery,
  claimDelivery,
  type DeliveryOutcome,
  markTransmitting,
  renewLease,
  settleDelivery,
} from '../../shared/domain/deliveries/delivery-attempt.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import { contentTypeOf } from '../../shared/storage/media-types.ts';
import { required, type WorkerDeps } from '../deps.ts';
import { type EmailFile, readEmailFiles } from '../documents/email-files.ts';
import type { JobFacts } from '../job-facts.ts';
import { type JobRun, noteIds, noteJob } from '../job-run.ts';
import { defaultText } from '../mail/default-text.ts';
import type { MailMessage, SendOutcome } from '../mail/mailer.ts';
import { retryOnOutage } from '../retry-on-outage.ts';
import { mailPausesMs, pauseBeforeRetry } from '../retry-policy.ts';

const leaseMs = 60_000;

/** Sends the e-mail of a document to the recipients who have not received it, and records the outcome for each. */
export async function processMail(deps: WorkerDeps, job: JobRun, { deliveryId }: JobPayload<'mail'>): Promise<void> {
  const delivery = await claimDelivery(deps.db, deliveryId, leaseMs);
  if (delivery === undefined) return noteJob(job, { deliveryId, outcome: 'skipped' });
  const { documentId, accountId, trace } = delivery;
  noteIds(job, trace, { deliveryId, documentId, accountId });
  // failpoint: mail-claimed
  const lease = keepLease(deps, job, delivery);
  const outcome = await attempt(deps, job, delivery).finally(() => lease.end());
  noteJob(job, toFacts(delivery, outcome));
  const jobId = `${delivery.id}.${delivery.attempts}`;
  if (outcome.status === 'sent') return;
  const queued =
    outcome.status === 'pending'
      ? deps.queues.add('mail', jobId, { deliveryId: delivery.id }, { delay: outcome.retryInMs })
      : deps.queues.add('webhook', jobId, { accountId: delivery.accountId });
  await queued.catch((error: unknown) =>
    job.logger.warn({ err: error }, 'the delivery was not queued; the sweep will queue it'),
  );
}

/** A message that any recipient refused counts as failed. */
function toFacts({ attempts }: ClaimedDelivery, { status, recipients }: DeliveryOutcome): JobFacts {
  const sent = recipients.filter((recipient) => recipient.status === 'sent').length;
  if (status === 'sent') return { attempt: attempts, sent, outcome: 'succeeded' };
  if (status === 'pending') return { attempt: attempts, sent, outcome: 'retried', errorCode: 'mail_deferred' };
  return { attempt: attempts, sent, outcome: 'failed', errorCode: `mail_${status}` };
}

async function attempt(deps: WorkerDeps, job: JobRun, delivery: ClaimedDelivery): Promise<DeliveryOutcome> {
  const sent = await send(deps, job, delivery);
  // failpoint: after-reply-before-settle
  const outcome = toDeliveryOutcome(delivery, sent, deps.config);
  await retryOnOutage(job, () => settleDelivery(deps.db, delivery, outcome));
  deps.metrics.delivery('mail', outcome.status);
  return outcome;
}

async function send(deps: WorkerDeps, job: JobRun, delivery: ClaimedDelivery): Promise<SendOutcome> {
  const open = delivery.recipients.filter(({ status }) => status === 'pending' || status === 'deferred');
  const loaded = await loadAttachments(deps, job, delivery);
  if (loaded === 'unreachable') {
    const reply = 'the document could not be read from the file store';
    const recipients = open.map(({ address }) => ({ address, status: 'deferred' as const, reply }));
    return { status: 'deferred', reason: 'unreachable', reply, recipients };
  }
  if (typeof loaded === 'string') {
    const recipients = open.map(({ address }) => ({ address, status: 'failed' as const, reply: loaded }));
    return { status: 'failed', reason: 'invalid', reply: loaded, recipients };
  }
  const message = toMessage(
    deps,
    delivery,
    open.map(({ address }) => address),
    loaded,
  );
  return required(deps.mailer, 'mail').send(message, {
    async beforeFinalDot() {
      // failpoint: before-final-dot
      if (!(await markTransmitting(deps.db, delivery, leaseMs))) throw new Error('this attempt was fenced off');
      // failpoint: transmitting-before-dot
    },
  });
}

interface Attachments {
  readonly document: Buffer;
  readonly others: readonly EmailFile[];
}

/** The document and the other files of the e-mail, or why they cannot be sent. */
async function loadAttachments(
  deps: WorkerDeps,
  job: JobRun,
  { email, result }: ClaimedDelivery,
): Promise<Attachments | 'unreachable' | 'the document is no longer kept' | 'its attachments are no longer kept'> {
  if (result?.store !== 'object') return 'the document is no longer kept';
  try {
    const document = await deps.objects.get(result.key, result.checksum);
    if (document === undefined) return 'the document is no longer kept';
    const others = await readEmailFiles(deps.objects, email, result);
    return others === undefined ? 'its attachments are no longer kept' : { document, others };
  } catch (error) {
    job.logger.warn({ err: error }, 'the document of a delivery could not be read');
    return 'unreachable';
  }
}

function toMessage(
  { config }: WorkerDeps,
  delivery: ClaimedDelivery,
  envelopeTo: readonly string[],
  { document, others }: Attachments,
): MailMessage {
  const { email, filename, format, locale } = delivery;
  const text = defaultText(filename, locale, { name: config.BRAND_NAME, helpUrl: config.BRAND_HELP_URL });
  return {
    messageId: delivery.messageId,
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    envelopeTo,
    subject: email.subject ?? text.subject,
    body: email.body ?? text.body,
    attachment: { filename, contentType: contentTypeOf(format), content: document },
    others,
  };
}

/** Renews the lease of a claimed delivery until `end` is called. */
function keepLease(
  deps: WorkerDeps,
  job: JobRun,
  attempt: { readonly id: string; readonly attemptToken: string },
): { end(): void } {
  const timer = setInterval(() => {
    renewLease(deps.db, attempt, leaseMs).catch((error: unknown) =>
      job.logger.warn({ err: error }, 'the lease of a delivery could not be renewed'),
    );
  }, leaseMs / 3);
  return { end: () => clearInterval(timer) };
}

const authPauseMs = 5 * 60_000;

/** State of a delivery after an attempt. Deferred recipients are retried while attempts remain, possible receivers never. */
export function toDeliveryOutcome(
  delivery: ClaimedDelivery,
  sent: SendOutcome,
  config: Pick<WorkerConfig, 'MAIL_ATTEMPTS' | 'MAIL_BACKOFF_MS'>,
): DeliveryOutcome {
  const reported = new Map(sent.recipients.map((recipient) => [recipient.address.toLowerCase(), recipient]));
  const recipients = delivery.recipients.map((recipient): RecipientResult => {
    const report = reported.get(recipient.address.toLowerCase());
    return report === undefined ? recipient : { ...report, ...(recipient.field && { field: recipient.field }) };
  });
  const isAuthFailure = sent.status === 'failed' && sent.reason === 'auth';
  const isDeferred = isAuthFailure || recipients.some(({ status }) => status === 'deferred' || status === 'pending');
  const retryInMs = pauseBeforeRetry(mailPausesMs(config), delivery.attempts, isAuthFailure ? authPauseMs : 0);
  if (isDeferred && retryInMs !== undefined && sent.status !== 'unknown') {
    const isReopened = ({ address }: RecipientResult): boolean => isAuthFailure && reported.has(address.toLowerCase());
    const open = recipients.map(
      (recipient): RecipientResult => (isReopened(recipient) ? { ...recipient, status: 'deferred' } : recipient),
    );
    return { status: 'pending', recipients: open, reply: sent.reply, retryInMs };
  }
  const ended = recipients.map(
    (recipient): RecipientResult =>
      recipient.status === 'deferred' || recipient.status === 'pending'
        ? { ...recipient, status: 'failed' }
        : recipient,
  );
  return { status: summary(ended), recipients: ended, reply: sent.reply, retryInMs: 0 };
}

function summary(recipients: readonly RecipientResult[]): 'sent' | 'partial' | 'failed' | 'unknown' {
  if (recipients.some(({ status }) => status === 'unknown')) return 'unknown';
  const sentCount = recipients.filter(({ status }) => status === 'sent').length;
  if (sentCount === recipients.length) return 'sent';
  return sentCount === 0 ? 'failed' : 'partial';
}
