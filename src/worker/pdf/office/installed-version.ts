import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findSoffice } from './programs.ts';

const run = promisify(execFile);

/**
 * The full version of the installed LibreOffice, such as 25.2.3.2. Throws if LibreOffice is missing or does not report
 * its version.
 */
export async function readInstalledVersion(sofficePath?: string): Promise<string> {
  const soffice = await findSoffice(sofficePath);
  // LibreOffice creates a profile even to report its version.
  const home = await mkdtemp(join(tmpdir(), 'docmill-office-version-'));
  try {
    const args = [`-env:UserInstallation=file://${home}/profile`, '--headless', '--version'];
    const { stdout } = await run(soffice, args, { timeout: 60_000, env: { HOME: home } });
    const version = / (\d+(?:\.\d+)+)/.exec(stdout)?.[1];
    if (version === undefined) throw new Error(`LibreOffice does not report its version: ${stdout.trim()}`);
    return version;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
