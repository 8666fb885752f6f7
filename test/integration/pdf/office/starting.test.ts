import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareJail, type Jail } from '../../../../src/worker/pdf/office/jail/jail-kinds.ts';
import { startOfficeSlot } from '../../../../src/worker/pdf/office/office-slot.ts';
import { failureOf, poolDefaults, until } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

/** A replacement of the agent: that of the first slot exits at once, the others become warm after its exit. */
const failsOnce = (path: string): string => `#!/usr/bin/python3
import json, os, sys, time
if sys.argv[1] == "-IBc":
    print("${path}")
    sys.exit(0)
slot = os.path.dirname(json.loads(sys.argv[3])["jobsDir"])
first = os.path.join(os.path.dirname(slot), "slot-1")
if slot == first:
    sys.exit(7)
while os.path.exists(first):
    time.sleep(0.01)
print(json.dumps({"event": "ready", "name": "Fake", "version": "0", "confinement": [], "sockets": [], "residentBytes": 1}), flush=True)
for line in sys.stdin:
    print(json.dumps({"event": "started", "id": json.loads(line)["id"]}), flush=True)
`;

test('a slot that fails before the first is warm is started again', async () => {
  const tempDir = await tempDirForTest();
  const pythonPath = join(dirname(tempDir), 'python');
  await writeFile(pythonPath, failsOnce(pythonPath));
  await chmod(pythonPath, 0o755);
  const { pool } = await poolForTest({ tempDir, pythonPath, jail: 'off', slots: 2 });
  await until(() => pool.status().warm === 2);
});

describe('a failed start leaves no folder', () => {
  const programs = {
    soffice: '/bin/false',
    python: '/bin/false',
    bridgeDir: undefined,
    drawsPictureFonts: true,
    allocator: undefined,
  };
  const bare = bareJail({ programs, canDropRoot: false });

  async function start(
    file: string,
    args: readonly string[],
    signal: AbortSignal,
    onBegin: () => void = () => undefined,
  ): Promise<unknown> {
    const tempDir = await tempDirForTest();
    await mkdir(tempDir, { recursive: true });
    const jail: Jail = {
      ...bare,
      wrap: () => ({ file, args, env: {}, uid: undefined }),
      get fileOwner() {
        onBegin();
        return undefined;
      },
    };
    const paths = { slotDir: join(tempDir, 'slot-1'), agentDir: tempDir, marker: `${tempDir}/slot-1` };
    const error = await failureOf(startOfficeSlot({ ...poolDefaults, paths, jail, programs }, signal));
    expect(await readdir(tempDir)).toEqual([]);
    return error;
  }

  test('when the system refuses a new process', async () => {
    const error = await start('/bin/true', ['x'.repeat(3_000_000)], new AbortController().signal);
    expect(error).toMatchObject({ code: 'E2BIG' });
  });

  test('when its program is missing', async () => {
    const error = await start('/nowhere/bwrap', [], new AbortController().signal);
    expect(error).toMatchObject({ message: expect.stringContaining('ENOENT') });
  });

  test('when the pool closes while the folder is created', async () => {
    const closing = new AbortController();
    const error = await start('/bin/sleep', ['600'], closing.signal, () => closing.abort(new Error('closing')));
    expect(error).toMatchObject({ message: 'closing' });
  });

  test('when the pool closes before LibreOffice is warm', async () => {
    const closing = new AbortController();
    setTimeout(() => closing.abort(), 100);
    const error = await start('/bin/sleep', ['600'], closing.signal);
    expect(error).toMatchObject({ message: expect.stringMatching(/stopped|aborted/) });
  });
});
