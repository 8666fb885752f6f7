import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Megabytes that a process came to at most while it filled the invoice with so many rows a few times over. */
export function peakMemory(rows: number): number {
  const loader = createRequire(import.meta.url).resolve('tsx');
  const script = fileURLToPath(new URL('./render-once.ts', import.meta.url));
  // The heap that a worker gives to such a process.
  const args = ['--max-old-space-size=512', '--max-semi-space-size=16', '--import', loader, script, String(rows)];
  return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}
