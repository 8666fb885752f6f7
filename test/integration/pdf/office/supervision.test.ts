import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { untilGone } from '../../../support/services/processes.ts';
import { atWork, endlessDocx, failureOf, officePid, page, processesOf, stop, textOf, until } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

describe('a LibreOffice that dies', () => {
  test('while it converts or is idle is replaced, and a running document fails with `slotLost`', async () => {
    const office = await poolForTest();
    const pid = await officePid(office);
    const failure = failureOf(office.pool.convert({ docx: endlessDocx() }));
    await atWork(pid);
    process.kill(pid, 'SIGKILL');
    expect(await failure).toMatchObject({ code: 'worker_lost', slotLost: true, retry: true });
    const { pdf } = await office.pool.convert({ docx: page('after the loss') });
    expect(await textOf(pdf)).toContain('after the loss');
    expect(office.pool.status()).toMatchObject({ restarts: 1, kills: 0, warm: 1, isReady: true });
    process.kill(await officePid(office), 'SIGKILL');
    await until(() => office.pool.status().restarts === 2);
    expect(office.pool.status()).toMatchObject({ kills: 0, warm: 1, isReady: true });
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
  test('while it converts loses all of its processes at the deadline, and is replaced', async () => {
    const office = await poolForTest({ convertTimeoutMs: 4_000 });
    const pid = await officePid(office);
    const before = await processesOf(office.tempDir);
    const failure = failureOf(office.pool.convert({ docx: endlessDocx() }));
    await atWork(pid);
    // On a busy machine the deadline may come first.
    await stop(pid).catch(() => undefined);
    expect(await failure).toMatchObject({
      code: 'conversion_timeout',
      slotLost: true,
      message: expect.stringContaining('longer than 4 seconds'),
    });
    await untilGone(before);
    await until(() => office.pool.status().warm === 1);
    expect(office.pool.status()).toMatchObject({ kills: 1, restarts: 1 });
  });

  test('while it is idle: the next document goes to its replacement and is not blamed', async () => {
    const office = await poolForTest();
    await stop(await officePid(office));
    const { pdf } = await office.pool.convert({ docx: page('moved on') });
    expect(await textOf(pdf)).toContain('moved on');
    expect(office.pool.status()).toMatchObject({ kills: 1, restarts: 1, conversions: 1 });
  });
});

describe('SIGTERM and SIGINT for every process, as a service manager or a terminal sends them,', () => {
  const signalAll = async (tempDir: string): Promise<void> => {
    const pids = await processesOf(tempDir);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) for (const pid of pids) process.kill(pid, signal);
  };

  test('do not end a conversion, because its worker finishes its documents', async () => {
    const office = await poolForTest({ convertTimeoutMs: 4_000 });
    const failure = failureOf(office.pool.convert({ docx: endlessDocx() }));
    await atWork(await officePid(office));
    await signalAll(office.tempDir);
    // Not `worker_lost`: only its time limit ends it.
    expect(await failure).toMatchObject({ code: 'conversion_timeout' });
  });

  test('do not end an idle LibreOffice', async () => {
    const office = await poolForTest();
    await signalAll(office.tempDir);
    const { pdf } = await office.pool.convert({ docx: page('still here') });
    expect(await textOf(pdf)).toContain('still here');
    expect(office.pool.status()).toMatchObject({ restarts: 0, kills: 0, conversions: 1 });
  });
});

test('closing fails waiting and running conversions, and leaves no process and no file', async () => {
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
  await untilGone(pids);
  expect(office.pool.status()).toMatchObject({ warm: 0, isReady: false });
});
