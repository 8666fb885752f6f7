import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkAnswers } from '../../test/faults/checks/answers.ts';
import { checkLedger } from '../../test/faults/checks/ledger.ts';
import { checkLeftovers } from '../../test/faults/checks/leftovers.ts';
import { checkLogs } from '../../test/faults/checks/logs.ts';
import { checkMail } from '../../test/faults/checks/mail.ts';
import { startBacking } from '../../test/faults/harness/backing.ts';
import { Balancer } from '../../test/faults/harness/balancer.ts';
import { Harness } from '../../test/faults/harness/harness.ts';
import { seededRandom } from '../../test/faults/harness/random.ts';
import { writeSection } from '../../test/faults/report.ts';
import { stopAll } from '../../test/faults/run-row.ts';
import { injectFaults, type Target } from './inject-faults.ts';
import { openTenant, runClient, type Tally } from './load.ts';
import { MemorySampler } from './memory.ts';
import { decideVerdict, tableOf, type Verdict } from './verdict.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '6' },
    write: { type: 'boolean' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));

/** Sweeps are infrequent because there are many objects. Results expire within the soak. */
const env = {
  ORPHAN_SWEEP_INTERVAL_MS: '30000',
  ORPHAN_AGE_SECONDS: '60',
  RESULT_TTL_SECONDS: '240',
  S3_TIMEOUT_MS: '8000',
  DRAIN_DELAY_MS: '1500',
};

async function startTarget(kind: Target['kind'], start: Target['start']): Promise<Target> {
  return { kind, start, process: await start() };
}

async function soak(h: Harness): Promise<Verdict> {
  const [steadyApi, steadyWorker] = await Promise.all([h.startApi({ env }), h.startPdfWorker({ env })]);
  const targets = await Promise.all([
    startTarget('api', () => h.startApi({ env })),
    startTarget('worker', () => h.startPdfWorker({ env })),
    startTarget('worker', () => h.startWorker({ env })),
  ]);
  const balancer = new Balancer(h);
  await balancer.next();
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => h.account({ credits: 1_000_000, templates: 1_000 })),
  );
  const tenants = await Promise.all(
    clients.map((client) => openTenant(client, (owner, file) => h.template(owner, file))),
  );
  const tally: Tally = { requests: [], uploads: 0, refusals: 0, surprises: [], faults: new Map() };
  const memory = new MemorySampler([steadyApi, steadyWorker]);
  const until = performance.now() + minutes * 60_000;
  const isOver = (): boolean => performance.now() > until;
  const options = { tenants, balancer, tally, isOver };
  const load = Array.from({ length: Number(values.clients) }, (_, index) =>
    runClient({ ...options, random: seededRandom(seed + index) }, `c${index}`),
  );
  const forgetting = setInterval(() => forgetDocuments(h), 10_000);
  await Promise.all([
    ...load,
    injectFaults(h, targets, { ...options, random: seededRandom(seed + 1_000) }),
    reportProgress(isOver, tally),
  ]);
  clearInterval(forgetting);
  balancer.stop();
  memory.stop();
  await h.backing.heal();
  await h.settled(180_000);
  await h.startPdfWorker();
  const rows = [...(await checkLedger(h)), ...(await checkMail(h))];
  const after = [...(await stopAll(h)), ...(await checkLeftovers(h)), ...checkAnswers(h), ...checkLogs(h)];
  return decideVerdict(h, tally, memory, [...rows, ...after], minutes >= 20);
}

/** Drops responses with a document, which are checked on arrival. Errors are checked at the end. */
function forgetDocuments(h: Harness): void {
  const { answers } = h.history;
  answers.splice(0, answers.length, ...answers.filter(({ status }) => status !== 0 && status >= 300));
}

async function reportProgress(isOver: () => boolean, { requests, faults }: Tally): Promise<void> {
  while (!isOver()) {
    await delay(30_000);
    const done = [...faults.values()].reduce((sum, count) => sum + count, 0);
    process.stderr.write(`${requests.length} requests, ${done} faults\n`);
  }
}

process.stdout.write(`soak of ${minutes} minutes, seed ${seed}\n`);
const folder = mkdtempSync(join(tmpdir(), 'docmill-soak-'));
const backing = await startBacking(folder);
const h = new Harness(backing, 'soak', seed);
let verdict: Verdict;
try {
  verdict = await soak(h);
} finally {
  for (const process of h.processes) if (process.exit === undefined) await process.kill();
  await backing.close();
}
const hasPassed = verdict.faults.length === 0;
process.stdout.write(`\n${tableOf(verdict)}\n\n${hasPassed ? 'The soak passed.' : verdict.faults.join('\n')}\n`);
if (values.write === true)
  writeSection('soak', `${minutes} minutes, seed ${seed}: ${hasPassed ? 'passed' : 'FAILED'}.\n\n${tableOf(verdict)}`);
if (hasPassed) rmSync(folder, { recursive: true, force: true });
else process.stdout.write(`logs: ${folder}\n`);
process.exit(hasPassed ? 0 : 1);
