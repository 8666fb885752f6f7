import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type PlannedComponent, planCapacity } from '../../../src/admin/capacity/plan-capacity.ts';
import type { TemplateCost } from '../../../src/admin/capacity/replay.ts';
import { createTemplate } from '../../../src/shared/domain/templates/create-template.ts';
import { storeGoldenData } from '../../../src/shared/domain/templates/golden-data.ts';
import { removeTemplate } from '../../../src/shared/domain/templates/remove-template.ts';
import type { WorkerDeps } from '../../../src/worker/deps.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { newAccount, templateInput } from '../../support/domain/accounts.ts';
import { useOwnDatabase } from '../../support/services/database.ts';
import { newWorkerDeps } from '../../support/services/worker-deps.ts';
import { runProgram, storageVariables } from './run-admin.ts';

const { db, url } = await useOwnDatabase();
const timeoutMs = 300_000;

async function addTemplate({ objects }: WorkerDeps, accountId: string, name: string, body: string): Promise<string> {
  const bytes = buildDocx({ body });
  const checksum = createHash('sha256').update(bytes).digest('hex');
  const objectKey = `templates/${accountId}/${name}`;
  await objects.put(objectKey, bytes, 'application/octet-stream');
  return (await createTemplate(db, templateInput(accountId, { name, objectKey, checksum, sizeBytes: bytes.length })))
    .id;
}

/** An account without templates, and the environment of a worker. */
async function newSetup() {
  const deps = await newWorkerDeps(db, url);
  const { accountId, templateId } = await newAccount(db, { templates: 10, docs: 10 });
  await removeTemplate(db, accountId, templateId);
  const env = {
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: '7',
    REDIS_URL: 'redis://127.0.0.1:1',
    ...storageVariables(deps.config),
    OFFICE_SLOTS: '2',
    RENDER_PROCESSES: '2',
  };
  return { deps, accountId, env };
}

async function countRows(): Promise<readonly unknown[]> {
  const tables = [
    'generations',
    'ledger',
    'deliveries',
    'usage_days',
    'conversion_failures',
    'template_failures',
    'audit_log',
  ];
  const { rows: existing } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const names = existing.map(({ name }) => name).filter((name) => tables.includes(name));
  return await Promise.all(
    names.map(
      async (name) =>
        (await db.execute(sql`select ${name}::text as name, count(*) from ${sql.identifier(name)}`)).rows[0],
    ),
  );
}

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

test(
  'the templates of an account are measured on real engines, and a rate is planned, without a trace in the service',
  async () => {
    const { deps, accountId, env } = await newSetup();
    const letter = await addTemplate(deps, accountId, 'letter.docx', paragraph('Dear {name}, {subject}'));
    const invoice = await addTemplate(deps, accountId, 'invoice.docx', paragraph('{#lines}{price | number}, {/lines}'));
    const lines = Array.from({ length: 300 }, (_, i) => ({ price: i }));
    await storeGoldenData(db, invoice, { name: 'long', data: Buffer.from(JSON.stringify({ lines })) });
    const broken = await addTemplate(deps, accountId, 'broken.docx', paragraph('{price | number}'));
    await storeGoldenData(db, broken, { name: 'text', data: Buffer.from('{"price":"cheap"}') });
    const [rows, objects] = [await countRows(), await listObjects(deps)];

    const startMs = performance.now();
    const { code, out, problem } = await runProgram(
      ['capacity', '--account', accountId, '--rate', '200', '--seconds', '30'],
      env,
    );
    const seconds = (performance.now() - startMs) / 1_000;
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
      const worker = {
        ...report.worker,
        renderProcesses: 2,
        officeSlots: 2,
        databasePoolSize: 7,
        inlineMaxBytes: 8 * 1024 ** 2,
      };
      const planned = (rate: number): number =>
        planCapacity(costs, undefined, worker, rate).find(({ component }) => component === 'worker replicas')?.count ??
        0;
      expect(planned(4_000)).toBeGreaterThan(1.9 * planned(2_000) - 1);
      expect(planned(4_000)).toBeLessThanOrEqual(2 * planned(2_000));
    }
    expect(report.failed).toHaveLength(2);
    expect(report.failed).toMatchObject([
      { templateId: broken, format: 'docx', code: 'data_invalid' },
      { templateId: broken, format: 'pdf', code: 'data_invalid' },
    ]);
    expect(report.leftOut).toEqual([]);
    expect(report.worker.jail).toMatch(/^(bubblewrap|namespaces)/);

    // Thirty seconds of measuring, and the start of the program and of LibreOffice.
    expect(seconds).toBeLessThan(100);
    expect(await countRows()).toEqual(rows);
    expect(await listObjects(deps)).toEqual(objects);
  },
  timeoutMs,
);

test(
  'templates that no time is left for, or another LibreOffice must lay out, are listed',
  async () => {
    const { deps, accountId, env } = await newSetup();
    await addTemplate(deps, accountId, 'slow.docx', paragraph('{name}'));
    const pinned = await addTemplate(deps, accountId, 'pinned.docx', paragraph('{name}'));
    await db.execute(sql`update templates set engine = '3.5' where id = ${pinned}`);
    const line = ['capacity', '--account', accountId, '--rate', '0.5', '--format', 'pdf', '--seconds', '10'];
    const { code, out } = await runProgram(line, env);
    expect(code).toBe(0);
    expect(out).toMatchObject({
      templates: [{ name: 'slow.docx', share: 1 }],
      leftOut: [{ templateId: pinned, reason: expect.stringContaining('pinned to LibreOffice 3.5') }],
    });
  },
  timeoutMs,
);

test(
  'what cannot be measured is an error that says why',
  async () => {
    const { accountId, env } = await newSetup();
    const capacity = (...line: string[]) => runProgram(['capacity', '--account', accountId, ...line], env);
    expect(await capacity('--rate', '10')).toMatchObject({
      code: 2,
      problem: expect.stringContaining('no live template'),
    });
    expect(await capacity('--rate', '0')).toMatchObject({
      code: 2,
      problem: expect.stringContaining('--rate must be'),
    });
    const format = await capacity('--rate', '1', '--format', 'odt');
    expect(format).toMatchObject({ code: 2, problem: expect.stringContaining('--format must be docx, pdf') });
  },
  timeoutMs,
);
