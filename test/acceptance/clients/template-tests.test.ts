import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildZip } from '../../support/documents/docx-builder.ts';
import { type CliRun, runCli } from './run-cli.ts';
import { edit, type SampleCase, sampleCase } from './sample-project.ts';
import { harmlessEdits, mistakes } from './seeded-changes.ts';

const { newClient, url } = await useService(inject('stack'));
const root = mkdtempSync(join(tmpdir(), 'docmill-template-tests-'));
let client: TestClient;

// An account of its own for each test: previews are limited to 60 a minute.
const useNewAccount = async (): Promise<void> => {
  client = await newClient({ docs: 0, templates: 5 });
};
beforeAll(useNewAccount);
beforeEach(useNewAccount);
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Result {
  readonly template: string;
  readonly name: string;
  readonly status: string;
  readonly differences: readonly { readonly page?: number; readonly message: string }[];
}

const cli = (...words: readonly string[]): Promise<CliRun> => runCli(words, { url, apiKey: client.apiKey });
const resultsOf = ({ stdout, stderr }: CliRun): readonly Result[] => {
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { results: readonly Result[] }).results;
};

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

function addCase(project: string, template: string, { parts, data, output, compression }: SampleCase): void {
  write(`${project}/docmill.json`, '{}');
  write(`${project}/templates/${template}.docx`, buildZip(parts, compression));
  write(`${project}/cases/${template}/one.json`, data);
  if (Object.keys(output).length > 0) write(`${project}/cases/${template}/one.rules.json`, JSON.stringify({ output }));
}

const expectedFolder = 'base/cases/letter/one.expected';
beforeAll(async () => {
  addCase('base', 'letter', sampleCase());
  const missing = await cli('test', join(root, 'base'), '--no-schema');
  expect(missing, missing.stderr).toMatchObject({
    exitCode: 1,
    stdout: expect.stringContaining('no expected pages yet') as string,
  });
  expect((await cli('test', join(root, 'base'), '--no-schema', '--update')).exitCode).toBe(0);
});

/** A project with one template for each change, which all have the expected pages of the unchanged one. */
function addChanges(project: string, changes: readonly ((sample: SampleCase) => void)[]): string {
  for (const [index, change] of changes.entries()) {
    const sample = sampleCase();
    change(sample);
    const name = `t${String(index).padStart(2, '0')}`;
    addCase(project, name, sample);
    cpSync(join(root, expectedFolder), join(root, `${project}/cases/${name}/one.expected`), { recursive: true });
  }
  return join(root, project);
}

test('the expected pages are text, a picture and the number of pages', () => {
  const text = readFileSync(join(root, expectedFolder, 'page-1.txt'), 'utf8');
  expect(text).toMatch(/^ +72\.1 +[\d.]+ +[\d.]+ {2}Dear Ada Lovelace of London,$/m);
  expect(text).not.toContain('PREVIEW');
  expect(JSON.parse(readFileSync(join(root, expectedFolder, 'document.json'), 'utf8'))).toMatchObject({ pageCount: 1 });
  expect(
    readFileSync(join(root, expectedFolder, 'page-1.png'))
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

test('the same templates pass, again and again, and nothing is stored or charged', async () => {
  const run = await cli('test', join(root, 'base'));
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/passed {3}letter \/ one\n.*1 passed, 1 skipped/s) as string,
  });
  expect((await client.call('GET', '/v1/templates')).json()).toEqual([]);
  expect((await client.call('GET', '/v1/jobs')).json()).toEqual([]);
});

