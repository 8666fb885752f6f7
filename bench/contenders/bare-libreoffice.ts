import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPrograms } from '../../src/worker/pdf/office/programs.ts';

/** One warm LibreOffice without a jail or supervision: the baseline for conversions. */
export interface BareLibreOffice {
  /** Converts a file `count` times. Returns the milliseconds of each conversion, measured inside the loop. */
  convert(path: string, count: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

export async function startBareLibreOffice(folder: string): Promise<BareLibreOffice> {
  const { python, soffice } = await findPrograms({});
  await mkdir(folder, { recursive: true });
  const script = new URL('./bare-libreoffice.py', import.meta.url).pathname;
  const child = spawn(python, [script, soffice, join(folder, 'profile')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    async convert(path, count) {
      child.stdin.write(`${JSON.stringify(Array.from({ length: count }, () => path))}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error('the bare LibreOffice exited');
      return JSON.parse(line.value) as number[];
    },
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
