import { CircleAlert, CircleCheck } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { operatorTexts } from '../../texts/operator.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { useLoad } from '../../ui/use-load.ts';
import { usePolling } from '../../ui/use-polling.ts';
import { useAdmin } from '../operator-session.ts';
import { BacklogTable } from './backlog-table.tsx';
import { BusiestTable } from './busiest-table.tsx';
import { findTrouble, type Situation } from './find-trouble.ts';
import { QueueTable } from './queue-table.tsx';
import { WorkerTable } from './worker-table.tsx';

const everyMs = 5_000;

/** The state of the service at this moment, and what needs attention first. */
export function NowPage() {
  const admin = useAdmin();
  const read = async (signal: AbortSignal): Promise<Situation> => {
    const { operations } = admin;
    const [queues, { workers }, { paused }, quarantine] = await Promise.all([
      operations.queues({}, { signal }),
      operations.workers({ signal }),
      operations.pauses({ signal }),
      operations.quarantine({}, { signal }),
    ]);
    return { queues, workers, paused, quarantine };
  };
  const first = useLoad(read, 'now');
  const [latest, setLatest] = useState<Situation>();
  const isOutdated = usePolling(async (signal) => setLatest(await read(signal)), {
    everyMs,
    isOn: first.value !== undefined,
  });
  const refresh = async (): Promise<void> => setLatest(await read(AbortSignal.timeout(30_000)));
  const now = latest ?? first.value;
  return (
    <>
      <PageHeader title={operatorTexts.now} about={operatorTexts.nowAbout} />
      {now === undefined && first.error === undefined && <Skeleton lines={8} />}
      {now === undefined && first.error !== undefined && <ErrorNote error={first.error} onRetry={first.reload} />}
      {now !== undefined && (
        <div class="sections">
          {isOutdated && (
            <p class="note warn" role="status">
              <CircleAlert aria-hidden="true" />
              {operatorTexts.outdated}
            </p>
          )}
          <Troubles situation={now} />
          <QueueTable queues={now.queues.queues} onChange={refresh} />
          <WorkerTable workers={now.workers} onChange={refresh} />
          <BacklogTable accounts={now.queues.accounts} />
          <BusiestTable />
        </div>
      )}
    </>
  );
}

function Troubles({ situation }: { readonly situation: Situation }) {
  const found = findTrouble(situation);
  return (
    <section aria-label={operatorTexts.trouble}>
      {found.length === 0 ? (
        <p class="note good">
          <CircleCheck aria-hidden="true" />
          {operatorTexts.noTrouble}
        </p>
      ) : (
        <ul class="trouble">
          {found.map(({ tone, text }) => (
            <li key={text} class={`note ${tone}`}>
              <CircleAlert aria-hidden="true" />
              {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
