import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf, page, processesMarked, startTestPool, type TestPool, until } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

/** Replaces the agent by an interpreter that claims to have uno and runs `act` for every document. */
const agent = (path: string, act: string): string => `#!/usr/bin/python3
import json, os, subprocess, sys, time
if sys.argv[1] == "-IBc":
    print("${path}")
    sys.exit(0)
settings = json.loads(sys.argv[3])
def say(**message):
    print(json.dumps(message), flush=True)
say(event="ready", version="0", confinement=[], sockets=[], residentBytes=1)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    folder = os.path.join(settings["jobsDir"], request["folder"])
    out = os.path.join(folder, "out.pdf")
    say(id=number, event="started")
${act
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`;

const done = 'say(id=number, event="done", pages=1, residentBytes=1)';

async function startWith(act: string, convertTimeoutMs = 30_000): Promise<TestPool> {
  const tempDir = await tempDirForTest();
  const path = join(dirname(tempDir), 'python');
  await writeFile(path, agent(path, act));
  await chmod(path, 0o755);
  return poolForTest({ tempDir, pythonPath: path, jail: 'off', convertTimeoutMs });
}

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
    const office = await startWith(`${act}\n${done}`);
    const error = await failureOf(office.pool.convert({ docx: page('x') }));
    expect(error).toMatchObject({
      code: 'internal',
      message: 'LibreOffice did not write a complete PDF for the document.',
    });
    expect(error).toMatchObject({ slotLost: false });
    expect(office.pool.status().conversions).toBe(0);
  });
});

describe('an agent that misbehaves', () => {
  test.each([
    ['that sends an invalid message', 'print("hello", flush=True)\ntime.sleep(60)'],
    ['that never ends its line', 'sys.stdout.write("x" * 200000)\nsys.stdout.flush()\ntime.sleep(60)'],
    ['that exits without a message', 'sys.exit(0)'],
  ])('%s is killed', async (_name, act) => {
    const office = await startWith(act);
    const error = await failureOf(office.pool.convert({ docx: page('x') }));
    expect(error).toMatchObject({ code: 'worker_lost', slotLost: true });
    await until(() => office.pool.status().warm === 1);
  });

  test('that answers for an earlier document is ignored', async () => {
    const office = await startWith('say(id=number - 1, event="done", pages=1, residentBytes=1)\ntime.sleep(60)', 4_500);
    expect(await failureOf(office.pool.convert({ docx: page('x') }))).toMatchObject({ code: 'conversion_timeout' });
  });

  test('that leaves a daemon with its pipes is killed at the deadline, with the daemon', async () => {
    const office = await startWith(
      'subprocess.Popen(["sleep", "600"], start_new_session=True)\ntime.sleep(600)',
      5_000,
    );
    const pools = await readdir(office.tempDir);
    const startedAt = performance.now();
    const failure = failureOf(office.pool.convert({ docx: page('x') }));
    await until(async () => (await processesMarked(pools, 'sleep')).length === 1);
    expect(await failure).toMatchObject({ code: 'conversion_timeout', slotLost: true });
    expect(performance.now() - startedAt).toBeLessThan(40_000);
    expect(await processesMarked(pools, 'sleep')).toEqual([]);
  });
});

describe('a program that is missing', () => {
  test('is reported with the command that installs it', async () => {
    const tempDir = await tempDirForTest();
    await mkdir(tempDir, { recursive: true });
    await expect(startTestPool({ tempDir, sofficePath: '/nowhere/soffice' })).rejects.toThrow(
      /LibreOffice was not found \(tried \/nowhere\/soffice\).*apt-get install -y .*libreoffice-writer-nogui python3-uno/,
    );
    await expect(startTestPool({ tempDir, pythonPath: process.execPath })).rejects.toThrow(
      /uno module \(tried .*apt-get install -y .*python3-uno/,
    );
    expect(await readdir(tempDir)).toEqual([]);
  });

  test('and a LibreOffice that cannot start are reported at once', async () => {
    const tempDir = await tempDirForTest();
    await expect(startTestPool({ tempDir, sofficePath: '/bin/false', startTimeoutMs: 10_000 })).rejects.toThrow(
      /LibreOffice did not become ready: code 3/,
    );
    expect(await readdir(tempDir)).toEqual([]);
  });
});
