import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { officePid, page, processesOf, until } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

describe('recycling', () => {
  test('has the replacement warm before the old slot is destroyed', async () => {
    const office = await poolForTest({ recycleAfter: 5 });
    const first = await officePid(office);
    for (let i = 0; i < 40 || office.pool.status().restarts < 2; i++) {
      await office.pool.convert({ docx: page(`page ${i}`) });
      expect(office.pool.status().warm).toBeGreaterThanOrEqual(1);
    }
    await until(async () => !(await processesOf(office.tempDir)).includes(first));
    await until(async () => (await processesOf(office.tempDir, 'soffice.bin')).length <= 2);
    expect(office.pool.status()).toMatchObject({ kills: 0, isReady: true });
  });

  test('replaces a slot that exceeds its memory limit', async () => {
    const office = await poolForTest({ memoryLimitBytes: 1024 ** 2 });
    await office.pool.convert({ docx: page('too big') });
    await until(() => office.pool.status().restarts === 1);
    expect((await office.pool.convert({ docx: page('replaced') })).pages).toBe(1);
  });
});

describe('a long run', () => {
  test('keeps memory, file descriptors and temporary files flat over 100 conversions', {
    timeout: 120_000,
  }, async () => {
    const office = await poolForTest();
    for (let i = 0; i < 20; i++) await office.pool.convert({ docx: page(`warm ${i}`) });
    const pid = await officePid(office);
    const before = { rss: await residentOf(pid), fds: await descriptorsOf(pid), own: await descriptorsOf(process.pid) };
    const filesBefore = await filesUnder(office.tempDir);
    for (let i = 0; i < 100; i++) await office.pool.convert({ docx: page(`long ${i}`) });
    expect(await officePid(office)).toBe(pid);
    expect(await residentOf(pid)).toBeLessThan(before.rss * 1.15);
    expect(await descriptorsOf(pid)).toBeLessThanOrEqual(before.fds + 2);
    expect(await descriptorsOf(process.pid)).toBeLessThanOrEqual(before.own + 2);
    await until(async () => (await filesUnder(office.tempDir)) === filesBefore);
    expect(await readdir(`/proc/${pid}/root/tmp`).then((names) => names.length)).toBeLessThan(20);
  });
});

async function residentOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')[1]);
}

async function descriptorsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

async function filesUnder(path: string): Promise<number> {
  return (await readdir(path, { recursive: true })).length;
}
