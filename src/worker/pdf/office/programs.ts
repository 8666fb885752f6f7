import { execFile } from 'node:child_process';
import { access, constants, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const probeTimeoutMs = 20_000;

export interface OfficePrograms {
  /** The LibreOffice binary, not its start script, so that signals reach the right process. */
  readonly soffice: string;
  /** A Python interpreter with LibreOffice's `uno` module. */
  readonly python: string;
  /**
   * The folder of that module if it belongs only to this LibreOffice; undefined if Python finds the module without it.
   */
  readonly bridgeDir: string | undefined;
  /** Whether it has the module that draws formulas, which Debian packages separately. */
  readonly drawsFormulas: boolean;
  /** Whether it draws fonts with bitmap glyphs, such as colour emoji. */
  readonly drawsPictureFonts: boolean;
  /** Path of jemalloc, which saves 10 % of LibreOffice's CPU time; undefined for glibc's allocator. */
  readonly allocator: string | undefined;
}

export interface ProgramHints {
  /** LibreOffice's folder or its `soffice` binary. */
  readonly sofficePath?: string | undefined;
  readonly pythonPath?: string | undefined;
}

/** Finds LibreOffice and its Python. The error names the missing program and the command that installs it. */
export async function findPrograms(hints: ProgramHints): Promise<OfficePrograms> {
  const soffice = await findSoffice(hints.sofficePath);
  const bridgeDir = (await isFile(join(dirname(soffice), 'uno.py'))) ? dirname(soffice) : undefined;
  const python = await findPython(hints.pythonPath, soffice, bridgeDir);
  return {
    soffice,
    python,
    bridgeDir,
    drawsFormulas: await drawsFormulas(dirname(soffice)),
    drawsPictureFonts: await drawsPictureFonts(dirname(dirname(soffice))),
    allocator: await findAllocator(),
  };
}

/** The LibreOffice binary, at `hint` (a folder or the binary) or in the usual places. Throws if it is missing. */
export async function findSoffice(hint: string | undefined): Promise<string> {
  const candidates =
    hint === undefined
      ? await usualOfficePaths()
      : [hint, join(hint, 'program/soffice.bin'), join(hint, 'Contents/MacOS/soffice')];
  for (const candidate of candidates) {
    if (!(await isFile(candidate)) || !(await isExecutable(candidate))) continue;
    const resolved = await realpath(candidate);
    const binary = join(dirname(resolved), 'soffice.bin');
    return (await isExecutable(binary)) ? binary : resolved;
  }
  throw new Error(`LibreOffice was not found (tried ${hint ?? candidates.join(', ')}). ${installHint('libreoffice')}`);
}

/** Whether the module of formulas is installed. The name of its library is known for Linux only. */
async function drawsFormulas(folder: string): Promise<boolean> {
  return process.platform !== 'linux' || (await isFile(join(folder, 'libsmlo.so')));
}

/** The command that installs the module of formulas. */
export const formulasMissing =
  'LibreOffice has no module for formulas, so PDFs show none. Install it with: apt-get install -y --no-install-recommends libreoffice-math-nogui';

/** Whether LibreOffice draws bitmap fonts: true since 7.5. Older versions select them, but print nothing. */
export async function drawsPictureFonts(home: string): Promise<boolean> {
  const settings = await readFile(join(home, 'program/bootstraprc'), 'utf8').catch(() => '');
  const [, major, minor] = /ProductKey=\D*(\d+)\.(\d+)/.exec(settings) ?? [];
  return major === undefined || Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 5);
}

async function usualOfficePaths(): Promise<string[]> {
  const bundles = await readdir('/opt').catch(() => []);
  return [
    '/usr/lib/libreoffice/program/soffice',
    '/usr/lib64/libreoffice/program/soffice',
    '/usr/bin/soffice',
    '/usr/local/bin/soffice',
    ...bundles.filter((name) => /^libreoffice/i.test(name)).map((name) => `/opt/${name}/program/soffice`),
    '/Applications/LibreOffice.app/Contents/MacOS/soffice',
    '/opt/homebrew/bin/soffice',
  ];
}

async function findPython(hint: string | undefined, soffice: string, bridgeDir: string | undefined): Promise<string> {
  const home = dirname(soffice);
  const candidates =
    hint === undefined
      ? ['/usr/bin/python3', join(home, 'python'), join(home, '../Resources/python'), 'python3', 'python']
      : [hint];
  for (const candidate of candidates) {
    const found = await interpreterWithUno(candidate, bridgeDir);
    if (found !== undefined) return found;
  }
  throw new Error(
    `No Python with LibreOffice's uno module (tried ${candidates.join(', ')}). ${installHint('python3-uno')}`,
  );
}

/** Statements that import LibreOffice's module as agent.py does. */
export function importBridge(bridgeDir: string | undefined): string {
  const search = bridgeDir === undefined ? '' : `sys.path.insert(0, ${JSON.stringify(bridgeDir)}); `;
  return `import sys; ${search}import uno`;
}

async function interpreterWithUno(candidate: string, bridgeDir: string | undefined): Promise<string | undefined> {
  try {
    // Prints the real path, since the command may be a wrapper that needs an environment.
    const { stdout } = await run(candidate, ['-IBc', `${importBridge(bridgeDir)}; print(sys.executable)`], {
      timeout: probeTimeoutMs,
    });
    return stdout.trim() || candidate;
  } catch {
    return undefined;
  }
}

/** Searches the folder of the architecture (Debian), lib64 and lib. */
async function findAllocator(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const architectures = (await readdir('/usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const folders = [...architectures.map((name) => `/usr/lib/${name}`), '/usr/lib64', '/usr/lib'];
  for (const folder of folders) {
    const library = `${folder}/libjemalloc.so.2`;
    if (
      await access(library, constants.R_OK).then(
        () => true,
        () => false,
      )
    )
      return library;
  }
  return undefined;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

function installHint(what: 'libreoffice' | 'python3-uno'): string {
  if (process.platform === 'darwin') return 'Install it with: brew install --cask libreoffice';
  const packages =
    what === 'libreoffice' ? 'libreoffice-math-nogui libreoffice-writer-nogui python3-uno' : 'python3-uno';
  return `Install it with: apt-get install -y --no-install-recommends ${packages}`;
}
