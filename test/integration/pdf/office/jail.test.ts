import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentSettings } from '../../../../src/worker/pdf/office/agent/agent-settings.ts';
import { chooseJail } from '../../../../src/worker/pdf/office/jail/choose-jail.ts';
import {
  bareJail,
  bubblewrapJail,
  type Jail,
  namespaceJail,
  privilegedBubblewrapJail,
} from '../../../../src/worker/pdf/office/jail/jail-kinds.ts';
import { type OfficeSlot, startOfficeSlot } from '../../../../src/worker/pdf/office/office-slot.ts';
import { openPoolFolder, type PoolFolder } from '../../../../src/worker/pdf/office/pool-folder.ts';
import { findPrograms } from '../../../../src/worker/pdf/office/programs.ts';
import { makeSlotFolder } from '../../../../src/worker/pdf/office/slot-folder.ts';
import { attacks, harmlessDocx, png } from './hostile-docx.ts';
import { imagesOf, logger, makeTempDir, poolDefaults, processesMarked, processesOf, textOf } from './office-fixture.ts';
import { poolForTest, tempDirForTest } from './pool-for-test.ts';

let secretDir: string;
let listener: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  secretDir = await mkdtemp('/tmp/docmill-secret-');
  await chmod(secretDir, 0o755);
  await writeFile(join(secretDir, 'secret.png'), png(40, 30));
  await chmod(join(secretDir, 'secret.png'), 0o644);
  listener = createServer((socket) => {
    connections++;
    socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  port = (listener.address() as AddressInfo).port;
});

afterAll(async () => {
  listener.close();
  await rm(secretDir, { recursive: true });
});

async function expectNothingForeign(convert: (docx: Uint8Array) => Promise<{ pdf: Uint8Array }>): Promise<void> {
  const harmless = await convert(harmlessDocx());
  expect(await imagesOf(harmless.pdf), 'a picture inside the document is drawn').not.toEqual([]);
  for (const [name, docx] of attacks(secretDir, port)) {
    const { pdf } = await convert(docx);
    expect(await textOf(pdf), name).toContain('visible');
    expect(await imagesOf(pdf), name).toEqual([]);
  }
  expect(connections).toBe(0);
}

test('a hostile document succeeds against a LibreOffice without a jail', async () => {
  const [web, local, , drawn] = attacks(secretDir, port).map(([, docx]) => docx);
  const pictures = await picturesWithoutJail([web, local, drawn]);
  expect(pictures.map(({ length }) => length)).toEqual([0, 1, 1]);
  expect(connections).toBeGreaterThan(0);
  connections = 0;
});

/** The pictures in the PDFs that `soffice --convert-to` produces with its default settings. */
async function picturesWithoutJail(documents: readonly (Buffer | undefined)[]): Promise<string[][]> {
  const dir = await mkdtemp('/dev/shm/docmill-control-');
  try {
    const names = documents.map((_, index) => join(dir, `in${index}`));
    for (const [index, name] of names.entries()) await writeFile(`${name}.docx`, documents[index] ?? '');
    const args = [`-env:UserInstallation=file://${dir}/profile`, '--headless', '--convert-to', 'pdf', '--outdir', dir];
    await promisify(execFile)('soffice', [...args, ...names.map((name) => `${name}.docx`)]);
    return await Promise.all(names.map(async (name) => imagesOf(await readFile(`${name}.pdf`))));
  } finally {
    await rm(dir, { recursive: true });
  }
}

const canDropRoot = process.getuid?.() === 0;
const programs = await findPrograms({});
const kinds: [string, Jail | undefined][] = [
  ['bubblewrap', bubblewrapJail({ programs, canDropRoot }, true)],
  ['bubblewrap made by root', privilegedBubblewrapJail({ programs, canDropRoot })],
  ['unshare', namespaceJail({ programs, canDropRoot })],
  ['no namespaces', bareJail({ programs, canDropRoot })],
];
const usable = kinds.filter((kind): kind is [string, Jail] => kind[1] !== undefined);

const pathsIn = ({ path, agentDir, name }: PoolFolder) => ({
  slotDir: join(path, 'slot-1'),
  agentDir,
  marker: `${name}/slot-1`,
});

