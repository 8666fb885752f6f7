import { setTimeout as delay } from 'node:timers/promises';
import { type ClaimedWebhook, claimWebhookDelivery } from '../../shared/domain/webhooks/claim-webhook-delivery.ts';
import { testEventType } from '../../shared/domain/webhooks/event-outbox.ts';
import { createSecretBox } from '../../shared/domain/webhooks/secret-box.ts';
import { settleWebhookDelivery, type WebhookOutcome } from '../../shared/domain/webhooks/settle-webhook-delivery.ts';
import { eventBody } from '../../shared/domain/webhooks/webhook-deliveries.ts';
import { newId } from '../../shared/ids.ts';
import type { JobPayload } from '../../shared/queue/contracts.ts';
import { traceFields, traceHeaders } from '../../shared/request-trace.ts';
import type { Span } from '../../shared/tracing/tracing.ts';
import { required, type WorkerDeps } from '../deps.ts';
import type { JobOutcome } from '../job-facts.ts';
import { type JobRun, noteJob } from '../job-run.ts';
import { relate } from '../job-span.ts';
import { retryOnOutage } from '../retry-on-outage.ts';
import { signedHeaders } from '../webhooks/sign.ts';
import { disabledOutcome, toWebhookOutcome } from '../webhooks/webhook-outcome.ts';
import type { WebhookReply } from '../webhooks/webhook-sender.ts';

/** Longer than an attempt, including the retries of the final write. */
const leaseMs = 90_000;
const limits = { leaseMs, perTarget: 4, perAccount: 8 };
const maxRunMs = 5_000;
const maxClaims = 6;
const claimPauseMs = 10;
const busyPauseMs = 200;

/**
 * Sends the due deliveries of one account one by one for up to 5 seconds, then requeues the account so that others are
 * served. If more deliveries are due, queues another job, so that they do not wait for a slow endpoint. A job beyond the
 * account's limits finds nothing to claim and ends; one that finds the account's claims busy is replaced by a later job.
 */
export async function processWebhook(
  deps: WorkerDeps,
  job: JobRun,
  { accountId }: JobPayload<'webhook'>,
): Promise<void> {
  const untilMs = performance.now() + maxRunMs;
  let sent = 0;
  noteJob(job, { accountId, sent });
  do {
    const delivery = await claim(deps, accountId);
    if (delivery === 'busy') return queueJob(deps, job, accountId, newId('req'), busyPauseMs);
    if (delivery === undefined) return;
    // failpoint: webhook-claimed
    if (delivery.hasMore) await queueJob(deps, job, accountId, `${delivery.id}.${delivery.attempts}.beside`);
    const outcome = await attempt(deps, job, delivery);
    // failpoint: webhook-sent-before-settle
    await retryOnOutage(job, () => settleWebhookDelivery(deps.db, delivery, outcome));
    deps.metrics.delivery('webhook', outcome.status);
    noteJob(job, { sent: ++sent });
    // failpoint: webhook-settled-before-retry
    if (outcome.status === 'pending') {
      await queueJob(deps, job, accountId, `${delivery.id}.${delivery.attempts}`, outcome.retryInMs);
    }
  } while (performance.now() < untilMs);
  await queueJob(deps, job, accountId, newId('req'));
}

/**
 * Retries while another worker is claiming for the account, which takes milliseconds. Holds no connection meanwhile.
 */
async function claim({ db }: WorkerDeps, accountId: string): Promise<ClaimedWebhook | 'busy' | undefined> {
  for (let claims = 1; ; claims++) {
    const claimed = await claimWebhookDelivery(db, accountId, limits);
    if (claimed !== 'busy' || claims === maxClaims) return claimed;
    await delay(claimPauseMs * claims * (0.5 + Math.random()));
  }
}

