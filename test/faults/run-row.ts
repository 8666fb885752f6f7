import { rmSync } from 'node:fs';
import { checkAnswers } from './checks/answers.ts';
import { checkCharges, checkLedger } from './checks/ledger.ts';
import { checkLeftovers } from './checks/leftovers.ts';
import { checkLogs } from './checks/logs.ts';
import { checkMail } from './checks/mail.ts';
import { letter } from './client/templates.ts';
import type { Backing } from './harness/backing.ts';
import { Harness } from './harness/harness.ts';
import { seedOf } from './harness/random.ts';
import { expectEqual, until } from './harness/until.ts';
import type { Row } from './row.ts';

export interface RowResult {
  readonly row: Row;
  readonly faults: readonly string[];
  readonly seconds: number;
  /** Kept only when the row failed. */
  readonly folder: string;
}

/** Runs a row, removes its faults, waits until everything has finished and checks every invariant. */
export async function runRow(shared: Backing, row: Row, seed: number): Promise<RowResult> {
  const startedAt = performance.now();
  let backing = shared;
  try {
    backing = (await row.startBacking?.(shared)) ?? shared;
    return await runOn(backing, row, seed, startedAt);
  } catch (error) {
    // Its servers did not start. Everything else is caught step by step.
    const fault = `servers: ${error instanceof Error ? error.message : String(error)}`;
    return { row, faults: [fault], seconds: (performance.now() - startedAt) / 1_000, folder: shared.folder };
  } finally {
    if (backing !== shared) await backing.close();
  }
}

async function runOn(backing: Backing, row: Row, seed: number, startedAt: number): Promise<RowResult> {
  const h = new Harness(backing, row.id, seedOf(row.id, seed));
  const faults: string[] = [];
  const step = async (name: string, work: () => Promise<readonly string[]> | readonly string[]): Promise<void> => {
    try {
      faults.push(...(await work()));
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await step('row', () => quietly(row.run(h)));
  await step('healing', () => quietly(heal(h)));
  await step('V1', () => quietly(workAgain(h)));
  await step('quiescence', () => quietly(h.settled()));
  await step('ledger', () => checkLedger(h));
  await step('charges', () => checkCharges(h));
  await step('mail', () => checkMail(h));
  await step('stopping', () => stopAll(h));
  await step('leftovers', () => checkLeftovers(h));
  await step('answers', () => checkAnswers(h));
  await step('logs', () => checkLogs(h));
  if (faults.length === 0) rmSync(h.folder, { recursive: true, force: true });
  return { row, faults, seconds: (performance.now() - startedAt) / 1_000, folder: h.folder };
}

async function quietly(work: Promise<void>): Promise<readonly string[]> {
  await work;
  return [];
}

async function heal(h: Harness): Promise<void> {
  h.failpoints.clear();
  for (const { exit, pid } of h.processes) if (exit === undefined) process.kill(pid, 'SIGCONT');
  await h.backing.heal();
}

/** V1: without the fault, a new request succeeds without intervention. */
async function workAgain(h: Harness): Promise<void> {
  if (h.processes.length === 0) return;
  if (!h.processes.some(({ spec, exit }) => spec.kind === 'api' && exit === undefined)) await h.startApi();
  if (h.workers.length === 0) await h.startWorker();
  await until(
    'a new request succeeds',
    async () => {
      const { client, templateId } = await h.owner(letter);
      expectEqual((await client.generate({ templateId })).status, 200, 'the new document');
      return true;
    },
    120_000,
    500,
  );
}

/** Stops every process of the row and returns those that did not exit cleanly. */
export async function stopAll(h: Harness): Promise<string[]> {
  const faults: string[] = [];
  await Promise.all(
    h.processes.map(async (process) => {
      if (process.exit !== undefined) return;
      const exit = await process.stop();
      if (exit === undefined) faults.push(`${process.spec.name} did not exit at SIGTERM`);
      else if (exit.code !== 0) faults.push(`${process.spec.name} exited with ${exit.code ?? exit.signal}`);
    }),
  );
  await Promise.all(h.peers.map((peer) => peer.close()));
  return faults;
}
