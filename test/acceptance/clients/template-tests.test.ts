import { cpSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildZip } from '../../support/documents/docx-builder.ts';
import { isExtended } from '../../support/extended.ts';
import { useFolder } from '../../support/folder.ts';
import { cliEnv, runCli } from './run-cli.ts';
import { edit, type SampleCase, sampleCase } from './sample-project.ts';
import { harmlessEdits, mistakes } from './seeded-changes.ts';

const { newClient } = await useService(inject('stack'));
const root = useFolder();
let client: TestClient;

// Each test has an account of its own, because previews are limited to 60 a minute.
const useNewAccount = async (): Promise<void> => {
  client = await newClient({ docs: 0, templates: 5 });
};
beforeAll(useNewAccount);
beforeEach(useNewAccount);

interface Result {
  readonly template: string;
  readonly name: string;
  readonly status: string;
  readonly differences: readonly { readonly page?: number; readonly message: string }[];
}

const cli = (line: string) => runCli(line, { cwd: root.path, env: cliEnv(root.path, client) });
const resultsOf = ({ stdout, stderr }: Awaited<ReturnType<typeof cli>>): readonly Result[] => {
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { results: readonly Result[] }).results;
};

function addCase(project: string, template: string, { parts, data, output, compression }: SampleCase): void {
  root.write(`${project}/docmill.json`, '{}');
  root.write(`${project}/templates/${template}.docx`, buildZip(parts, compression));
  root.write(`${project}/cases/${template}/one.json`, data);
  if (Object.keys(output).length > 0)
    root.write(`${project}/cases/${template}/one.rules.json`, JSON.stringify({ output }));
}

const expectedFolder = 'base/cases/letter/one.expected';
beforeAll(async () => {
  addCase('base', 'letter', sampleCase());
  const stdout = expect.stringContaining('no expected pages yet');
  expect(await cli('test base --no-schema')).toMatchObject({ exitCode: 1, stdout });
  expect((await cli('test base --no-schema --update')).exitCode).toBe(0);
});

/** Adds a project with one template for each change, which all have the expected pages of the unchanged one. */
function addChanges(project: string, changes: readonly ((sample: SampleCase) => void)[]): void {
  for (const [index, change] of changes.entries()) {
    const sample = sampleCase();
    change(sample);
    const name = `t${String(index).padStart(2, '0')}`;
    addCase(project, name, sample);
    cpSync(root.at(expectedFolder), root.at(`${project}/cases/${name}/one.expected`), { recursive: true });
  }
}

test('the expected pages are text, a picture and the number of pages', () => {
  const expected = (name: string) => root.read(`${expectedFolder}/${name}`);
  const text = expected('page-1.txt').toString();
  expect(text).toMatch(/^ +72\.1 +[\d.]+ +[\d.]+ {2}Dear Ada Lovelace of London,$/m);
  expect(text).not.toContain('PREVIEW');
  expect(JSON.parse(expected('document.json').toString())).toMatchObject({ pageCount: 1 });
  expect(expected('page-1.png').subarray(1, 4).toString()).toBe('PNG');
});

test('the same templates pass, again and again, and nothing is stored or charged', async () => {
  const stdout = expect.stringMatching(/passed {3}letter \/ one\n.*1 passed, 1 skipped/s);
  expect(await cli('test base')).toMatchObject({ exitCode: 0, stdout });
  for (const list of ['templates', 'jobs']) expect((await client.call('GET', `/v1/${list}`)).json()).toEqual([]);
});

/** A sixth of the changes, and all in the extended tests: each takes the service a PDF. */
const chosen = <T>(changes: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(changes).filter((_, index) => isExtended || index % 6 === 0));

describe('changes of a template', () => {
  test('every mistake fails, with what differs', async () => {
    const seeded = chosen(mistakes);
    const names = Object.keys(seeded);
    addChanges(
      'mistakes',
      Object.values(seeded).map(([change]) => change),
    );
    const run = await cli('test mistakes --no-schema --json --report report.html --junit junit.xml');
    expect(run.exitCode).toBe(1);
    const found = resultsOf(run).map(({ status, differences }, index) => {
      const messages = differences.map(({ message }) => message).join('\n');
      const wanted = Object.values(seeded)[index]?.[1] ?? /never/;
      return [names[index], status, wanted.test(messages) ? 'as expected' : messages];
    });
    expect(found).toEqual(names.map((name) => [name, 'failed', 'as expected']));
    expect(root.text('junit.xml').match(/<failure /g)).toHaveLength(names.length);
    const pictures = root.text('report.html').match(/<img alt="Page 1, difference"/g);
    expect(pictures?.length).toBeGreaterThan(names.length / 2.2);
  });

  test('every harmless edit passes', async () => {
    const edits = chosen(harmlessEdits);
    const names = Object.keys(edits);
    addChanges('harmless', Object.values(edits));
    const run = await cli('test harmless --no-schema --json');
    const found = resultsOf(run).map(({ status, differences }, index) => [names[index], status, differences]);
    expect(found).toEqual(names.map((name) => [name, 'passed', []]));
    expect(run.exitCode).toBe(0);
  });

  test('a mask, a threshold and new expected pages each allow a difference', async () => {
    addChanges('masked', [(sample) => edit(sample, '1F4E79', 'C00000')]);
    const exitCodeWith = async (rules: object) => {
      root.write('masked/docmill.json', JSON.stringify({ test: rules }));
      return (await cli('test masked --no-schema')).exitCode;
    };
    expect(await exitCodeWith({ masks: [{ x: 60, y: 60, width: 400, height: 120 }] })).toBe(0);
    expect(await exitCodeWith({ thresholds: { pixels: 0.05 } })).toBe(0);
    expect(await exitCodeWith({})).toBe(1);
    expect((await cli('test masked --no-schema --update')).stdout).toContain('updated  t00 / one');
    expect(await exitCodeWith({})).toBe(0);
  });
});

test('fields that break clients of the deployed template fail; more optional ones do not', async () => {
  const change = (from = '', to = '') => {
    const sample = sampleCase();
    if (from !== '') edit(sample, from, to);
    addCase('schema', 'bill', sample);
  };
  change();
  expect((await cli('test schema --update')).stdout).toContain('bill.docx is not deployed');
  await client.template('bill.docx', buildZip(sampleCase().parts));
  expect((await cli('test schema')).exitCode).toBe(0);
  change('Kind regards', '{#note}{note}{/note}Kind regards');
  expect((await cli('test schema')).exitCode).toBe(0);
  change('{customer.city}', 'London');
  const run = await cli('test schema --json');
  expect(run.exitCode).toBe(1);
  expect(resultsOf(run)).toMatchObject([
    { name: 'schema', status: 'failed' },
    { name: 'one', status: 'passed' },
  ]);
  expect(run.stdout).toContain('customer.city');
});
