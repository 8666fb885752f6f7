import type { components } from '@docmill/client';
import { timelineTexts } from '../texts/documents.ts';
import { listTexts } from '../texts/lists.ts';
import type { Tone } from '../ui/tone.ts';

type Schemas = components['schemas'];
type Job = Schemas['Job'];
type Entry = Schemas['TimelineEntry'];

/** A step in the life of a document. Times are in milliseconds since the epoch. */
export interface Step {
  readonly key: string;
  readonly name: string;
  /** What happens in the step, or its result. */
  readonly about: string;
  readonly startMs: number;
  /** Undefined while the step runs. */
  readonly endMs: number | undefined;
  readonly tone: Tone;
  readonly href?: string;
}

export interface Timeline {
  /** The outcome, shown as the title of the timeline. */
  readonly status: Job['status'];
  /** From the request to the file. */
  readonly making: readonly Step[];
  /** E-mail and webhooks. */
  readonly after: readonly Step[];
}

/**
 * The recorded steps of a job, its e-mail, and the webhooks in `entries`, the service's timeline. Steps shorter than
 * the resolution of the clock are included.
 */
export function timelineOf(job: Job, delivery?: Schemas['Delivery'], entries: readonly Entry[] = []): Timeline {
  const email = delivery === undefined ? [] : [emailStep(delivery, job)];
  const webhooks = entries.filter(({ step }) => step === 'webhook').map(webhookStep);
  return { status: job.status, making: makingOf(job), after: [...email, ...webhooks] };
}

function makingOf({ status, createdAt, startedAt, finishedAt, timings }: Job): Step[] {
  const acceptedMs = Date.parse(createdAt);
  if (timings !== undefined) {
    const renderMs = acceptedMs + timings.queueMs;
    const convertMs = renderMs + timings.renderMs;
    const storeMs = convertMs + timings.convertMs;
    const doneMs = Math.max(storeMs, acceptedMs + timings.totalMs);
    return [
      stageOf('queue', { startMs: acceptedMs, endMs: renderMs, tone: 'neutral' }),
      stageOf('render', { startMs: renderMs, endMs: convertMs, tone: 'info' }),
      ...(timings.convertMs > 0 ? [stageOf('convert', { startMs: convertMs, endMs: storeMs, tone: 'info' })] : []),
      stageOf('store', { startMs: storeMs, endMs: doneMs, tone: 'good' }),
    ];
  }
  const endMs = finishedAt === undefined ? undefined : Date.parse(finishedAt);
  const startMs = startedAt === undefined ? undefined : Date.parse(startedAt);
  const queue = stageOf('queue', { startMs: acceptedMs, endMs: startMs ?? endMs, tone: 'neutral' });
  if (startMs === undefined) return [queue];
  return [queue, stageOf('work', { startMs, endMs, tone: status === 'failed' ? 'bad' : 'info' })];
}

const stageOf = (stage: keyof typeof timelineTexts.stages, span: Pick<Step, 'startMs' | 'endMs' | 'tone'>): Step => ({
  key: stage,
  ...timelineTexts.stages[stage],
  ...span,
});

function emailStep(delivery: Schemas['Delivery'], job: Job): Step {
  const startMs = Date.parse(job.finishedAt ?? delivery.createdAt);
  return {
    key: delivery.id,
    name: timelineTexts.email,
    about: listTexts.attempts(delivery.attempts),
    startMs,
    endMs: delivery.finishedAt === undefined ? undefined : Math.max(startMs, Date.parse(delivery.finishedAt)),
    tone: emailTone(delivery.status),
    href: `/deliveries/${delivery.id}`,
  };
}

function webhookStep(entry: Entry, index: number): Step {
  const { status, startedAt, finishedAt, attempts, eventType, message, deliveryId, webhookId } = entry;
  const startMs = Date.parse(startedAt);
  const about = [eventType, attempts === undefined ? undefined : listTexts.attempts(attempts), message];
  return {
    key: deliveryId ?? `webhook ${index}`,
    name: timelineTexts.webhook,
    about: about.filter((part) => part !== undefined).join(' · '),
    startMs,
    endMs: finishedAt === undefined ? undefined : Math.max(startMs, Date.parse(finishedAt)),
    tone: webhookTones[status],
    ...(webhookId !== undefined && { href: `/webhooks/${webhookId}` }),
  };
}

const webhookTones: Readonly<Record<Entry['status'], Tone>> = {
  waiting: 'info',
  running: 'info',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

function emailTone(status: Schemas['DeliveryStatus']): Tone {
  if (status === 'sent') return 'good';
  if (status === 'failed') return 'bad';
  if (status === 'skipped') return 'neutral';
  return status === 'partial' || status === 'unknown' ? 'warn' : 'info';
}