describe.each(usable)('the jail: %s', (_name, jail) => {
  let folder: PoolFolder;
  let slot: OfficeSlot;
  let pid: number;

  beforeAll(async () => {
    const tempDir = await makeTempDir();
    folder = await openPoolFolder(tempDir, programs);
    const paths = pathsIn(folder);
    slot = await startOfficeSlot({ ...poolDefaults, paths, jail, programs }, new AbortController().signal);
    [pid = 0] = await processesOf(tempDir, 'soffice.bin');
  });

  afterAll(async () => {
    await slot.destroy();
    await folder.remove();
    await rm(dirname(dirname(folder.path)), { recursive: true, force: true });
  });

  const fact = async (name: string): Promise<string | undefined> =>
    new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];

  test('blocks the network and the files of the host', async () => {
    await expectNothingForeign((docx) => slot.convert(docx, { filterData: {} }));
  });

  test('grants no privileges and a restricted set of system calls', async () => {
    expect(slot.confinement).toEqual(['limits', 'no-new-privileges', 'landlock', 'seccomp']);
    const uid = canDropRoot ? 65_534 : process.getuid?.();
    expect(await fact('Uid')).toBe([uid, uid, uid, uid].join('\t'));
    expect(await fact('CapEff')).toBe('0000000000000000');
    expect(await fact('NoNewPrivs')).toBe('1');
    expect(await fact('Seccomp')).toBe('2');
    // It is ended first when memory runs out.
    expect(Number(await readFile(`/proc/${pid}/oom_score_adj`, 'utf8'))).toBeGreaterThanOrEqual(500);
  });

  test('limits memory, file size, descriptors, core files, tasks, and CPU time for each document', async () => {
    const limitOf = async (name: string): Promise<number> =>
      Number(new RegExp(`${name}\\s+(\\d+)`).exec(await readFile(`/proc/${pid}/limits`, 'utf8'))?.[1]);
    expect(await limitOf('Max address space')).toBe(4_294_967_296);
    expect(await limitOf('Max file size')).toBe(209_715_200);
    expect(await limitOf('Max open files')).toBe(256);
    expect(await limitOf('Max core file size')).toBe(0);
    const users = await readFile(`/proc/${pid}/uid_map`, 'utf8');
    expect(await limitOf('Max processes')).toBe(users.trim().split(/\s+/)[2] === '1' ? 512 : 8_192);
    const perDocument = (poolDefaults.convertTimeoutMs / 1_000) * 2;
    const usedBefore = await secondsOf(pid);
    await slot.convert(harmlessDocx(), { filterData: {} });
    expect(await limitOf('Max cpu time')).toBeGreaterThanOrEqual(perDocument + Math.floor(usedBefore) - 1);
    expect(await limitOf('Max cpu time')).toBeLessThanOrEqual(perDocument + (await secondsOf(pid)) + 1);
    // One filter of the agent, and one that keeps LibreOffice from having children.
    expect(await fact('Seccomp_filters')).toBe('2');
  });

  test('passes no environment variables', async () => {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    const entries = environment
      .split('\0')
      .filter((entry) => !/^LD_PRELOAD=\/usr\/[\w/-]+\/libjemalloc\.so\.2$/.test(entry));
    const names = entries.map((entry) => entry.split('=')[0]);
    const expected = ['DOCMILL_SLOT', 'FONTCONFIG_FILE', 'HOME', 'LANG', 'PATH', 'TMPDIR', 'TZ'];
    expect(names.filter((name) => name !== '' && name !== 'PWD' && name !== 'URE_BOOTSTRAP').sort()).toEqual(expected);
  });

  test('has the namespaces that its level promises', async () => {
    const [own, theirs] = await Promise.all(['self', pid].map((of) => readlink(`/proc/${of}/ns/net`)));
    expect(theirs === own).toBe(jail.level === 'bare');
  });
});

describe.each(usable.slice(0, 1).concat(usable.filter(([name]) => name === 'unshare')))(
  'a program in the jail: %s',
  (_name, jail) => {
    /** What the program prints, after it has limited itself as the agent does. */
    async function run(program: string): Promise<string> {
      const tempDir = await tempDirForTest();
      const folder = await openPoolFolder(tempDir, programs);
      const paths = pathsIn(folder);
      await makeSlotFolder(paths.slotDir, jail.fileOwner);
      const inner = jail.inner(paths);
      const script = `import json, os, resource, sys; sys.path.insert(0, "${inner.agentDir}"); import confine
settings = json.loads(sys.argv[1])
confine.limit_tasks(settings["maxTasks"])
confine.confine(settings["limits"], settings["paths"])
${program}`;
      const settings = agentSettings(inner, programs, poolDefaults);
      const { file, args, env, uid } = jail.wrap(paths, [programs.python, '-IBc', script, settings]);
      const identity = uid === undefined ? {} : { uid, gid: uid };
      const { stdout } = await promisify(execFile)(file, [...args], { env: { ...env }, cwd: '/', ...identity });
      expect(await processesMarked([folder.name])).toEqual([]);
      await folder.remove();
      return stdout.trim();
    }

    test('has 512 tasks at most, and all end with it', async () => {
      const forks = Number(
        await run(`
count = 0
try:
    while True:
        if os.fork() == 0:
            import time
            time.sleep(600)
        count += 1
except BlockingIOError:
    print(count)
    sys.stdout.flush()
    os._exit(0)`),
      );
      expect(forks).toBeGreaterThan(400);
      expect(forks).toBeLessThan(512);
    });

    test('cannot have more memory than its limit', async () => {
      const act = 'try:\n    bytearray(5 * 1024 ** 3)\n    print("done")\nexcept MemoryError:\n    print("refused")';
      expect(await run(act)).toBe('refused');
    });
  },
);

async function secondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test('OFFICE_JAIL=required starts LibreOffice in bubblewrap, and not in a weaker jail', async () => {
  const office = await poolForTest({ jail: 'required' });
  expect(office.pool.status().jail).toMatch(/^bubblewrap\+.*landlock\+seccomp$/);
  const paths = { slotDir: '/dev/shm/docmill-none/slot', agentDir: '/nowhere', marker: 'none/slot-1' };
  await expect(chooseJail('required', programs, paths, logger)).rejects.toThrow(
    /^LibreOffice could not be started in a jail \(bubblewrap: .+\)\. Allow user namespaces/,
  );
});
