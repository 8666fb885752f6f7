import type { AdminDeps } from '../../../src/admin/parse-command.ts';
import { runLine } from '../../../src/admin/run-line.ts';

/** Runs a command line of the operator in this process, and returns what the program would print. */
export async function captureLine(line: readonly string[], opened?: AdminDeps) {
  const printed = { out: '', problem: '' };
  const streamTo = (name: keyof typeof printed) => ({
    isTTY: false,
    write(text: string | Uint8Array) {
      printed[name] += String(text);
      return true;
    },
  });
  const code = await runLine(line, { stdout: streamTo('out'), stderr: streamTo('problem') }, opened);
  return { code, ...printed };
}
