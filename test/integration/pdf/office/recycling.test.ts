import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { volume } from '../../../support/extended.ts';
import { officePid, page, processesOf, until } from './office-fixture.ts';
import { poolForTest } from './pool-for-test.ts';

test.each([
  ['that has converted so many documents', { recycleAfter: 2 }],
  ['that exceeds its memory limit', { memoryLimitBytes: 1024 ** 2 }],
])('a LibreOffice %s is replaced, and ends', async (_name, limits) => {
  const office = await poolForTest(limits);
  const first = await officePid(office);
  for (let i = 0; i < 2; i++) {
    expect((await office.pool.convert({ docx: page(`page ${i}`) })).pages).toBe(1);
    expect(office.pool.status().warm).toBeGreaterThanOrEqual(1);
  }
  await until(() => office.pool.status().restarts > 0);
  await until(async () => !(await processesOf(office.tempDir)).includes(first));
  expect((await office.pool.convert({ docx: page('replaced') })).pages).toBe(1);
  expect(office.pool.status().kills).toBe(0);
});

const conversions = volume(15, 60);

test(`memory, file descriptors and temporary files stay flat over ${conversions} conversions`, async () => {
  const office = await poolForTest();
  const [pool = ''] = await readdir(office.tempDir);
  // The folder of a document is removed while the next one is converted.
  const isTidy = async () => (await readdir(join(office.tempDir, pool, 'slot-1/jobs'))).length === 0;
  for (let i = 0; i < 15; i++) await office.pool.convert({ docx: page(`warm ${i}`) });
  await until(isTidy);
  const pid = await officePid(office);
  const before = { rss: await residentOf(pid), fds: await descriptorsOf(pid), own: await descriptorsOf(process.pid) };
  const filesBefore = await filesUnder(office.tempDir);
  for (let i = 0; i < conversions; i++) await office.pool.convert({ docx: page(`long ${i}`) });
  await until(isTidy);
  expect(await officePid(office)).toBe(pid);
  await expect.poll(() => residentOf(pid)).toBeLessThan(before.rss * 1.15);
  await expect.poll(() => descriptorsOf(pid)).toBeLessThanOrEqual(before.fds + 2);
  await expect.poll(() => descriptorsOf(process.pid)).toBeLessThanOrEqual(before.own + 2);
  await expect.poll(() => filesUnder(office.tempDir)).toBe(filesBefore);
  expect((await readdir(`/proc/${pid}/root/tmp`)).length).toBeLessThan(20);
});

const residentOf = async (pid: number): Promise<number> =>
  Number((await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')[1]);
const descriptorsOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
const filesUnder = async (path: string): Promise<number> => (await readdir(path, { recursive: true })).length;
