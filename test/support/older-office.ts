import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isExtended } from './extended.ts';

const script = join(import.meta.dirname, '../../scripts/older-office');

/**
 * The folder of LibreOffice 7.4, which stays supported beside the system's version. Undefined outside `npm run
 * test:extended`, and when `OLDER_OFFICE_PATH` is `none`; throws when it is not installed.
 */
export function olderOffice(): string | undefined {
  if (!isExtended) return undefined;
  const folder = execFileSync(script, { encoding: 'utf8' }).trim();
  if (folder === 'none') return undefined;
  if (existsSync(join(folder, 'program/soffice.bin'))) return folder;
  throw new Error(`There is no LibreOffice 7.4 in ${folder}. Install it with: scripts/prerequisites --extended`);
}
