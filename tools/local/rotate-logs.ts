import { readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const longLogBytes = 20 * 1024 * 1024;

/** Puts aside each log that has grown long; the next long one replaces it. */
export function rotateLogs(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > longLogBytes) renameSync(file, `${file}.1`);
  }
}
