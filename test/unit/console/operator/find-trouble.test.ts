import { expect, test } from 'vitest';
import { findTrouble, type Situation } from '../../../../src/console/operator/now/find-trouble.ts';

type Queue = Situation['queues']['queues'][number];
type Worker = Situation['workers'][number];

const queue = (queueName: string, changes: Partial<Queue> = {}): Queue => ({
  queue: queueName,
  waiting: 0,
  delayed: 0,
  inProgress: 0,
  oldestSeconds: 0,
  inPerMinute: 0,
  outPerMinute: 0,
  failedPerMinute: 0,
  isPaused: false,
  workers: 1,
  jobs: null,
  missingJobs: 0,
  ...changes,
});
const worker = (changes: Partial<Worker> = {}): Worker => ({
  workerId: 'wrk_1',
  host: 'alpha',
  pid: 7,
  release: '1.0.0',
  queues: ['pdf'],
  jobs: {},
  recent: {},
  startedAt: '2026-11-01T00:00:00Z',
  isDraining: false,
  isLive: true,
  ...changes,
});
const situation = (queues: readonly Queue[], changes: Partial<Situation> = {}): Situation => ({
  queues: { isComplete: true, redis: 'read', queues, accounts: [] },
  workers: [worker()],
  paused: [],
  quarantine: { documents: [], templates: [] },
  ...changes,
});
const texts = (given: Situation) => findTrouble(given).map(({ tone, text }) => `${tone}: ${text}`);

test('a service that works has no trouble, even if batches wait for hours', () => {
  const batch = queue('pdf-batch', { waiting: 9_000, oldestSeconds: 3_600 });
  expect(texts(situation([queue('pdf', { waiting: 3, oldestSeconds: 2 }), batch]))).toEqual([]);
});

test('entries that nobody takes, that wait for long or that fail are named', () => {
  const found = texts(
    situation([
      queue('pdf', { waiting: 12, workers: 0 }),
      queue('docx', { waiting: 1, oldestSeconds: 301 }),
      queue('mail', { outPerMinute: 10, failedPerMinute: 4 }),
      queue('docx-batch', { waiting: 1, oldestSeconds: 7 * 3_600 }),
    ]),
  );
  expect(found).toEqual([
    'bad: No live worker serves pdf: 12 entries wait.',
    'bad: The oldest entry of docx has waited for 5 min 1 s.',
    'bad: In the last minutes, 4 of 10 jobs a minute failed in mail.',
    'bad: The oldest entry of docx-batch has waited for 7 h 0 min.',
  ]);
});

test('a paused queue is named once, not as one whose entries wait for long', () => {
  const createdAt = new Date(Date.now() - 3 * 60_000).toISOString();
  const paused = [
    { target: 'queue:pdf', isRefusing: false, createdAt },
    { target: 'account:acc_1', isRefusing: true, createdAt },
  ];
  expect(texts(situation([queue('pdf', { waiting: 1, oldestSeconds: 900, isPaused: true })], { paused }))).toEqual([
    'warn: pdf is paused, since 3 minutes ago.',
    'warn: acc_1 is paused, and new requests are refused, since 3 minutes ago.',
  ]);
});

test('without a live worker, that is the trouble, and not every queue', () => {
  const given = situation([queue('pdf', { waiting: 1, workers: 0 })], { workers: [worker({ isLive: false })] });
  expect(texts(given)).toEqual(['bad: No worker is running: nothing is produced and nothing is sent.']);
});

test('the worst comes first: Redis, then silent workers and what is suspended', () => {
  const base = situation([], { workers: [worker(), worker({ pid: 8, isLive: false })] });
  const failure = {
    accountId: 'acc_1',
    templateId: 'tpl_1',
    templateVersion: 1,
    failures: 3,
    reason: 'crash',
    documentId: 'doc_1',
    updatedAt: '2026-11-01T00:00:00Z',
  };
  const given: Situation = {
    ...base,
    queues: { ...base.queues, redis: 'timeout' },
    quarantine: {
      documents: [{ ...failure, fingerprint: 'f', isQuarantined: true, evidenceKey: null }],
      templates: [{ ...failure, suspendedUntil: '2026-12-01T00:00:00Z', suspensions: 1 }],
    },
  };
  expect(texts(given)).toEqual([
    'bad: Redis could not be read: timeout. The figures come from the database alone.',
    'warn: The worker with process 8 on alpha has not reported for 15 seconds.',
    'warn: 1 template is suspended after crashes.',
    'warn: 1 document is in quarantine.',
  ]);
});
