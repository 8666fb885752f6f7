import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function findProgram(name: string, path: string | undefined): string | undefined {
  for (const folder of (path ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder !== '' && isExecutable(file)) return file;
  }
  return undefined;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The command that installs a missing program on this system. */
export function installCommand(packages: { readonly debian: string; readonly macos: string }): string {
  if (process.platform === 'darwin') return `brew install ${packages.macos}`;
  return `${process.getuid?.() === 0 ? '' : 'sudo '}apt-get install --yes ${packages.debian}`;
}
