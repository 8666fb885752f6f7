import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { resolveEntry } from '../../../src/shared/resolve-entry.ts';
import {
  askOnce,
  ProcessLost,
  type ProcessSlot,
  startProcessSlot,
} from '../../../src/worker/supervisor/process-slot.ts';
import { openFiles } from './open-files.ts';
import type { Act, ActRequest } from './scripted-process.ts';

const echo = z.object({ kind: z.literal('echo'), bytes: z.instanceof(Uint8Array) });
type Echo = z.infer<typeof echo>;
type Limits = { readonly timeLimitMs?: number; readonly memoryLimitBytes?: number };

const nothing = Buffer.alloc(0);
const slots: ProcessSlot<ActRequest, Echo>[] = [];

const optionsWith = ({ timeLimitMs = 30_000, memoryLimitBytes = 2 ** 31 }: Limits) => ({
  entry: resolveEntry('./scripted-process', import.meta.url, 'process'),
  heapMb: 128,
  memoryLimitBytes,
  timeLimitMs,
  readAnswer: (message: unknown) => echo.safeParse(message).data,
});

async function startSlot(limits: Limits = {}) {
  const slot = await startProcessSlot<ActRequest, Echo>(optionsWith(limits), AbortSignal.timeout(60_000));
  slots.push(slot);
  return slot;
}

/** The processes of this program that this process has started. */
function running(): string[] {
  const lines = execFileSync('ps', ['-o', 'args=', '--ppid', `${process.pid}`], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => /docmill-scripted|scripted-process/.test(line));
}

/** Signals the processes of this program that have not set their title yet, so do not handle signals either. */
function interruptStarting(): void {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`], { encoding: 'utf8' }).split('\n');
  for (const line of lines.filter((each) => each.includes('scripted-process')))
    process.kill(Number.parseInt(line, 10), 'SIGTERM');
}

const lost = async (act: Act, limits: Limits = {}): Promise<unknown> => {
  const slot = await startSlot(limits);
  const error = await slot.ask({ act, bytes: nothing }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProcessLost);
  expect(slot.isGone).toBe(true);
  await slot.ended;
  return error;
};

describe('a process that serves requests', () => {
  it('receives and returns bytes of any size, one request after another', async () => {
    const slot = await startSlot();
    for (const size of [0, 1, 65_000, 65_536, 20_000_000, 3]) {
      const bytes = Buffer.alloc(size, `${size} `);
      const answer = await slot.ask({ act: 'echo', bytes });
      expect(bytes.equals(answer.bytes)).toBe(true);
    }
  });

  it('inherits its pipes and nothing else of its parent', async () => {
    vi.stubEnv('DOCMILL_TEST_SECRET', 'to be kept');
    // Descriptors without close-on-exec that the test runner inherited are ignored.
    const before = openFiles();
    const fd = openSync(import.meta.filename, 'r');
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      closeSync(fd);
      server.close();
      vi.unstubAllEnvs();
    });
    const mine = openFiles().filter((file) => !before.includes(file));
    expect(mine).toEqual(expect.arrayContaining([import.meta.filename, expect.stringMatching(/^socket:/)]));
    const answer = await (await startSlot()).ask({ act: 'what it has', bytes: nothing });
    const has = JSON.parse(Buffer.from(answer.bytes).toString());
    expect(has).toEqual({ env: {}, files: expect.any(Array), channel: false });
    expect(has.files.filter((file: string) => mine.includes(file))).toEqual([]);
  });

  it('is lost when it throws, with its stack for the log', async () => {
    const message = expect.stringContaining('a stack for the log') as string;
    expect(await lost('throws')).toMatchObject({ loss: 'broken', message });
  });

  it.each([
    ['exits', 'ended'],
    ['a full heap', 'heap'],
    ['no JSON', 'broken'],
    ['a length of gigabytes', 'broken'],
    ['lengths that are not numbers', 'broken'],
    ['another kind', 'broken'],
  ] as const)('is lost after an invalid response: %s', async (act, loss) => {
    expect(await lost(act)).toMatchObject({ loss });
  });

  it('is lost at its time limit', async () => {
    expect(await lost('silence', { timeLimitMs: 200 })).toMatchObject({ loss: 'time' });
  });

  it('is lost when its responses take more memory than allowed', async () => {
    expect(await lost('too much memory', { memoryLimitBytes: 300_000_000 })).toMatchObject({ loss: 'memory' });
  });

  it('fails its request when it is destroyed, and every later one', async () => {
    const slot = await startSlot();
    const asked = slot.ask({ act: 'silence', bytes: nothing }).catch((reason: unknown) => reason);
    await slot.destroy();
    expect(await asked).toMatchObject({ loss: 'killed' });
    await expect(slot.ask({ act: 'echo', bytes: nothing })).rejects.toMatchObject({ loss: 'killed' });
    expect(await slot.ended).toContain('SIGKILL');
  });
});

describe('a process for one request', () => {
  it('returns its response and has ended then', async () => {
    const answer = await askOnce<ActRequest, Echo>(optionsWith({}), { act: 'echo', bytes: Buffer.from('one') });
    expect(Buffer.from(answer.bytes).toString()).toBe('one');
  });

  it.each([
    ['throws', 30_000, 'broken'],
    ['silence', 200, 'time'],
  ] as const)('has ended when the request fails: %s', async (act, timeLimitMs, loss) => {
    const asked = askOnce<ActRequest, Echo>(optionsWith({ timeLimitMs }), { act, bytes: nothing });
    await expect(asked).rejects.toMatchObject({ loss });
  });

  it('is started again when a signal for the whole service meets it before it serves its request', async () => {
    const asked = askOnce<ActRequest, Echo>(optionsWith({}), { act: 'echo', bytes: Buffer.from('one') });
    interruptStarting();
    expect(Buffer.from((await asked).bytes).toString()).toBe('one');
  });

  it('is reported when the system cannot start it', async () => {
    const options = { ...optionsWith({}), args: ['x'.repeat(300_000)] };
    await expect(askOnce(options, { act: 'echo', bytes: nothing })).rejects.toThrow('E2BIG');
  });
});

afterAll(async () => {
  await Promise.all(slots.map((slot) => slot.destroy()));
  expect(running()).toEqual([]);
});
