import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { type CliOptions, runCommand } from './cli-process.ts';

const stack = inject('stack');
const { newClient } = await useService(stack);
const folder = mkdtempSync(join(tmpdir(), 'docmill-batch-'));
let client: TestClient;

beforeAll(async () => {
  client = await newClient({ docs: 1_000, templates: 10 });
  await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}, {n}') }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => join(folder, name);
const docmill = (words: readonly string[], options: Partial<CliOptions> = {}) =>
  runCommand(words, { cwd: folder, env: { DOCMILL_URL: stack.url, DOCMILL_API_KEY: client.apiKey }, ...options });
const remaining = async () => (await client.quotas()).remaining.total.docs;
const csv = (prefix: string, count: number) =>
  ['name', ...Array.from({ length: count }, (_, index) => `${prefix}${index}`), ''].join('\n');

describe('docmill batch', () => {
  test('CSV becomes a zip; the same command again costs nothing and downloads it again', async () => {
    writeFileSync(file('people.csv'), csv('Ada', 3));
    const before = await remaining();
    const words = ['batch', 'letter', 'people.csv', '--filename', 'letter-{name}'];
    const first = await docmill(words);
    expect({ exitCode: first.exitCode, stdout: first.stdout }, first.stderr).toEqual({
      exitCode: 0,
      stdout: `${file('letter.zip')}\n`,
    });
    expect(first.stderr).toMatch(/^3 rows, 3 documents to pay \(\d+ left\)\n/);
    expect(first.stderr).toMatch(/bat_[0-9a-z]{26} completed: 3 of 3 documents\./);
    const names = execFileSync('unzip', ['-Z1', file('letter.zip')], { encoding: 'utf8' });
    expect(names.split('\n')).toEqual(['letter-Ada0.docx', 'letter-Ada1.docx', 'letter-Ada2.docx', 'manifest.csv', '']);
    rmSync(file('letter.zip'));
    const second = await docmill(words);
    expect(second.exitCode, second.stderr).toBe(0);
    expect(second.stderr).toContain('has been made and paid for');
    expect(existsSync(file('letter.zip'))).toBe(true);
    expect(await remaining()).toBe(before - 3);
    const third = await docmill([...words, '--new', '--no-wait', '--force', '--json']);
    const { id } = JSON.parse(third.stdout) as { id: string };
    expect(await remaining()).toBe(before - 6);
    expect((await docmill(['batch', 'resume', id, '--output', 'again.zip'])).exitCode).toBe(0);
  });

  test('a JSON array into a folder; a row that fails is reported, costs nothing and makes the exit code 1', async () => {
    const rows = [{ data: { name: 'Ada', n: 1 } }, { data: { name: 'Grace' }, output: { locale: 'xx-nonsense-zz' } }];
    writeFileSync(file('rows.json'), JSON.stringify(rows));
    const before = await remaining();
    const { exitCode, stdout, stderr } = await docmill(['batch', 'letter', 'rows.json', '-o', 'letters', '--json']);
    expect(exitCode, stderr).toBe(1);
    const result = JSON.parse(stdout) as { files: readonly string[]; failures: readonly unknown[] };
    expect(result).toMatchObject({ status: 'completed', bundle: 'none', failures: [{ row: 2 }] });
    expect(readdirSync(file('letters'))).toHaveLength(1);
    expect(result.files).toHaveLength(1);
    expect(stderr).toMatch(/1 rows are invalid[\s\S]*row 2: .*locale/);
    expect(await remaining()).toBe(before - 1);
  });

  test('rows from standard input, with options that only JSON has', async () => {
    writeFileSync(file('options.json'), JSON.stringify({ pdf: { accessible: true } }));
    const words = ['batch', 'letter', '-', '-f', 'pdf', '--output-options', 'options.json', '-o', 'all.pdf'];
    const { exitCode, stderr } = await docmill(words, { input: '{"name":"Ada","n":1.50}\n{"name":"Grace"}\n' });
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(file('all.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('--dry-run charges and stores nothing; too few documents left are 6', async () => {
    writeFileSync(file('many.csv'), csv('Many', 2_000));
    const before = await remaining();
    const dry = await docmill(['batch', 'letter', 'many.csv', '--dry-run', '--json']);
    expect(dry.exitCode).toBe(6);
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, rows: 2_000, cost: 2_000, fits: false });
    const refused = await docmill(['batch', 'letter', 'many.csv', '-o', 'many.zip']);
    expect(refused.exitCode, refused.stderr).toBe(6);
    expect(refused.stderr).toContain('The batch costs 2000 documents');
    expect(await remaining()).toBe(before);
  });

  test('a file that exists is refused before anything is sent', async () => {
    writeFileSync(file('kept.zip'), 'mine');
    const before = await remaining();
    const { exitCode } = await docmill(['batch', 'letter', 'people.csv', '--new', '-o', 'kept.zip']);
    expect(exitCode).toBe(2);
    expect(readFileSync(file('kept.zip'), 'utf8')).toBe('mine');
    expect(await remaining()).toBe(before);
  });
});

describe('interruptions', () => {
  test('Ctrl-C leaves the batch at the service, and resume gets its result', async () => {
    writeFileSync(file('long.csv'), csv('Long', 24));
    const before = await remaining();
    const words = ['batch', 'letter', 'long.csv', '-f', 'pdf', '-o', 'long.zip'];
    let isSent = false;
    const first = await docmill(words, {
      onMessage: (child, text) => {
        if (isSent || !/^\d+\/24/m.test(text)) return;
        isSent = true;
        child.kill('SIGINT');
      },
    });
    expect(first.exitCode, first.stderr).toBe(130);
    const id = /docmill batch resume (bat_[0-9a-z]{26})/.exec(first.stderr)?.[1] ?? '';
    const resumed = await docmill(['batch', 'resume', id]);
    expect({ exitCode: resumed.exitCode, stdout: resumed.stdout }, resumed.stderr).toEqual({
      exitCode: 0,
      stdout: `${file('long.zip')}\n`,
    });
    expect(await remaining()).toBe(before - 24);
  });

  test('a process that is killed at any time never pays twice', async () => {
    writeFileSync(file('killed.csv'), csv('Killed', 20));
    const before = await remaining();
    const words = ['batch', 'letter', 'killed.csv', '-o', 'killed', '--yes', '--force'];
    let isDone = false;
    // Each run is killed a little later after its start than the one before it, up to one that ends by itself.
    for (let delayMs = 200; !isDone; delayMs = Math.ceil(delayMs * 1.35)) {
      const run = await docmill(words, {
        onStart: (child) => void pause(delayMs, undefined, { ref: false }).then(() => child.kill('SIGKILL')),
      });
      isDone = run.exitCode === 0;
    }
    expect(before - (await remaining())).toBe(20);
    expect(readdirSync(file('killed')).filter((name) => name.endsWith('.docx'))).toHaveLength(20);
    const ended = await docmill(words);
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(before - (await remaining())).toBe(20);
  });

  test.each(['batch is stored', 'answer arrives'])('killed when the %s, it continues the same batch', async (when) => {
    const name = when === 'answer arrives' ? 'answer' : 'request';
    writeFileSync(file(`${name}.csv`), csv(name, 5));
    const before = await remaining();
    const words = ['batch', 'letter', `${name}.csv`, '-o', `${name}.zip`];
    const state = file('.local/state/docmill/batches');
    const hasRecord = () =>
      readdirSync(state).some((entry) => {
        if (!entry.endsWith('.json')) return false;
        const record = JSON.parse(readFileSync(join(state, entry), 'utf8')) as { output: string; batchId?: string };
        return record.output === file(`${name}.zip`) && (when !== 'answer arrives' || record.batchId !== undefined);
      });
    await docmill(words, {
      onStart: (child) =>
        void (async () => {
          while (child.exitCode === null && child.signalCode === null && !hasRecord()) await pause(1);
          child.kill('SIGKILL');
        })(),
    });
    expect((await docmill(words)).exitCode).toBe(0);
    expect(before - (await remaining())).toBe(5);
  });
});

describe('batches', () => {
  test('are listed and shown with their failed rows', async () => {
    const { stdout } = await docmill(['batch', 'list', '--json']);
    const list = JSON.parse(stdout) as readonly { id: string; bundle: string }[];
    expect(list.length).toBeGreaterThan(3);
    const id = list.find(({ bundle }) => bundle === 'none')?.id ?? '';
    expect((await docmill(['batch', 'show', id])).stdout).toMatch(/status +completed/);
    expect((await docmill(['batch', 'show', id, '--failed'])).stdout).toMatch(/^ROW +JOB +REASON/);
    expect((await docmill(['batch', 'cancel', id])).exitCode).toBe(7);
    expect((await docmill(['batch', 'retry', id, '--dry-run'])).stdout).toMatch(/rows to retry/);
    expect((await docmill(['batch', 'show', '../jobs'])).exitCode).toBe(4);
  });
});
