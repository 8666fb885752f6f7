import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { resolveEntry } from '../../../src/shared/resolve-entry.ts';
import { ProcessLost, type ProcessSlot, startProcessSlot } from '../../../src/worker/supervisor/process-slot.ts';
import type { Act, ActRequest } from './scripted-process.ts';

const echo = z.object({
  kind: z.literal('echo'),
  bytes: z.instanceof(Uint8Array),
  environment: z.array(z.string()).optional(),
});
type Echo = z.infer<typeof echo>;

const slots: ProcessSlot<ActRequest, Echo>[] = [];

async function startSlot(limits: { readonly timeLimitMs?: number; readonly memoryLimitBytes?: number } = {}) {
  const { timeLimitMs = 30_000, memoryLimitBytes = 2 ** 31 } = limits;
  const options = {
    entry: resolveEntry('./scripted-process', import.meta.url, 'process'),
    heapMb: 128,
    memoryLimitBytes,
    timeLimitMs,
    readAnswer: (message: unknown) => echo.safeParse(message).data,
  };
  const slot = await startProcessSlot<ActRequest, Echo>(options, AbortSignal.timeout(60_000));
  slots.push(slot);
  return slot;
}

afterAll(() => Promise.all(slots.map((slot) => slot.destroy())));

const lost = async (act: Act, limits: Parameters<typeof startSlot>[0] = {}): Promise<unknown> => {
  const slot = await startSlot(limits);
  const error = await slot.ask({ act, bytes: Buffer.alloc(0) }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProcessLost);
  expect(slot.isGone).toBe(true);
  await slot.ended;
  return error;
};

describe('a process that serves requests', () => {
  it('gets and answers bytes of any size, one request after the other, and has no environment', async () => {
    const slot = await startSlot();
    for (const size of [0, 1, 65_000, 65_536, 20_000_000, 3]) {
      const bytes = Buffer.alloc(size, `${size} `);
      const answer = await slot.ask({ act: 'echo', bytes });
      expect(bytes.equals(answer.bytes)).toBe(true);
      expect(answer.environment?.filter((name) => !name.startsWith('NODE_'))).toEqual([]);
    }
  });

  it('is lost when it throws, with its stack for the log', async () => {
    expect(await lost('throws')).toMatchObject({ message: expect.stringContaining('a stack for the log') as string });
  });

  it.each(['exits', 'no JSON', 'a length of gigabytes', 'lengths that are none', 'another kind'] as const)(
    'is lost after an answer that is none: %s',
    async (act) => {
      await lost(act);
    },
  );

  it('is lost at its time limit', async () => {
    await lost('silence', { timeLimitMs: 200 });
  });

  it('is lost when its answers take more memory than it may', async () => {
    await lost('too much memory', { memoryLimitBytes: 300_000_000 });
  });

  it('exits when its parent is gone', async () => {
    const slot = await startSlot();
    await slot.destroy();
    expect(await slot.ended).toContain('SIGKILL');
  });
});
