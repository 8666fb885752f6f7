import { expect, test } from 'vitest';
import type { PlannedComponent } from '../../../../src/admin/capacity/plan-capacity.ts';
import { planCapacity } from '../../../../src/admin/capacity/plan-capacity.ts';
import type { TemplateCost } from '../../../../src/admin/capacity/replay.ts';

const cost = (changes: Partial<TemplateCost> = {}): TemplateCost => ({
  templateId: 'tpl_1',
  name: 'Letter.docx',
  format: 'pdf',
  data: 'golden',
  share: 1,
  documents: 10,
  cpuMs: { main: 1, render: 6, office: 60 },
  renderMs: 6,
  convertMs: 72,
  wallMs: 80,
  peakMb: { renderProcess: 100, slot: 300 },
  bytes: 58_000,
  dataBytes: 2_000,
  pages: 1,
  ...changes,
});
const worker = { cpus: 4, renderProcesses: 4, officeSlots: 4, databasePoolSize: 10, inlineMaxBytes: 8_000_000 };
const find = (plan: readonly PlannedComponent[], component: string) => plan.find((one) => one.component === component);

test('a plan has enough engines to keep them at 60 % of their capacity', () => {
  const plan = planCapacity([cost()], undefined, worker, 100);
  // 100 × 72 ms keep 7.2 slots busy, which is 60 % of 12. Three workers have 12 slots, and enough cores for 100 × 66 ms
  // of engine time and 0.8 cores of main threads.
  expect(find(plan, 'LibreOffice slots')).toMatchObject({ cores: 10, count: 12, memoryMb: 12 * 512 });
  expect(find(plan, 'render processes')).toMatchObject({ cores: 1, count: 12, memoryMb: 12 * 256 });
  expect(find(plan, 'worker replicas')).toMatchObject({ count: 3, cores: 0.78, memoryMb: 3 * (512 + 1_024) });
  expect(find(plan, 'API replicas')).toMatchObject({ count: 2, postgresConnections: 20, redisConnections: 4 });
  expect(find(plan, 'PostgreSQL')).toMatchObject({ postgresConnections: 60, megabytesPerSecond: 0.5 });
  expect(find(plan, 'Redis')).toMatchObject({ redisConnections: 16, megabytesPerSecond: 12.5 });
  expect(find(plan, 'store, callers wait')).toMatchObject({ megabytesPerSecond: 0 });
});

test('twice the rate needs twice the replicas', () => {
  for (const format of ['docx', 'pdf'] as const) {
    const costs = [cost({ format })];
    const count = (rate: number): number =>
      find(planCapacity(costs, undefined, worker, rate), 'worker replicas')?.count ?? 0;
    expect(count(20_000) / count(10_000)).toBeCloseTo(2, 1);
  }
});

test('even a small rate gets two replicas, so that one may fail', () => {
  const plan = planCapacity([cost()], undefined, worker, 0.5);
  expect(find(plan, 'worker replicas')?.count).toBe(2);
  expect(find(plan, 'API replicas')?.count).toBe(2);
});

test('the main thread limits a worker before its engines do', () => {
  const strong = { ...worker, cpus: 64, renderProcesses: 64, officeSlots: 64 };
  const fast = cost({ cpuMs: { main: 0, render: 0.1, office: 1 }, renderMs: 0.1, convertMs: 1 });
  // A worker produces 128 PDFs a second, and fewer when its own process needs longer for each.
  expect(find(planCapacity([fast], undefined, strong, 1_000), 'worker replicas')?.count).toBe(8);
  const large = { ...fast, cpuMs: { ...fast.cpuMs, main: 20 } };
  expect(find(planCapacity([large], undefined, strong, 1_000), 'worker replicas')?.count).toBe(37);
});

test('templates count by their share of the documents, and large results go through object storage', () => {
  const light = cost({ share: 0.75, cpuMs: { main: 1, render: 6, office: 20 } });
  const heavy = cost({ share: 0.25, cpuMs: { main: 1, render: 6, office: 180 }, bytes: 10_000_000 });
  const plan = planCapacity([light, heavy], undefined, worker, 6);
  expect(find(plan, 'LibreOffice slots')?.cores).toBe(0.6);
  expect(find(plan, 'store, callers wait')?.megabytesPerSecond).toBe(30);
});

test('an engine that needs more processor time when others run beside it is planned with the larger figure', () => {
  const busy = { format: 'pdf' as const, documents: 50, perSecond: 20, peakMb: { renderProcess: 300, slot: 900 } };
  const cores = (office: number) =>
    find(
      planCapacity([cost()], { ...busy, cpuRatio: { main: 0.5, render: 1, office } }, worker, 60),
      'LibreOffice slots',
    );
  expect(cores(1.5)?.cores).toBe(9);
  expect(cores(0.5)?.cores).toBe(6);
  expect(cores(1)?.memoryMb).toBe(8 * 900);
});

test('a plan needs measurements', () => {
  expect(planCapacity([], undefined, worker, 10)).toEqual([]);
});
