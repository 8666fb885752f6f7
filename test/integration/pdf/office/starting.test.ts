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

test.each([1, 2])('a slot of %i that fails before the first is warm is started again', async (slots) => {
  const { pool } = await fakeAgentPool('pass', { begin: failsOnce, slots });
  await until(() => pool.status().warm === slots);
});

describe('a failed start leaves no folder', () => {
  const programs = {
    soffice: '/bin/false',
    python: '/bin/false',
    bridgeDir: undefined,
    drawsFormulas: true,
    drawsPictureFonts: true,
    allocator: undefined,
  };
  const bare = bareJail({ programs, canDropRoot: false });

  /** The error of a start that is given up while its folder is created, or when its program runs. */
  async function start(file: string, args: readonly string[], givenUp?: 'folder' | 'program'): Promise<unknown> {
    const tempDir = await tempDirForTest();
    await mkdir(tempDir, { recursive: true });
    const closing = new AbortController();
    const jail: Jail = {
      ...bare,
      wrap: () => {
        if (givenUp === 'program') setImmediate(() => closing.abort());
        return { file, args, env: {}, uid: undefined };
      },
      get fileOwner() {
        if (givenUp === 'folder') closing.abort(new Error('closing'));
        return undefined;
      },
    };
    const paths = { slotDir: join(tempDir, 'slot-1'), agentDir: tempDir, marker: `${tempDir}/slot-1` };
    const error = await failureOf(startOfficeSlot({ ...poolDefaults, paths, jail, programs }, closing.signal));
    expect(await readdir(tempDir)).toEqual([]);
    return error;
  }

  test.each([
    ['when the system refuses a new process', '/bin/true', ['x'.repeat(3_000_000)], undefined, /E2BIG/],
    ['when its program is missing', '/nowhere/bwrap', [], undefined, /\/nowhere\/bwrap/],
    ['when the pool closes while the folder is created', '/bin/sleep', ['600'], 'folder', /^closing$/],
    ['when the pool closes before LibreOffice is warm', '/bin/sleep', ['600'], 'program', /stopped|aborted/],
  ] as const)('%s', async (_when, file, args, givenUp, message) => {
    expect(await start(file, args, givenUp)).toMatchObject({ message: expect.stringMatching(message) });
  });
});
