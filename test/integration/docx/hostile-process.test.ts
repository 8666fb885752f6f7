import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { AppError } from '../../../src/shared/errors.ts';
import { createDocxSlots } from '../../../src/worker/docx/sandbox/docx-pool.ts';
import type { ProcessAnswer, ProcessJob } from '../../../src/worker/docx/sandbox/protocol.ts';
import { bundleProgram } from '../../support/services/bundle-program.ts';
import { silent } from '../../support/services/redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'docmill-hostile-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = await bundleProgram(new URL('hostile-process.ts', import.meta.url), folder);
const entry = { file, execArgv: [] };
const options = { heapMb: 64, templateCacheBytes: 1, entry };

function job(trick: string): ProcessJob {
  const nothing = { options: undefined, assets: undefined, fonts: undefined } as const;
  const rest = { template: undefined, target: 'docx', ...nothing } as const;
  return { kind: 'render', cacheKey: trick, data: Buffer.from('{}'), ...rest };
}

/** One supervised process under an attacker's control, and the outcome of a job sent to it. */
function startSlot(of = { ...options }) {
  const slots = createDocxSlots(Object.assign(of, { processes: 1, timeLimitMs: 30_000, logger: silent }));
  onTestFinished(() => slots.close());
  const run = (trick: string, timeoutMs = 30_000): Promise<ProcessAnswer> =>
    slots.use((slot) => slot.run(job(trick), timeoutMs));
  return { slots, run };
}

const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => Promise.reject(new Error('expected a failure')),
    (error: AppError) => error,
  );

test('an invalid response fails only its job, and the process is replaced', async () => {
  const { slots, run } = startSlot();
  const tricks = ['half a frame', 'no JSON', 'an unknown kind', 'a document without its file'];
  tricks.push('a length of gigabytes', 'no end of zeros');
  for (const [i, trick] of tricks.entries()) {
    expect(await failure(run(trick)), trick).toMatchObject({ code: 'internal', message: 'Internal server error' });
    expect(slots.counts().kills, trick).toBe(i + 1);
  }
  expect(await failure(run('silence', 50))).toMatchObject({ code: 'render_limit' });
});

test('a response that is sent just before the process exits is used', async () => {
  const { slots, run } = startSlot();
  for (const lost of [1, 2, 3]) {
    expect(await run('a whole frame before the end')).toMatchObject({ kind: 'document' });
    await expect.poll(() => slots.counts().kills).toBe(lost);
  }
});

test('starting a process is retried after the system refused it', async () => {
  const changing = { ...options };
  const { slots, run } = startSlot(changing);
  // Longer than an argument may be: the spawn call itself fails, as when memory is exhausted.
  changing.entry = { file: 'x'.repeat(300_000), execArgv: [] };
  expect(await failure(run('half a frame'))).toMatchObject({ code: 'internal' });
  await expect.poll(() => slots.isUnavailable).toBe(true);
  changing.entry = options.entry;
  await expect.poll(() => slots.isUnavailable).toBe(false);
  expect(await run('a whole frame before the end')).toMatchObject({ kind: 'document' });
});
