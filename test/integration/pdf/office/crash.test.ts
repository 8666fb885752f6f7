import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { atWork, page, processesMarked, processesOf, until } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

interface Host {
  readonly kill: () => Promise<void>;
  readonly stop: () => void;
}

/** Starts another process with a pool in `tempDir` and returns once it is converting a document that never ends. */
async function startHost(tempDir: string, jail: 'auto' | 'off', convertTimeoutMs = 30_000): Promise<Host> {
  const program = join(import.meta.dirname, 'pool-host.ts');
  const args = ['--import', 'tsx', program, tempDir, jail, String(convertTimeoutMs)];
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const left = once(host, 'exit').then(() => {
    throw new Error('the host ended unexpectedly');
  });
  await Promise.race([once(host.stdout, 'data'), left]);
  return {
    stop: () => void host.kill('SIGSTOP'),
    kill: async () => {
      left.catch(() => undefined);
      const gone = once(host, 'exit');
      host.kill('SIGKILL');
      await gone;
    },
  };
}

describe.each(['auto', 'off'] as const)('a worker killed with -9, jail %s', (jail) => {
  test('ends every LibreOffice, and the next start removes its files', async () => {
    const tempDir = await tempDirForTest();
    const host = await startHost(tempDir, jail);
    const dead = await readdir(tempDir);
    expect(await processesMarked(dead, 'soffice.bin')).toHaveLength(1);
    await host.kill();
    await until(async () => (await processesMarked(dead)).length === 0);
    expect(await readdir(tempDir)).toEqual(dead);
    const office = await poolForTest({ tempDir });
    expect(await readdir(tempDir)).not.toContain(dead[0]);
    expect((await office.pool.convert({ docx: page('after the crash') })).pages).toBe(1);
  });
});

describe.each(['auto', 'off'] as const)('a worker that hangs, jail %s', (jail) => {
  test('leaves no conversion running for more than its CPU time', async () => {
    const tempDir = await tempDirForTest();
    const host = await startHost(tempDir, jail, 5_000);
    onTestFinished(() => host.kill());
    const dead = await readdir(tempDir);
    const [pid = 0] = await processesMarked(dead, 'soffice.bin');
    await atWork(pid);
    host.stop();
    expect(await processesMarked(dead, 'soffice.bin')).toEqual([pid]);
    await until(async () => (await processesMarked(dead)).length === 0);
  });
});

describe('the sweep at start', () => {
  test('does not touch a running pool', async () => {
    const first = await poolForTest();
    const before = await processesOf(first.tempDir, 'soffice.bin');
    const second = await poolForTest({ tempDir: first.tempDir });
    expect(await readdir(first.tempDir)).toHaveLength(2);
    expect(await processesOf(first.tempDir, 'soffice.bin')).toEqual(expect.arrayContaining(before));
    expect((await first.pool.convert({ docx: page('first') })).pages).toBe(1);
    expect((await second.pool.convert({ docx: page('second') })).pages).toBe(1);
  });

  test('touches nothing that is not a pool', async () => {
    const tempDir = await tempDirForTest();
    await mkdir(join(tempDir, 'somebody-else'), { recursive: true });
    await writeFile(join(tempDir, 'pool-1-2-3-notes.txt'), 'keep');
    const office = await poolForTest({ tempDir });
    expect(office.pool.status().isReady).toBe(true);
    expect(await readdir(tempDir)).toEqual(expect.arrayContaining(['pool-1-2-3-notes.txt', 'somebody-else']));
  });
});
