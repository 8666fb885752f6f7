import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { Comparer, type ComparerOptions } from '../../../../src/worker/pdf/compare/comparer.ts';
import { plainPdf } from '../../../support/documents/plain-pdf.ts';

const [one, other] = [plainPdf({ pages: ['Total'] }), plainPdf({ pages: ['Sum'] })];
const long = plainPdf({ pages: Array.from({ length: 150 }, (_, page) => `Page ${page}`) });

function open(options?: ComparerOptions): Comparer {
  const comparer = new Comparer(options);
  onTestFinished(() => comparer.close());
  return comparer;
}

/** Process ids of the comparing processes that this process started. */
function compareProcesses(): number[] {
  const lines = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => /docmill-compare|compare-process-main/.test(line))
    .map((line) => Number.parseInt(line, 10));
}

test('one process compares pairs of PDFs one after the other, and ends when it is idle', async () => {
  const comparer = open({ idleMs: 500 });
  const compared = await Promise.all([
    comparer.compare(one, one),
    comparer.compare(one, other),
    comparer.compare(one, one),
  ]);
  expect(compared.map(({ differences }) => differences.map(({ measure }) => measure))).toEqual([[], ['text'], []]);
  const processes = compareProcesses();
  expect(processes).toHaveLength(1);
  await comparer.compare(other, other);
  expect(compareProcesses()).toEqual(processes);
  await expect.poll(compareProcesses).toEqual([]);
  expect((await comparer.compare(one, one)).differences).toEqual([]);
});

test('the same process measures PDFs and returns pictures of the pages that differ', async () => {
  const comparer = open();
  await comparer.compare(one, one);
  const processes = compareProcesses();
  const options = { masks: [], movedPt: 1, pixels: 0, dpi: 72, maxPages: 10 };
  const { measures, pictures } = await comparer.measure(one, other, options);
  expect(measures).toMatchObject({ words: { lost: 1, added: 1 }, pages: [{ page: 1 }] });
  expect(Object.keys(pictures)).toEqual(['old-1.png', 'new-1.png', 'difference-1.png']);
  expect(
    Buffer.from(pictures['new-1.png'] ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  expect((await comparer.compare(one, other)).differences).toHaveLength(1);
  expect(compareProcesses()).toEqual(processes);
});

test('PDFs that cannot be compared are an error, and the next comparison starts a new process', async () => {
  const comparer = open();
  await expect(comparer.compare(one, Buffer.from('no PDF'))).rejects.toThrow('The PDFs could not be compared.');
  expect((await comparer.compare(one, one)).differences).toEqual([]);
  const processes = compareProcesses();
  for (const id of processes) process.kill(id, 'SIGKILL');
  await expect.poll(compareProcesses).toEqual([]);
  expect((await comparer.compare(one, other)).differences).toHaveLength(1);
});

test('a comparison over its time limit is an error', async () => {
  const hasty = open({ timeLimitMs: 20 });
  await expect(hasty.compare(long, long)).rejects.toThrow('The PDFs could not be compared.');
  expect(compareProcesses()).toEqual([]);
});

test('closing ends the process and the comparison in progress', async () => {
  const comparer = open();
  await comparer.compare(one, one);
  const running = expect(comparer.compare(long, long)).rejects.toThrow();
  await comparer.close();
  await running;
  expect(compareProcesses()).toEqual([]);
  await expect(comparer.compare(one, one)).rejects.toThrow('The service is shutting down.');
});
