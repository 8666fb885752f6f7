import type { components } from '@docmill/client';
import { Pause, Play } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { operatorTexts } from '../../texts/operator.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { formatDuration, formatNumber } from '../../ui/format.ts';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAdmin } from '../operator-session.ts';

type Queue = components['schemas']['AdminQueues']['queues'][number];

interface QueueTableProps {
  readonly queues: readonly Queue[];
  readonly onChange: () => Promise<void>;
}

/** Each queue with its backlog and rates, and a button that pauses or resumes it. */
export function QueueTable({ queues, onChange }: QueueTableProps) {
  const admin = useAdmin();
  const [asked, setAsked] = useState<Queue>();
  return (
    <section>
      <h2>{operatorTexts.queues}</h2>
      <TableScroll label={operatorTexts.queues}>
        <table class="table operator-table">
          <thead>
            <tr>
              <th scope="col">{operatorTexts.queue}</th>
              {columns.map(([name]) => (
                <th key={name} scope="col" class="number">
                  {name}
                </th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {queues.map((queue) => (
              <tr key={queue.queue}>
                <th scope="row">
                  {queue.queue} {queue.isPaused && <Badge tone="warn">{operatorTexts.paused}</Badge>}
                </th>
                {columns.map(([name, show]) => (
                  <td key={name} class="number" data-name={name}>
                    {show(queue)}
                  </td>
                ))}
                <td class="wide">
                  {queue.queue !== 'maintenance' && (
                    <Button
                      aria-label={(queue.isPaused ? operatorTexts.resumeQueue : operatorTexts.pauseQueue)(queue.queue)}
                      icon={queue.isPaused ? <Play /> : <Pause />}
                      onClick={() => setAsked(queue)}
                    >
                      {queue.isPaused ? operatorTexts.resume : operatorTexts.pause}
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
      {asked !== undefined && (
        <ConfirmDialog
          title={(asked.isPaused ? operatorTexts.resumeQueueTitle : operatorTexts.pauseQueueTitle)(asked.queue)}
          text={
            asked.isPaused
              ? operatorTexts.resumeQueueText(asked.queue, asked.waiting)
              : operatorTexts.pauseQueueText(asked.queue, asked.waiting, asked.inProgress)
          }
          action={asked.isPaused ? operatorTexts.resume : operatorTexts.pause}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            const { queue, isPaused } = asked;
            const target = { queue } as Parameters<typeof admin.operations.resume>[0];
            await (isPaused ? admin.operations.resume(target) : admin.operations.pause(target));
            showToast((isPaused ? operatorTexts.wasResumed : operatorTexts.wasPaused)(queue));
            await onChange();
          }}
        />
      )}
    </section>
  );
}

const columns: readonly (readonly [name: string, show: (queue: Queue) => string])[] = [
  [operatorTexts.waiting, ({ waiting }) => formatNumber(waiting)],
  [operatorTexts.oldest, ({ oldestSeconds }) => (oldestSeconds === 0 ? '–' : formatDuration(oldestSeconds * 1_000))],
  [operatorTexts.inProgress, ({ inProgress }) => formatNumber(inProgress)],
  [operatorTexts.inPerMinute, ({ inPerMinute }) => (inPerMinute === null ? '–' : formatNumber(inPerMinute))],
  [operatorTexts.outPerMinute, ({ outPerMinute }) => formatNumber(outPerMinute)],
  [operatorTexts.failedPerMinute, ({ failedPerMinute }) => formatNumber(failedPerMinute)],
  [operatorTexts.emptyIn, emptyIn],
  [operatorTexts.workers, ({ workers }) => formatNumber(workers)],
];

/** How long the backlog lasts at the rates of the last minutes. */
function emptyIn({ waiting, inPerMinute, outPerMinute }: Queue): string {
  if (waiting === 0) return operatorTexts.isEmpty;
  const perMinute = outPerMinute - (inPerMinute ?? 0);
  return perMinute <= 0 ? operatorTexts.never : formatDuration((waiting / perMinute) * 60_000);
}
