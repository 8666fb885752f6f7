import type { components } from '@docmill/client';
import { useState } from 'preact/hooks';
import { operatorTexts } from '../../texts/operator.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { Time } from '../../ui/time.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAdmin } from '../operator-session.ts';

type Worker = components['schemas']['AdminWorkers']['workers'][number];

interface WorkerTableProps {
  readonly workers: readonly Worker[];
  readonly onChange: () => Promise<void>;
}

/** The worker processes, with their jobs, and a button that drains one. */
export function WorkerTable({ workers, onChange }: WorkerTableProps) {
  const admin = useAdmin();
  const [asked, setAsked] = useState<Worker>();
  if (workers.length === 0) return null;
  return (
    <section>
      <h2>{operatorTexts.workers}</h2>
      <TableScroll label={operatorTexts.workers}>
        <table class="table operator-table">
          <thead>
            <tr>
              <th scope="col">{operatorTexts.worker}</th>
              <th scope="col">{operatorTexts.jobs}</th>
              <th scope="col">{operatorTexts.serves}</th>
              <th scope="col">{operatorTexts.release}</th>
              <th scope="col">{operatorTexts.started}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {workers.map((worker) => (
              <tr key={worker.workerId}>
                <th scope="row">
                  {worker.host}, {worker.pid} <WorkerState worker={worker} />
                </th>
                <td data-name={operatorTexts.jobs}>{describeJobs(worker)}</td>
                <td class="wide" data-name={operatorTexts.serves}>
                  {worker.queues.join(', ')}
                </td>
                <td data-name={operatorTexts.release}>{worker.release}</td>
                <td data-name={operatorTexts.started}>
                  <Time value={worker.startedAt} />
                </td>
                <td class="wide">
                  {worker.isLive && !worker.isDraining && (
                    <Button
                      aria-label={operatorTexts.drainWorker(worker.host, worker.pid)}
                      onClick={() => setAsked(worker)}
                    >
                      {operatorTexts.drain}
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
          title={operatorTexts.drainTitle}
          text={operatorTexts.drainText(asked.host, asked.pid, jobsOf(asked), othersOf(asked, workers))}
          action={operatorTexts.drain}
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await admin.operations.drain({ worker: asked.workerId });
            showToast(operatorTexts.wasDrained);
            await onChange();
          }}
        />
      )}
    </section>
  );
}

function WorkerState({ worker: { isLive, isDraining } }: { readonly worker: Worker }) {
  if (!isLive) return <Badge tone="bad">{operatorTexts.silentState}</Badge>;
  if (isDraining) return <Badge tone="warn">{operatorTexts.draining}</Badge>;
  return <Badge tone="good">{operatorTexts.live}</Badge>;
}

const jobsOf = ({ jobs }: Worker): number => Object.values(jobs).reduce((sum, count) => sum + count, 0);

const othersOf = (worker: Worker, workers: readonly Worker[]): number =>
  workers.filter(({ workerId, isLive, isDraining }) => workerId !== worker.workerId && isLive && !isDraining).length;

function describeJobs({ jobs }: Worker): string {
  const busy = Object.entries(jobs).filter(([, count]) => count > 0);
  return busy.length === 0 ? operatorTexts.noJobs : busy.map(([queue, count]) => `${queue} ${count}`).join(', ');
}
