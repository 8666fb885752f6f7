import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isExtended } from '../../../support/extended.ts';
import { atWork, page, processesMarked, processesOf, until } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

/** Starts another process with a pool in `tempDir`; it converts documents that never end. */
async function startHost(tempDir: string, jail: 'auto' | 'off', convertTimeoutMs?: number) {
  const program = join(import.meta.dirname, 'pool-host.ts');
  const args = ['--import', 'tsx', program, tempDir, jail];
  if (convertTimeoutMs !== undefined) args.push(String(convertTimeoutMs));
  const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(host, 'exit');
  const kill = async (): Promise<void> => {
    host.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  await Promise.race([
    once(host.stdout, 'data'),
    gone.then(() => Promise.reject(new Error('the host ended unexpectedly'))),
  ]);
  return { host, kill };
}

/** Without a jail, fewer processes have to end. */
const jails = isExtended ? (['auto', 'off'] as const) : (['auto'] as const);

test.each(jails)(
  'a worker killed with -9, jail %s: every LibreOffice ends, and the next start removes its files',
  async (jail) => {
    const tempDir = await tempDirForTest();
    const { kill } = await startHost(tempDir, jail);
    const dead = await readdir(tempDir);
    expect(await processesMarked(dead, 'soffice.bin')).toHaveLength(1);
    await kill();
    await until(async () => (await processesMarked(dead)).length === 0);
    expect(await readdir(tempDir)).toEqual(dead);
    const { pool } = await poolForTest({ tempDir });
    expect(await readdir(tempDir)).not.toContain(dead[0]);
    expect((await pool.convert({ docx: page('after the crash') })).pages).toBe(1);
  },
);

const hangs = 'a worker that hangs, jail %s, leaves no conversion running for more than its CPU time';
test.each(jails)(hangs, async (jail) => {
  const tempDir = await tempDirForTest();
  const { host } = await startHost(tempDir, jail, 3_000);
  const pools = await readdir(tempDir);
  const runs = async (pid: number): Promise<boolean> => (await processesMarked(pools, 'soffice.bin')).includes(pid);
  // On a busy machine a conversion may end before the worker hangs; another one always follows.
  await until(async () => {
    const [pid] = await processesMarked(pools, 'soffice.bin');
    if (pid === undefined) return false;
    await atWork(pid);
    host.kill('SIGSTOP');
    if (await runs(pid)) return true;
    host.kill('SIGCONT');
    return false;
  });
  await until(async () => (await processesMarked(pools)).length === 0);
});

test('the sweep at start touches neither a running pool nor folders of other programs', async () => {
  const first = await poolForTest();
  const { tempDir } = first;
  await mkdir(join(tempDir, 'somebody-else'), { recursive: true });
  await writeFile(join(tempDir, 'pool-1-2-3-notes.txt'), 'keep');
  const before = await processesOf(tempDir, 'soffice.bin');
  const second = await poolForTest({ tempDir });
  expect(await readdir(tempDir)).toHaveLength(4);
  expect(await readdir(tempDir)).toEqual(expect.arrayContaining(['pool-1-2-3-notes.txt', 'somebody-else']));
  expect(await processesOf(tempDir, 'soffice.bin')).toEqual(expect.arrayContaining(before));
  for (const { pool } of [first, second]) expect((await pool.convert({ docx: page('text') })).pages).toBe(1);
});
