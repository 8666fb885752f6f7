import { type ChildProcess, execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { type TestClient, useService } from '../../support/client/service-under-test.ts';
import { docxText } from '../../support/documents/document-text.ts';
import { buildDocx, paragraph } from '../../support/documents/docx-builder.ts';
import { useFolder } from '../../support/folder.ts';
import { startForwarder } from './forwarder.ts';
import { cliEnv, runCli, spawnCli, startCli } from './run-cli.ts';

const { newClient, url } = await useService(inject('stack'));
const folder = useFolder();
let client: TestClient;

beforeAll(async () => {
  client = await newClient({ docs: 1_000, templates: 10 });
  await client.template('letter.docx', buildDocx({ body: paragraph('Dear {name}, {n}') }));
});

const options = (address = url) => ({
  cwd: folder.path,
  env: cliEnv(folder.path, { url: address, apiKey: client.apiKey }),
});
const docmill = (line: string, input = '') => runCli(line, { ...options(), input });
const remaining = async () => (await client.quotas()).remaining.total.docs;
const writeRows = (name: string, count: number) =>
  folder.write(name, ['name', ...Array.from({ length: count }, (_, index) => `${name}${index}`), ''].join('\n'));

test('CSV becomes a zip; the same command again costs nothing and downloads it again', async () => {
  writeRows('people.csv', 3);
  const before = await remaining();
  const line = 'batch letter people.csv --filename letter-{name} --yes';
  const first = await docmill(line);
  expect(first, first.stderr).toMatchObject({ exitCode: 0, stdout: `${folder.at('letter.zip')}\n` });
  expect(first.stderr).toMatch(/^3 rows, 3 documents to pay \(\d+ left\)\n[\s\S]*^3\/3 +100%/m);
  expect(first.stderr).toMatch(/bat_[0-9a-z]{26} completed: 3 of 3 documents\./);
  const names = execFileSync('unzip', ['-Z1', folder.at('letter.zip')], { encoding: 'utf8' }).split('\n');
  expect(names).toEqual([...[0, 1, 2].map((row) => `letter-people.csv${row}.docx`), 'manifest.csv', '']);
  rmSync(folder.at('letter.zip'));
  const second = await docmill(line);
  expect(second, second.stderr).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('has been made and paid'),
  });
  expect(folder.list()).toContain('letter.zip');
  expect(await remaining()).toBe(before - 3);
  const third = await docmill(`${line} --new --no-wait --force --json`);
  const { id } = JSON.parse(third.stdout) as { id: string };
  expect(await remaining()).toBe(before - 6);
  expect((await docmill(`batch resume ${id} --output again.zip`)).exitCode).toBe(0);
});

test('a cell of CSV with two meanings is reported before anything is paid, and its format can be stated', async () => {
  await client.template('bill.docx', buildDocx({ body: paragraph('Total {total | number:2}') }));
  folder.write('bills.csv', 'total\n1.234\n');
  const asked = await docmill('batch bill bills.csv --dry-run');
  expect(asked.stderr).toContain(
    'row 1: data.total: "1.234" can be 1.234 or 1234; state columnFormats=total:decimalPoint',
  );
  const made = await docmill('batch bill bills.csv --column-format total:decimalComma -o bills/ --yes');
  expect(made, made.stderr).toMatchObject({ exitCode: 0 });
  const [file = ''] = folder.list('bills');
  expect(docxText(readFileSync(folder.at(`bills/${file}`)))).toBe('Total 1,234.00');
});

test('a JSON array becomes files in a folder; a row that fails is reported, costs nothing and sets the exit code to 1', async () => {
  const rows = [{ data: { name: 'Ada', n: 1 } }, { data: { name: 'Grace' }, output: { locale: 'xx-nonsense-zz' } }];
  folder.write('rows.json', JSON.stringify(rows));
  const before = await remaining();
  const { exitCode, stdout, stderr } = await docmill('batch letter rows.json -o letters --json --yes');
  expect(exitCode, stderr).toBe(1);
  const made = { status: 'completed', bundle: 'none', failures: [{ row: 2 }], files: [expect.any(String)] };
  expect(JSON.parse(stdout)).toMatchObject(made);
  expect(folder.list('letters')).toHaveLength(1);
  expect(stderr).toMatch(/1 rows are invalid[\s\S]*row 2: .*locale/);
  expect(await remaining()).toBe(before - 1);
});

test('rows come from standard input, with options that only JSON has', async () => {
  folder.write('options.json', JSON.stringify({ pdf: { accessible: true } }));
  const line = 'batch letter - -f pdf --output-options options.json -o all.pdf --yes';
  const { exitCode, stderr } = await docmill(line, '{"name":"Ada","n":1.50}\n{"name":"Grace"}\n');
  expect(exitCode, stderr).toBe(0);
  expect(folder.read('all.pdf').subarray(0, 5).toString()).toBe('%PDF-');
});

