import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { PlannedComponent } from '../../../src/admin/capacity/plan-capacity.ts';
import type { TemplateCost } from '../../../src/admin/capacity/replay.ts';
import { storeGoldenData } from '../../../src/shared/domain/templates/golden-data.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { paragraph } from '../../support/documents/docx-builder.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { runAdmin, runProgram } from './run-admin.ts';
import { newStoredTemplates } from './stored-templates.ts';

const { db, url } = await useOwnDatabase();

/** An account without templates, and the environment of a worker. */
async function newSetup() {
  const { env, ...templates } = await newStoredTemplates(db, url);
  const worker = { DATABASE_POOL_SIZE: '7', OFFICE_SLOTS: '2', RENDER_PROCESSES: '2' };
  return { ...templates, env: { ...env, ...worker, REDIS_URL: 'redis://127.0.0.1:1' } };
}

const tables = [
  'generations',
  'ledger',
  'deliveries',
  'usage_days',
  'conversion_failures',
  'template_failures',
  'audit_log',
];
const countRows = () =>
  Promise.all(tables.map(async (name) => (await db.execute(sql`select count(*) from ${sql.identifier(name)}`)).rows));

async function listObjects({ objects }: WorkerDeps): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const page of objects.list('')) keys.push(...page.map(({ key }) => key));
  return keys.sort();
}

interface Report {
  readonly plan: readonly PlannedComponent[];
  readonly templates: readonly TemplateCost[];
  readonly busy: readonly { readonly format: string; readonly documents: number; readonly perSecond: number }[];
  readonly failed: readonly object[];
  readonly leftOut: readonly object[];
  readonly worker: { readonly cpus: number; readonly jail: string };
}

test('the templates of an account are measured on real engines, and the service is left unchanged', async () => {
  const { deps, accountId, env, upload } = await newSetup();
  const letter = await upload(paragraph('Dear {name}, {subject}'), 'letter.docx');
  const invoice = await upload(paragraph('{#lines}{price | number}, {/lines}'), 'invoice.docx');
  const lines = Array.from({ length: 300 }, (_, i) => ({ price: i }));
  await storeGoldenData(db, invoice, { name: 'long', data: Buffer.from(JSON.stringify({ lines })) });
  const broken = await upload(paragraph('{price | number}'), 'broken.docx');
  await storeGoldenData(db, broken, { name: 'text', data: Buffer.from('{"price":"cheap"}') });
  const [rows, objects] = [await countRows(), await listObjects(deps)];

  const line = ['capacity', '--account', accountId, '--rate', '200', '--seconds', '60'];
  const { code, out, problem } = await runProgram(line, env);
  expect(problem).toBe('');
  expect(code).toBe(1);
  const report = out as unknown as Report;

  for (const format of ['docx', 'pdf']) {
    const costs = report.templates.filter((one) => one.format === format);
    expect(costs.map(({ templateId, data }) => [templateId, data]).sort()).toEqual(
      [
        [letter, 'example'],
        [invoice, 'golden'],
      ].sort(),
    );
    for (const { share, documents, cpuMs, renderMs, convertMs, wallMs, peakMb, bytes, pages } of costs) {
      expect(share).toBe(0.5);
      for (const figure of [documents, cpuMs.render, renderMs, peakMb.renderProcess, bytes])
        expect(figure).toBeGreaterThan(0);
      expect(wallMs).toBeGreaterThanOrEqual(renderMs + convertMs);
      if (format === 'docx') expect(pages).toBeNull();
      else {
        for (const figure of [cpuMs.office, convertMs, pages]) expect(figure).toBeGreaterThan(0);
        // LibreOffice with its agent.
        expect(peakMb.slot).toBeGreaterThan(100);
        expect(peakMb.slot).toBeLessThan(2_000);
      }
    }
    const plan = report.plan.filter((one) => one.format === format);
    const busy = report.busy.find((one) => one.format === format);
    expect(busy?.documents).toBeGreaterThanOrEqual(3);
    const find = (component: string) => plan.find((one) => one.component === component);
    const [workers, apis] = [find('worker replicas')?.count ?? 0, find('API replicas')?.count ?? 0];
    expect(find('PostgreSQL')?.postgresConnections).toBe((workers + apis) * 7 + 10);
  }
  expect(report.failed).toMatchObject([
    { templateId: broken, format: 'docx', code: 'data_invalid' },
    { templateId: broken, format: 'pdf', code: 'data_invalid' },
  ]);
  expect(report.leftOut).toEqual([]);
  expect(report.worker.jail).toMatch(/^(bubblewrap|namespaces)/);

  expect(await countRows()).toEqual(rows);
  expect(await listObjects(deps)).toEqual(objects);
});

test('templates that are pinned to another LibreOffice are listed', async () => {
  const { accountId, env, upload } = await newSetup();
  await upload(paragraph('{name}'), 'slow.docx');
  const pinned = await upload(paragraph('{name}'), 'pinned.docx');
  await db.execute(sql`update templates set engine = '3.5' where id = ${pinned}`);
  const line = ['capacity', '--account', accountId, '--rate', '0.5', '--format', 'pdf', '--seconds', '20'];
  const { code, out } = await runProgram(line, env);
  expect(code).toBe(0);
  expect(out).toMatchObject({
    templates: [{ name: 'slow.docx', share: 1 }],
    leftOut: [{ templateId: pinned, reason: expect.stringContaining('pinned to LibreOffice 3.5') }],
  });
});

test('a wrong option and an account without templates are refused with the reason', async () => {
  const { accountId, env } = await newSetup();
  const capacity = (...line: string[]) => runAdmin(['capacity', '--account', accountId, ...line], env);
  const refused = (said: string) => ({ code: 2, problem: expect.stringContaining(said) });
  expect(await capacity('--rate', '10')).toMatchObject(refused('no live template'));
  expect(await capacity('--rate', '0')).toMatchObject(refused('--rate must be'));
  expect(await capacity('--rate', '1', '--format', 'odt')).toMatchObject(refused('--format must be docx, pdf'));
});
