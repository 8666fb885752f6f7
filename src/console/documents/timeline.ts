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

/** The recorded steps of a job, and the e-mails and webhooks in `entries`, the service's timeline. */
export function timelineOf(job: Job, entries: readonly Entry[] = []): Timeline {
  const after = entries.filter(({ step }) => step === 'email' || step === 'webhook');
  return { status: job.status, making: makingOf(job), after: after.map(stepAfter) };
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

function stepAfter(entry: Entry, index: number): Step {
  const { step, status, startedAt, finishedAt, attempts, eventType, message, deliveryId, webhookId } = entry;
  const startMs = Date.parse(startedAt);
  const isEmail = step === 'email';
  const about = [eventType, attempts === undefined ? undefined : listTexts.attempts(attempts), isEmail ? '' : message];
  return {
    key: deliveryId ?? `${step} ${index}`,
    name: isEmail ? timelineTexts.email : timelineTexts.webhook,
    about: about.filter((part) => part !== undefined && part !== '').join(' · '),
    startMs,
    endMs: finishedAt === undefined ? undefined : Math.max(startMs, Date.parse(finishedAt)),
    tone: tones[status],
    ...(isEmail && { href: `/deliveries/${deliveryId}` }),
    ...(webhookId !== undefined && { href: `/webhooks/${webhookId}` }),
  };
}

const tones: Readonly<Record<Entry['status'], Tone>> = {
  waiting: 'info',
  running: 'info',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};
