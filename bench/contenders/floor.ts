import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findPrograms } from '../../src/worker/pdf/office/programs.ts';

/** A bare loop in one warm LibreOffice, timed within itself. */
export interface Floor {
  /** Milliseconds that each of so many conversions of a file took. */
  convert(path: string, count: number): Promise<readonly number[]>;
  close(): Promise<void>;
}

export async function startFloor(folder: string): Promise<Floor> {
  const { python, soffice } = await findPrograms({});
  await mkdir(folder, { recursive: true });
  const script = new URL('./floor.py', import.meta.url).pathname;
  const child = spawn(python, [script, soffice, join(folder, 'profile')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await lines.next();
  return {
    async convert(path, count) {
      child.stdin.write(`${JSON.stringify(Array.from({ length: count }, () => path))}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error('the bare LibreOffice ended');
      return JSON.parse(line.value) as number[];
    },
    async close() {
      child.stdin.end();
      await once(child, 'exit');
    },
  };
}