test('--dry-run charges and stores nothing, and exits with 6 when too few documents are left', async () => {
  writeRows('many.csv', 2_000);
  const before = await remaining();
  const dry = await docmill('batch letter many.csv --dry-run --json');
  expect(dry.exitCode).toBe(6);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, rows: 2_000, cost: 2_000, fits: false });
  const refused = await docmill('batch letter many.csv -o many.zip');
  expect(refused).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('The batch costs 2000 documents') });
  expect(await remaining()).toBe(before);
});

test('without a terminal nothing is paid for unless --yes is given', async () => {
  writeRows('asked.csv', 1);
  const before = await remaining();
  const refused = await docmill('batch letter asked.csv -o asked --json');
  const { error } = JSON.parse(refused.stderr.split('\n').find((line) => line.startsWith('{')) ?? '') as {
    error: { message: string; hint: string };
  };
  expect(refused.exitCode).toBe(2);
  expect([error.message, error.hint]).toEqual([
    expect.stringContaining('without a terminal'),
    expect.stringContaining('--yes'),
  ]);
  expect(await remaining()).toBe(before);
  expect((await docmill('batch letter asked.csv -o asked --yes')).exitCode).toBe(0);
});

test('a column of the file name that does not exist is refused, also in a dry run', async () => {
  writeRows('named.csv', 2);
  for (const more of ['--dry-run', '--yes'])
    expect(await docmill(`batch letter named.csv -o named --filename letter-{nmae} ${more}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no row has a value for {nmae}'),
    });
});

test('an existing file is refused before anything is sent', async () => {
  writeRows('kept.csv', 1);
  folder.write('kept.zip', 'mine');
  const before = await remaining();
  expect((await docmill('batch letter kept.csv -o kept.zip')).exitCode).toBe(2);
  expect(folder.text('kept.zip')).toBe('mine');
  expect(await remaining()).toBe(before);
});

test('batches are listed and shown with their failed rows', async () => {
  folder.write('shown.json', JSON.stringify([{ data: {} }, { data: {}, output: { locale: 'xx-nonsense-zz' } }]));
  await docmill('batch letter shown.json -o shown --yes');
  const [batch] = JSON.parse((await docmill('batch list --json')).stdout) as readonly { id: string; bundle: string }[];
  expect(batch).toMatchObject({ bundle: 'none' });
  const id = batch?.id ?? '';
  expect((await docmill(`batch show ${id}`)).stdout).toMatch(/status +completed/);
  expect((await docmill(`batch show ${id} --failed`)).stdout).toMatch(/^ROW +JOB +REASON\n2 /);
  expect((await docmill(`batch cancel ${id}`)).exitCode).toBe(7);
  expect((await docmill(`batch retry ${id} --dry-run`)).stdout).toMatch(/rows to retry/);
});

describe('interruptions', () => {
  const sent = /^POST .*\/batches\?(?!.*dryRun)/;

  test('after Ctrl-C the batch continues at the service, and resume gets its result', async () => {
    writeRows('long.csv', 4);
    const before = await remaining();
    const forwarder = await startForwarder(url, {
      answer: (request) => request.includes('/events') && run.interrupt(),
    });
    onTestFinished(() => forwarder.close());
    const run = startCli('batch letter long.csv -f pdf -o long.zip --yes', options(forwarder.url));
    const { exitCode, stderr } = await run.ended;
    expect(exitCode, stderr).toBe(130);
    const id = /docmill batch resume (bat_[0-9a-z]{26})/.exec(stderr)?.[1] ?? '';
    expect(await docmill(`batch resume ${id}`)).toMatchObject({ exitCode: 0, stdout: `${folder.at('long.zip')}\n` });
    expect(await remaining()).toBe(before - 4);
  });

  test.each([
    ['before the service has the rows', 'request', sent, 1],
    ['before the answer to the rows arrives', 'answer', sent, 1],
    ['while the rows are made', 'answer', /^GET .*\/events/, 1],
    ['while the documents are downloaded', 'answer', /^GET .*\/content/, 3],
  ] as const)('a process that is killed %s never pays twice', async (_, when, pattern, count) => {
    const name = `${when}-${pattern === sent ? 'rows' : count}`;
    writeRows(`${name}.csv`, 5);
    const before = await remaining();
    const line = `batch letter ${name}.csv -o ${name} --yes`;
    let child: ChildProcess | undefined;
    let left = count;
    const forwarder = await startForwarder(url, {
      async [when](request: string) {
        if (!pattern.test(request) || --left !== 0) return;
        child?.kill('SIGKILL');
        // From here on nothing more reaches the other side.
        await new Promise(() => undefined);
      },
    });
    onTestFinished(() => forwarder.close());
    const killed = await spawnCli(line, options(forwarder.url), (started) => {
      child = started;
    });
    expect(killed).toMatchObject({ exitCode: null });
    const again = await runCli(line, options(forwarder.url));
    expect(again.exitCode, again.stderr).toBe(0);
    expect(before - (await remaining())).toBe(5);
    // A download that was in progress leaves its temporary file, which ends in .part.
    expect(folder.list(name).filter((file) => file.endsWith('.docx'))).toHaveLength(5);
    expect((await runCli(line, options(forwarder.url))).exitCode).toBe(0);
    expect(before - (await remaining())).toBe(5);
  });
});
