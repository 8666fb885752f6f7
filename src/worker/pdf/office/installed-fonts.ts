import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findSoffice } from './programs.ts';

const run = promisify(execFile);
const byFile = '%{file}\t%{family}\n';

export interface InstalledFonts {
  /** Families that LibreOffice can use. */
  readonly families: readonly string[];
  /** Families of font files outside its jail, such as in a home folder. */
  readonly unavailable: readonly string[];
}

/** Font families known to fontconfig or included in LibreOffice. Undefined without fontconfig (macOS). */
export async function listInstalledFonts(sofficePath?: string): Promise<InstalledFonts | undefined> {
  const system = await fontsOf('fc-list', ['--format', byFile]).catch(() => undefined);
  if (system === undefined) return undefined;
  const home = dirname(dirname(await findSoffice(sofficePath)));
  const bundled = await fontsOf('fc-scan', ['--format', byFile, join(home, 'share/fonts')]).catch(() => []);
  const families = new Set(bundled.flatMap((font) => font.families));
  const hidden = new Set<string>();
  for (const font of system) {
    const isVisible = await isInJail(font.file, home);
    for (const family of font.families) (isVisible ? families : hidden).add(family);
  }
  return { families: [...families].sort(), unavailable: [...hidden].filter((family) => !families.has(family)).sort() };
}

interface FontFile {
  readonly file: string;
  readonly families: readonly string[];
}

async function fontsOf(program: string, args: readonly string[]): Promise<FontFile[]> {
  const { stdout } = await run(program, args, { timeout: 20_000, maxBuffer: 16 * 1024 * 1024 });
  return stdout.split('\n').map((line) => {
    const [file = '', names = ''] = line.split('\t');
    const families = names.split(',').map((family) => family.replaceAll('\\', '').trim());
    return { file, families: families.filter((family) => family !== '') };
  });
}

async function isInJail(file: string, officeHome: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const path = await realpath(file).catch(() => '');
  return path.startsWith('/usr/') || path.startsWith(`${officeHome}/`);
}
