import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../../../support/folder.ts';
import { untilGone } from '../../../support/services/processes.ts';
import { fakeAgentPool as startWith } from './fake-agent.ts';
import { failureOf, page, startTestPool, until } from './office-fixture.ts';
import { tempDirForTest } from './pool-for-test.ts';

const notes = useFolder();
const done = 'say(id=number, event="done", pages=1, residentBytes=1)';

describe('an agent that reports success', () => {
  const half = '%PDF-1.6\\\\n1 0 obj\\\\n<</Type/Catalog>>\\\\nendobj\\\\n';
  test.each([
    ['without a file', ''],
    ['with an empty file', 'open(out, "w").close()'],
    ['with half a PDF', `open(out, "w").write("${half}")`],
    ['with a link to a file outside', 'os.symlink("/etc/passwd", out)'],
    ['with a pipe instead of a file', 'os.mkfifo(out)'],
    ['with a folder instead of a file', 'os.mkdir(out)'],
  ])('%s is not accepted', async (_name, act) => {
    const { pool } = await startWith(`${act}\n${done}`);
    expect(await failureOf(pool.convert({ docx: page('x') }))).toMatchObject({
      code: 'internal',
      message: 'LibreOffice did not write a complete PDF for the document.',
      slotLost: false,
    });
    expect(pool.status().conversions).toBe(0);
  });
});

test('a PDF that ends at the limit of a file is too long, and the document is at fault', async () => {
  const { pool } = await startWith(`with open(out, "wb") as file:\n    file.truncate(200 * 1024 * 1024)\n${done}`);
  const message = 'The PDF of the document is larger than 200 MB.';
  const expected = { code: 'conversion_failed', status: 400, message, retry: false, slotLost: false };
  expect(await failureOf(pool.convert({ docx: page('x') }))).toMatchObject(expected);
});

describe('an agent that misbehaves', () => {
  test.each([
    ['that sends an invalid message', 'print("hello", flush=True)\ntime.sleep(60)'],
    ['that never ends its line', 'sys.stdout.write("x" * 200000)\nsys.stdout.flush()\ntime.sleep(60)'],
    ['that exits without a message', 'sys.exit(0)'],
  ])('%s is killed', async (_name, act) => {
    const { pool } = await startWith(act);
    expect(await failureOf(pool.convert({ docx: page('x') }))).toMatchObject({ code: 'worker_lost', slotLost: true });
    await until(() => pool.status().warm === 1);
  });

  test('that exits counts as lost even if its folder cannot be removed', async () => {
    const { pool, tempDir } = await startWith(
      'open(folder + "/seen", "w").close()\nwhile os.path.isdir(folder): time.sleep(0.05)\nsys.exit(0)',
    );
    const [name = ''] = (await readdir(tempDir)).filter((one) => one.startsWith('pool-'));
    const folder = join(tempDir, name);
    const failure = failureOf(pool.convert({ docx: page('x') }));
    const jobs = join(folder, 'slot-1', 'jobs');
    await until(async () => (await readdir(jobs, { recursive: true })).some((one) => one.endsWith('/seen')));
    // Synchronously: the pool would make the folder again for the replacement.
    renameSync(folder, join(tempDir, 'moved'));
    writeFileSync(folder, '');
    expect(await failure).toMatchObject({ code: 'worker_lost', slotLost: true });
  });

  test('that answers for an earlier document is ignored, and killed with its daemons at the deadline', async () => {
    // The agent may run as another user.
    chmodSync(notes.path, 0o777);
    const daemon = `process = subprocess.Popen(["sleep", "600"], start_new_session=True)
with open("${notes.at('daemon')}", "w") as file: file.write(str(process.pid))
time.sleep(600)`;
    const { pool } = await startWith(`say(id=number - 1, event="done", pages=1, residentBytes=1)\n${daemon}`, {
      convertTimeoutMs: 8_000,
    });
    expect(await failureOf(pool.convert({ docx: page('x') }))).toMatchObject({
      code: 'conversion_timeout',
      slotLost: true,
    });
    await untilGone([Number(notes.text('daemon'))]);
  });
});

test.each([
  ['full', { code: 'unavailable', retry: true, retryAfterSeconds: 5 }],
  ['large', { code: 'conversion_failed', status: 400, retry: false }],
])('a document that is refused at the stage "%s" keeps its slot', async (stage, expected) => {
  const refused = `say(id=number, event="refused", stage="${stage}", reason="x", pages=0, residentBytes=1)`;
  const { pool } = await startWith(refused);
  expect(await failureOf(pool.convert({ docx: page('x') }))).toMatchObject({ ...expected, slotLost: false });
  expect(pool.status()).toMatchObject({ warm: 1, kills: 0, restarts: 0 });
});

test('a slot that is full of what earlier documents left is replaced before it converts the next one', async () => {
  const refused = 'say(id=number, event="refused", stage="leftover", reason="x", pages=0, residentBytes=1)';
  const { pool } = await startWith(`if "/slot-1/" in out:\n    ${refused}\nelse:\n    ${done}`);
  // The next slot takes the document; its PDF is missing.
  expect(await failureOf(pool.convert({ docx: page('x') }))).toMatchObject({ code: 'internal' });
  expect(pool.status()).toMatchObject({ warm: 1, kills: 0, restarts: 1 });
});

test('a caller that gives up no longer waits for a slot', async () => {
  const { pool } = await startWith('time.sleep(600)');
  const caller = new AbortController();
  const all = Array.from({ length: 4 }, () => failureOf(pool.convert({ docx: page('x'), signal: caller.signal })));
  expect(pool.status()).toMatchObject({ busy: 1, waiting: 3 });
  caller.abort(new Error('gone'));
  for (const waiting of all.slice(1)) expect(await waiting).toMatchObject({ message: 'gone' });
  expect(pool.status().waiting).toBe(0);
});

describe('a program that is missing', () => {
  test('is reported with the command that installs it', async () => {
    const tempDir = await tempDirForTest();
    await mkdir(tempDir, { recursive: true });
    await expect(startTestPool({ tempDir, sofficePath: '/nowhere/soffice' })).rejects.toThrow(
      /LibreOffice was not found \(tried \/nowhere\/soffice\).*apt-get install -y .*libreoffice-math-nogui libreoffice-writer-nogui python3-uno/,
    );
    await expect(startTestPool({ tempDir, pythonPath: process.execPath })).rejects.toThrow(
      /uno module \(tried .*apt-get install -y .*python3-uno/,
    );
    expect(await readdir(tempDir)).toEqual([]);
  });

  test('and a LibreOffice that cannot start are reported, and leave nothing', async () => {
    const tempDir = await tempDirForTest();
    await expect(startTestPool({ tempDir, sofficePath: '/bin/false' })).rejects.toThrow(
      /LibreOffice did not become ready: code 3/,
    );
    expect(await readdir(tempDir)).toEqual([]);
  });
});
