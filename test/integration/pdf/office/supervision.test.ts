import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { atWork, endlessDocx, failureOf, officePid, page, processesOf, textOf, until } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

describe('a LibreOffice that dies', () => {
  test('while it converts: the document fails with `slotLost`, and the slot is replaced', async () => {
    const office = await poolForTest();
    const pid = await officePid(office);
    const failure = failureOf(office.pool.convert({ docx: endlessDocx() }));
    await atWork(pid);
    process.kill(pid, 'SIGKILL');
    expect(await failure).toMatchObject({ code: 'worker_lost', slotLost: true, retry: true });
    const { pdf } = await office.pool.convert({ docx: page('after the loss') });
    expect(await textOf(pdf)).toContain('after the loss');
    expect(office.pool.status()).toMatchObject({ restarts: 1, kills: 0, warm: 1, isReady: true });
  });

  test('while it is idle: it is replaced before the next request', async () => {
    const office = await poolForTest();
    process.kill(await officePid(office), 'SIGKILL');
    await until(() => office.pool.status().restarts === 1);
    expect(office.pool.status()).toMatchObject({ warm: 1, isReady: true });
  });

  test('does not affect the other slot', async () => {
    const office = await poolForTest({ slots: 2 });
    await until(() => office.pool.status().warm === 2);
    process.kill(await officePid(office), 'SIGKILL');
    const results = await Promise.all(['a', 'b', 'c'].map((text) => office.pool.convert({ docx: page(text) })));
    expect(results.map(({ pages }) => pages)).toEqual([1, 1, 1]);
    await until(() => office.pool.status().warm === 2);
  });
});

describe('a LibreOffice that hangs', () => {
  test('while it converts: everything is killed at the deadline and the slot is replaced', async () => {
    const office = await poolForTest({ convertTimeoutMs: 8_000 });
    const pid = await officePid(office);
    const before = await processesOf(office.tempDir);
    const startedAt = performance.now();
    const failure = failureOf(office.pool.convert({ docx: endlessDocx() }));
    await atWork(pid);
    process.kill(pid, 'SIGSTOP');
    expect(await failure).toMatchObject({ code: 'conversion_timeout', slotLost: true });
    expect(performance.now() - startedAt).toBeGreaterThan(7_990);
    const after = await processesOf(office.tempDir);
    expect(after.filter((survivor) => before.includes(survivor))).toEqual([]);
    expect((await office.pool.convert({ docx: page('back') })).pages).toBe(1);
    expect(office.pool.status()).toMatchObject({ kills: 1, restarts: 1 });
  });

  test('while it is idle: the next document goes to its replacement and is not blamed', async () => {
    const office = await poolForTest();
    process.kill(await officePid(office), 'SIGSTOP');
    const { pdf } = await office.pool.convert({ docx: page('moved on') });
    expect(await textOf(pdf)).toContain('moved on');
    expect(office.pool.status()).toMatchObject({ kills: 1, restarts: 1, conversions: 1 });
  });

  test('and a document that never finishes are both ended by the deadline', async () => {
    const office = await poolForTest({ convertTimeoutMs: 4_500 });
    expect(await failureOf(office.pool.convert({ docx: endlessDocx() }))).toMatchObject({
      code: 'conversion_timeout',
      message: expect.stringContaining('longer than 4.5 seconds'),
    });
    expect((await office.pool.convert({ docx: page('next') })).pages).toBe(1);
  });
});

describe('closing', () => {
  test('fails waiting and running conversions, and leaves no process and no file', async () => {
    const office = await poolForTest();
    const running = failureOf(office.pool.convert({ docx: endlessDocx() }));
    const waiting = failureOf(office.pool.convert({ docx: page('waiting') }));
    await atWork(await officePid(office));
    const pids = await processesOf(office.tempDir);
    await office.pool.close();
    for (const failure of [running, waiting])
      expect(await failure).toMatchObject({ code: 'unavailable', slotLost: false });
    expect(await failureOf(office.pool.convert({ docx: page('late') }))).toMatchObject({ code: 'unavailable' });
    expect(await readdir(office.tempDir)).toEqual([]);
    for (const pid of pids) await until(async () => !(await exists(pid)));
    expect(office.pool.status()).toMatchObject({ warm: 0, isReady: false });
  });
});

async function exists(pid: number): Promise<boolean> {
  return readFile(`/proc/${pid}/stat`).then(
    () => true,
    () => false,
  );
}
