import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The font families of this machine, by fontconfig, which LibreOffice asks too; undefined where there is none (macOS). */
export async function listInstalledFonts(): Promise<readonly string[] | undefined> {
  try {
    const { stdout } = await run('fc-list', [':', 'family'], { timeout: 20_000, maxBuffer: 16 * 1024 * 1024 });
    const families = stdout.split('\n').flatMap((line) => line.split(','));
    return [...new Set(families.map((family) => family.replaceAll('\\', '').trim()))]
      .filter((family) => family !== '')
      .sort();
  } catch {
    return undefined;
  }
}
