import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareWithRecord } from '../../../bench/infrastructure/compare-with-record.ts';
import { planCapacity } from '../../../src/admin/capacity/plan-capacity.ts';
import { infrastructureRun, plannedCosts, recordedRuns } from '../../../src/admin/capacity/recorded-costs.ts';
import type { TemplateCost } from '../../../src/admin/capacity/replay.ts';
import { sizingPage, writeSizingPage } from '../../../tools/checks/sizing-table.ts';

const formats = ['docx', 'pdf'] as const;

test('every recorded run has its results, which contain its figures', () => {
  for (const { source, costs } of recordedRuns) {
    expect(existsSync(`bench/results/${source}`), source).toBe(true);
    const text = readFileSync(`bench/results/${source}`, 'utf8');
    for (const figure of Object.values(costs).flatMap((each) => Object.values(each)))
      if (figure > 0) expect(text, `${source}: ${figure}`).toContain(String(figure));
  }
});

test('a plan takes the largest figure of all runs, and a PDF costs no component less than a .docx', () => {
  const [docx, pdf] = [plannedCosts('docx'), plannedCosts('pdf')];
  expect(docx).toMatchObject({ api: 1.82, postgres: 1.78, redis: 0.63, office: 0 });
  expect(pdf).toMatchObject({ api: 2.03, worker: 4.7, postgres: 1.78, office: 61 });
});

/** The cells of a line of the sizing page for 1,000 and 10,000 documents a second, by format. */
function cellsOf(line: string): Readonly<Record<(typeof formats)[number], readonly number[]>> {
  const row = writeSizingPage()
    .split('\n')
    .find((each) => each.startsWith(`| ${line}`));
  const cells = (row ?? '').split('|').slice(4, 6);
  const numbers = cells.map((cell) => cell.split('/').map((each) => Number(each.trim().replaceAll(',', ''))));
  return {
    docx: numbers.map(([value]) => value ?? Number.NaN),
    pdf: numbers.map((values) => values.at(-1) ?? Number.NaN),
  };
}

test.each(formats)('the sizing page and `capacity` agree within 20 % for %s', (format) => {
  const { render, office } = plannedCosts(format);
  const cost: TemplateCost = {
    ...{ templateId: 'tpl_1', name: 'letter.docx', format, share: 1, documents: 1, data: 'golden', pages: 1 },
    cpuMs: { main: 0, render, office },
    ...{ renderMs: render, convertMs: office, wallMs: render + office, bytes: 32_000, dataBytes: 1_700 },
    peakMb: { renderProcess: 100, slot: 300 },
  };
  const machine = { cpus: 64, renderProcesses: 64, officeSlots: 64, databasePoolSize: 10, inlineMaxBytes: 8_000_000 };
  for (const [index, rate] of [1_000, 10_000].entries()) {
    const plan = planCapacity([cost], undefined, machine, rate);
    const coresOf = (component: string): number =>
      plan.find((each) => each.component === component)?.cores ?? Number.NaN;
    for (const [component, line] of [
      ['PostgreSQL', 'PostgreSQL: cores'],
      ['Redis', 'Redis: cores'],
      ['render processes', 'cores to fill templates'],
    ] as const) {
      const ratio = (cellsOf(line)[format][index] ?? Number.NaN) / coresOf(component);
      expect(ratio, `${component} at ${rate}`).toBeGreaterThan(1 / 1.2);
      expect(ratio, `${component} at ${rate}`).toBeLessThan(1.2);
    }
    const apis = plan.find((each) => each.component === 'API replicas')?.count;
    expect(cellsOf('API processes')[format][index]).toBe(apis);
  }
});

test('the page has these tables', () => {
  expect(readFileSync(sizingPage, 'utf8')).toBe(writeSizingPage());
});

test('the bench compares shares, so that slower cores are no difference', () => {
  const { api, queueWork, postgres, redis } = infrastructureRun.costs.docx;
  const point = { format: 'docx' as const, apis: 2, slots: 64, accounts: 16 };
  const slower = { api: api * 2, worker: queueWork * 2, postgres: postgres * 2, redis: redis * 2, load: 9 };
  expect(compareWithRecord([{ ...point, processorMs: slower }]).map(({ factor }) => factor)).toEqual([1, 1, 1, 1]);
  const dearer = { ...slower, postgres: postgres * 4 };
  const found = compareWithRecord([{ ...point, processorMs: dearer }]);
  expect(found.find(({ component }) => component === 'postgres')?.factor).toBeGreaterThan(1.5);
});