describe('changes of a template', () => {
  test('every mistake is red, with what differs', { timeout: 900_000 }, async () => {
    const names = Object.keys(mistakes);
    expect(names.length).toBeGreaterThanOrEqual(20);
    const folder = addChanges(
      'mistakes',
      Object.values(mistakes).map(([change]) => change),
    );
    const [report, junit] = [join(root, 'report.html'), join(root, 'junit.xml')];
    const run = await cli('test', folder, '--no-schema', '--json', '--report', report, '--junit', junit);
    expect(run.exitCode).toBe(1);
    const results = resultsOf(run);
    const found = results.map(({ status, differences }, index) => {
      const messages = differences.map(({ message }) => message).join('\n');
      const wanted = Object.values(mistakes)[index]?.[1] ?? /never/;
      return [names[index], status, wanted.test(messages) ? 'as expected' : messages];
    });
    expect(found).toEqual(names.map((name) => [name, 'failed', 'as expected']));
    expect(readFileSync(junit, 'utf8').match(/<failure /g)).toHaveLength(names.length);
    expect(readFileSync(report, 'utf8').match(/<img alt="Page 1, difference"/g)?.length).toBeGreaterThan(10);
  });

  test('every harmless edit stays green', { timeout: 900_000 }, async () => {
    const names = Object.keys(harmlessEdits);
    expect(names.length).toBeGreaterThanOrEqual(20);
    const run = await cli('test', addChanges('harmless', Object.values(harmlessEdits)), '--no-schema', '--json');
    const found = resultsOf(run).map(({ status, differences }, index) => [names[index], status, differences]);
    expect(found).toEqual(names.map((name) => [name, 'passed', []]));
    expect(run.exitCode).toBe(0);
  });

  test('a mask and a threshold allow a difference', { timeout: 600_000 }, async () => {
    const sample = sampleCase();
    edit(sample, '1F4E79', 'C00000');
    addCase('masked', 'letter', sample);
    cpSync(join(root, expectedFolder), join(root, 'masked/cases/letter/one.expected'), { recursive: true });
    const folder = join(root, 'masked');
    write('masked/docmill.json', JSON.stringify({ test: { masks: [{ x: 60, y: 60, width: 400, height: 120 }] } }));
    expect((await cli('test', folder, '--no-schema')).exitCode).toBe(0);
    write('masked/docmill.json', JSON.stringify({ test: { thresholds: { pixels: 0.05 } } }));
    expect((await cli('test', folder, '--no-schema')).exitCode).toBe(0);
    write('masked/docmill.json', '{}');
    expect((await cli('test', folder, '--no-schema')).exitCode).toBe(1);
    expect((await cli('test', folder, '--no-schema', '--update')).stdout).toContain('updated  letter / one');
    expect((await cli('test', folder, '--no-schema')).exitCode).toBe(0);
  });
});

test('fields that break clients of the deployed template fail; more optional ones do not', {
  timeout: 600_000,
}, async () => {
  addCase('schema', 'bill', sampleCase());
  expect((await cli('test', join(root, 'schema'), '--update')).stdout).toContain('bill.docx is not deployed');
  await client.template('bill.docx', buildZip(sampleCase().parts));
  expect((await cli('test', join(root, 'schema'))).exitCode).toBe(0);
  const optional = sampleCase();
  edit(optional, 'Kind regards', '{#note}{note}{/note}Kind regards');
  addCase('schema', 'bill', optional);
  expect((await cli('test', join(root, 'schema'))).exitCode).toBe(0);
  const breaking = sampleCase();
  edit(breaking, '{customer.city}', 'London');
  addCase('schema', 'bill', breaking);
  const run = await cli('test', join(root, 'schema'), '--json');
  expect(run.exitCode).toBe(1);
  expect(resultsOf(run).map(({ name, status }) => [name, status])).toEqual([
    ['schema', 'failed'],
    ['one', 'passed'],
  ]);
  expect(run.stdout).toContain('customer.city');
});

test('a wrong project, key or address has its own exit code', { timeout: 600_000 }, async () => {
  expect(await cli('test', join(root, 'nowhere'))).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('docmill.json is missing') as string,
  });
  expect((await cli('test', join(root, 'base'), '--filter', 'nothing')).exitCode).toBe(2);
  expect((await runCli(['test', join(root, 'base')], { url, apiKey: 'dm_wrong' })).exitCode).toBe(3);
});