async function attempt(deps: WorkerDeps, job: JobRun, delivery: ClaimedWebhook): Promise<WebhookOutcome> {
  if (!delivery.isEnabled) return disabledOutcome;
  const span = startSpan(deps, job, delivery);
  const trace =
    span === undefined || delivery.trace === undefined ? delivery.trace : { ...delivery.trace, ...span.reference };
  const { event, url, attempts, endpointId } = delivery;
  const startedAt = performance.now();
  const body = eventBody(event);
  const content = { id: event.id, timestampSeconds: Math.floor(Date.now() / 1_000), body };
  const secrets = openSecrets(deps, job, delivery);
  const reply: WebhookReply =
    secrets === undefined
      ? { kind: 'none', reason: 'not sent: its signing secret cannot be decrypted' }
      : await required(deps.webhooks, 'webhook').send(url, body, {
          'Content-Type': 'application/json',
          'User-Agent': 'Docmill-Webhooks/1',
          ...traceHeaders(trace),
          ...signedHeaders(content, secrets),
        });
  const durationMs = Math.round(performance.now() - startedAt);
  const outcome = toWebhookOutcome(reply, { attempts, isTest: event.type === testEventType, durationMs });
  const { status, error } = outcome;
  job.logger.info(
    {
      ...traceFields(trace),
      accountId: delivery.accountId,
      ...eventFacts(event),
      deliveryId: delivery.id,
      endpointId,
      attempt: attempts,
      outcome: outcomeOf(status),
      status,
      error,
      durationMs,
      bytes: Buffer.byteLength(body),
    },
    'webhook attempt',
  );
  span?.end({
    hasFailed: status !== 'delivered',
    attributes: {
      'http.request.method': 'POST',
      'docmill.event_type': event.type,
      'docmill.delivery_id': delivery.id,
      'docmill.attempt': attempts,
      'docmill.request_id': delivery.trace?.requestId,
      'http.response.status_code': reply.kind === 'answer' ? reply.status : undefined,
    },
  });
  return outcome;
}

/**
 * The span is a child of the request for the document, and linked to the job, which serves all events of the account.
 */
function startSpan({ tracing }: WorkerDeps, job: JobRun, { trace, event }: ClaimedWebhook): Span | undefined {
  if (tracing === undefined || trace === undefined) return undefined;
  const { parent, links } = relate(trace);
  const ofJob = job.span?.active.reference;
  return tracing.startSpan(`webhook ${event.type}`, {
    kind: 'client',
    parent,
    links: ofJob === undefined ? links : [...links, ofJob],
  });
}

const outcomeOf = (status: WebhookOutcome['status']): JobOutcome =>
  status === 'delivered' ? 'succeeded' : status === 'pending' ? 'retried' : 'failed';

function eventFacts({ id, type, data }: ClaimedWebhook['event']): Readonly<Record<string, unknown>> {
  const facts = { eventId: id, eventType: type };
  if (type.startsWith('document.')) return { ...facts, documentId: data.id };
  if (type.startsWith('batch.')) return { ...facts, batchId: data.id };
  return type.startsWith('email.') ? { ...facts, documentId: data.documentId } : facts;
}

/**
 * Undefined if the secrets were sealed with another key: the delivery is retried until the operator restores that key.
 */
function openSecrets(
  deps: WorkerDeps,
  job: JobRun,
  { id, endpointId, secrets }: ClaimedWebhook,
): readonly string[] | undefined {
  try {
    const box = createSecretBox(deps.config.WEBHOOK_SECRET_KEY);
    return secrets.map((secret) => box.open(secret, endpointId));
  } catch (error) {
    deps.metrics.unreadableSecret();
    job.logger.error({ err: error, deliveryId: id }, 'a signing secret cannot be decrypted: check WEBHOOK_SECRET_KEY');
    return undefined;
  }
}

async function queueJob(deps: WorkerDeps, job: JobRun, accountId: string, jobId: string, delay = 0): Promise<void> {
  await deps.queues
    .add('webhook', jobId, { accountId }, { delay })
    .catch((error: unknown) =>
      job.logger.warn({ err: error, accountId }, 'webhooks were not queued; the sweep will queue them'),
    );
}
