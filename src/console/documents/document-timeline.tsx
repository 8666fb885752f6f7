import { Link } from 'wouter-preact';
import { missingScope } from '../shell/navigation.ts';
import { timelineTexts } from '../texts/documents.ts';
import { placeSpan, timeTicks } from '../ui/chart-scale.ts';
import { formatDuration, formatTime } from '../ui/format.ts';
import type { Step, Timeline } from './timeline.ts';

interface DocumentTimelineProps {
  readonly timeline: Timeline;
  /** The end of the bar of a running step. */
  readonly nowMs: number;
}

/**
 * The life of a document as bars on a time axis. E-mail and webhooks can take hours, so they have an axis of their own.
 */
export function DocumentTimeline({ timeline: { status, making, after }, nowMs }: DocumentTimelineProps) {
  const span = spanOf(making, nowMs);
  const title = titles[status](formatDuration(span.endMs - span.startMs));
  return (
    <div class="timeline">
      <TimeAxis title={title} steps={making} nowMs={nowMs} />
      {after.length > 0 && <TimeAxis title={timelineTexts.after} steps={after} nowMs={nowMs} />}
      <details>
        <summary>{timelineTexts.table}</summary>
        <TimelineTable steps={[...making, ...after]} nowMs={nowMs} />
      </details>
    </div>
  );
}

const titles: Readonly<Record<Timeline['status'], (duration: string) => string>> = {
  queued: () => timelineTexts.making,
  running: () => timelineTexts.making,
  succeeded: timelineTexts.made,
  failed: timelineTexts.failedAfter,
  cancelled: timelineTexts.cancelledAfter,
};

interface AxisProps {
  readonly title: string;
  readonly steps: readonly Step[];
  readonly nowMs: number;
}

function TimeAxis({ title, steps, nowMs }: AxisProps) {
  const span = spanOf(steps, nowMs);
  const lengthMs = Math.max(1, span.endMs - span.startMs);
  const ticks = timeTicks(lengthMs);
  const axis = { startMs: span.startMs, endMs: span.startMs + (ticks.at(-1) ?? lengthMs) };
  const lastIndex = ticks.length - 1;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ol class="steps">
        {steps.map((step) => {
          const endMs = step.endMs ?? nowMs;
          const { left, width } = placeSpan({ startMs: step.startMs, endMs }, axis);
          return (
            <li key={step.key}>
              <div class="step-name">
                {step.href === undefined || missingScope(step.href) !== undefined ? (
                  <b>{step.name}</b>
                ) : (
                  <Link href={step.href}>{step.name}</Link>
                )}
                <span class="muted small">{step.about}</span>
              </div>
              <div class="step-line" aria-hidden="true">
                <span
                  class={`step-bar ${step.tone}`}
                  data-running={step.endMs === undefined}
                  style={{ left: `${left}%`, width: `${width}%` }}
                />
              </div>
              <span class="step-time number">{takes(step, nowMs)}</span>
            </li>
          );
        })}
      </ol>
      <div class="step-ticks" aria-hidden="true">
        <div>
          {ticks.map((tick, index) => (
            <span key={tick} style={{ left: `${(index / lastIndex) * 100}%` }}>
              {tick === 0 ? '0' : formatDuration(tick).replace(/ 0 (s|min)$/, '')}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

function TimelineTable({ steps, nowMs }: { readonly steps: readonly Step[]; readonly nowMs: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
    <section class="table-scroll" tabIndex={0} aria-label={timelineTexts.table}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{timelineTexts.step}</th>
            <th scope="col">{timelineTexts.start}</th>
            <th scope="col">{timelineTexts.duration}</th>
            <th scope="col">{timelineTexts.result}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.key}>
              <th scope="row">{step.name}</th>
              <td class="number">{formatTime(new Date(step.startMs).toISOString())}</td>
              <td class="number">{takes(step, nowMs)}</td>
              <td>{step.about}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const takes = ({ startMs, endMs }: Step, nowMs: number): string =>
  endMs === undefined
    ? `${formatDuration(Math.max(0, nowMs - startMs))}, ${timelineTexts.running}`
    : formatDuration(Math.max(0, endMs - startMs));

function spanOf(steps: readonly Step[], nowMs: number) {
  const startMs = Math.min(...steps.map((step) => step.startMs));
  return { startMs, endMs: Math.max(startMs, ...steps.map((step) => step.endMs ?? nowMs)) };
}
