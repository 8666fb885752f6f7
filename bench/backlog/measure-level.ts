import { sql } from 'drizzle-orm';
import { queueNames } from '../../src/shared/config/worker-variables.ts';
import { fillQueue } from '../../src/shared/domain/batches/dispatch/fill-queue.ts';
import { claimDocuments } from '../../src/shared/domain/documents/claim-document.ts';
import { settleDocuments } from '../../src/shared/domain/documents/settle-documents.ts';
import { startRun } from '../../src/worker/job-run.ts';
import { processMaintenance } from '../../src/worker/processors/maintenance.ts';
import { startWorkers } from '../../src/worker/start-workers.ts';
import { finishedDocument } from '../../test/support/domain/accounts.ts';
import type { Cost, Measure } from './meter.ts';
import type { Waiting } from './waiting.ts';
import type { BenchWorker } from './worker.ts';

export type Costs = Readonly<Record<'document' | 'row' | 'sweep' | 'scrape', Cost>>;

export interface Repeats {
  readonly documents: number;
  readonly rows: number;
  readonly sweeps: number;
}

const warmUps = 5;
const rowsPerRound = 8;
const window = { rows: rowsPerRound, accountRows: rowsPerRound, bytes: 64e6, aheadUs: 1e12, ttlSeconds: 3_600 };

/** Measures the cost of operations while this number of documents and rows is waiting. */
export async function measureLevel(
  worker: BenchWorker,
  waiting: Waiting,
  measure: Measure,
  repeats: Repeats,
): Promise<Costs> {
  const { deps, connections } = worker;
  // Makes the documents look older, because new ones cost a sweep extra work once.
  await deps.db.execute(sql`update generations set accepted_at = accepted_at - interval '30 seconds'
    where status = 'queued' and batch_id is null`);
  const vacuum = (): Promise<unknown> => connections.database.pool.query('vacuum analyze');
  await vacuum();
  const sweep = async (): Promise<void> => processMaintenance(deps, startRun(deps), { task: 'sweep' });
  await repeat(warmUps, sweep);
  const sweepCost = await measure(repeats.sweeps, () => repeat(repeats.sweeps, sweep));
  const scrape = (): Promise<unknown> => Promise.all(queueNames.map((name) => deps.queues.stats(name)));
  const scrapeCost = await measure(repeats.sweeps, () => repeat(repeats.sweeps, scrape));
  await serveDocuments(worker, waiting, repeats.documents / 4);
  const documentCost = await measure(repeats.documents, () => serveDocuments(worker, waiting, repeats.documents));
  const round = async (): Promise<void> => {
    await waiting.addRows(rowsPerRound);
    await dispatchRound(worker);
  };
  await repeat(warmUps, round);
  const rounds = Math.ceil(repeats.rows / rowsPerRound);
  const rowCost = await measure(rounds * rowsPerRound, () => repeat(rounds, round));
  return { document: documentCost, row: rowCost, sweep: sweepCost, scrape: scrapeCost };
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index++) await work();
}

/** Lets a worker produce documents, and adds a new document for each that ends, so that the backlog stays the same. */
async function serveDocuments({ deps, connections }: BenchWorker, waiting: Waiting, count: number): Promise<void> {
  const added: Promise<void>[] = [];
  let finish: () => void = () => undefined;
  const isDone = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const succeed: typeof deps.succeed = async (settlement) => {
    const isSettled = await deps.succeed(settlement);
    added.push(waiting.addDocument());
    if (added.length === count) finish();
    return isSettled;
  };
  const config = { ...deps.config, DOCX_CONCURRENCY: 2 };
  const workers = startWorkers({ ...deps, config, succeed }, connections.listener, ['docx']);
  await isDone;
  await workers.close();
  await Promise.all(added);
}

/** Runs the dispatcher once for a nearly full queue, and completes the dispatched rows. */
async function dispatchRound({ deps: { db, queues } }: BenchWorker): Promise<void> {
  const filling = await fillQueue(db, 'docx', window);
  const ids = filling?.rows.map(({ documentId }) => documentId) ?? [];
  const jobs = ids.map((documentId) => ({ jobId: documentId, payload: { documentId, replyTo: null } }));
  await queues.addMany('docx-batch', jobs);
  const claims = await claimDocuments(db, ids);
  await settleDocuments(
    db,
    claims.map((claim) => ({
      attempt: { ...claim, emitsEvents: false, isMailed: false },
      document: finishedDocument(claim),
    })),
  );
}
