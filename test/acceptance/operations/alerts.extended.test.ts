import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { useService } from '../../support/client/service-under-test.ts';
import { startWebhookReceiver } from '../../support/faults/webhook-receiver.ts';
import { address, letter } from '../api/samples.ts';
import { alertCases } from './alert-cases.ts';
import { docsLink, readRules, selectorsOf, toRuleTest } from './alert-rules.ts';
import { readSamples } from './read-metrics.ts';

const run = promisify(execFile);
const stack = inject('stack');
const folder = mkdtempSync(join(tmpdir(), 'docmill-alerts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const rules = readRules();

test('every alert has a fault that makes it fire', () => {
  const fired = new Set(alertCases.flatMap(({ fires }) => Object.keys(fires)));
  expect([...fired].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
});

test.each(alertCases)('exactly the right alerts fire: $fault', async (alertCase) => {
  const file = join(folder, `${alertCases.indexOf(alertCase)}.json`);
  writeFileSync(file, toRuleTest(rules, alertCase));
  const { stdout } = await run('promtool', ['test', 'rules', file]).catch((error: { stderr: string }) => {
    throw new Error(error.stderr);
  });
  expect(stdout).toContain('SUCCESS');
});

test('every alert has a section in the runbooks, and every section has its alert', () => {
  const page = 'docs/operations/runbooks.md';
  const sections = readFileSync(page, 'utf8').match(/^## Docmill\w+$/gm) ?? [];
  expect(sections.toSorted()).toEqual(rules.map(({ alert }) => `## ${alert}`).toSorted());
  for (const { alert, annotations } of rules)
    expect(annotations.runbook_url).toBe(`${docsLink}/operations/runbooks.md#${alert.toLowerCase()}`);
});

/** Labels whose values exist only after a fault. */
const faultLabels = new Set(['status', 'code', 'outcome', 'level', 'kind']);
/** Labels that Prometheus adds. */
const ofTargets = new Set(['job', 'instance']);
const notOurs = /^(up$|docmill_backup_|probe_)/;

test('every series that the rules query exists in a running service', async () => {
  const { newClient } = await useService(stack);
  const client = await newClient();
  const hooks = await startWebhookReceiver();
  onTestFinished(() => hooks.close());
  const { id } = await client.template('letter.docx', letter('Dear {name}'));
  const email = { to: [address()], subject: 'Letter', body: 'Your letter' };
  const request = { data: { name: 'Ada' }, output: { format: 'pdf', email }, callbackUrl: hooks.url };
  // A busy machine may refuse the request at first.
  await expect.poll(async () => (await client.generate(id, request)).status).toBe(200);
  expect((await client.call('GET', '/v1/templates/tpl_missing')).status).toBe(404);
  expect((await client.generate(id, { data: { name: { first: 'Ada' } } })).status).toBe(400);
  await expect.poll(() => hooks.received.length).toBeGreaterThan(0);

  const selectors = rules.flatMap(({ expr }) => selectorsOf(expr)).filter(({ metric }) => !notOurs.test(metric));
  const missing = async (): Promise<readonly string[]> => {
    const samples = await readSamples();
    const isThere = ({ metric, equals, labels }: (typeof selectors)[number]) =>
      samples.some(
        (sample) =>
          sample.name === metric &&
          labels.every((label) => ofTargets.has(label) || label in sample.labels) &&
          equals.every(
            ([label, text]) => ofTargets.has(label) || faultLabels.has(label) || sample.labels[label] === text,
          ),
      );
    return selectors.filter((selector) => !isThere(selector)).map(({ metric, labels }) => `${metric} ${labels}`);
  };
  await expect.poll(missing).toEqual([]);
});

test('the operations that runbooks name exist', async () => {
  const contract = (await (await fetch(`${stack.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const named = [
    ...readFileSync('docs/operations/runbooks.md', 'utf8').matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^`]*)`/g),
  ];
  expect(named.length).toBeGreaterThan(0);
  for (const [, method = '', path = ''] of named) {
    expect(Object.keys(contract.paths[path.split('?')[0] ?? ''] ?? {}), path).toContain(method.toLowerCase());
  }
});
