import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bareJail, type Jail } from '../../../../src/worker/pdf/office/jail/jail-kinds.ts';
import { startOfficeSlot } from '../../../../src/worker/pdf/office/office-slot.ts';
import { fakeAgentPool } from './fake-agent.ts';
import { failureOf, poolDefaults, until } from './office-fixture.ts';
import { tempDirForTest } from './pool-for-test.ts';

/** The agent of the first slot exits at once, the others become ready after its exit. */
const failsOnce = `
slot = os.path.dirname(settings["jobsDir"])
first = os.path.join(os.path.dirname(slot), "slot-1")
if slot == first:
    sys.exit(7)
while os.path.exists(first):
    time.sleep(0.01)
`;

test('a slot that fails before the first is warm is started again', async () => {
  const { pool } = await fakeAgentPool('pass', { begin: failsOnce, slots: 2 });
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

  test.each([
    ['when the system refuses a new process', '/bin/true', ['x'.repeat(3_000_000)], { code: 'E2BIG' }],
    ['when its program is missing', '/nowhere/bwrap', [], { message: expect.stringContaining('ENOENT') }],
  ])('%s', async (_when, file, args, error) => {
    expect(await start(file, args, new AbortController().signal)).toMatchObject(error);
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
