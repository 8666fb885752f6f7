import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import type { Entry } from '../../shared/resolve-entry.ts';
import { dieWithParent } from '../supervisor/die-with-parent.ts';

const maxReportChars = 2_000;

export interface PdfProcess {
  /** The entry point of its program. */
  readonly entry: Entry;
  /** The limit of its heap in MB. */
  readonly heapMb: number;
  /** Additional V8 flags. */
  readonly flags?: readonly string[];
  /** The time after which it is killed, in milliseconds. */
  readonly timeoutMs: number;
}

/** The reason why a process produced no output. */
export interface PdfProcessFailure {
  readonly isLate: boolean;
  /** Its exit code, or the signal that ended it. */
  readonly end: string | number | null;
  /** Its standard error output, at most 2,000 characters. */
  readonly report: string;
}

/**
 * Sends a PDF and a request to a separate process, because a hostile template may have shaped the file, and returns the
 * bytes that it produces. The process has no environment, and ends with this one and at its time limit.
 */
export async function runPdfProcess(
  { entry, heapMb, flags = [], timeoutMs }: PdfProcess,
  request: object,
  pdf: Uint8Array,
): Promise<Uint8Array | PdfProcessFailure> {
  const args = [`--max-old-space-size=${heapMb}`, '--single-threaded-gc', ...flags, ...entry.execArgv, entry.file];
  const program = dieWithParent({ file: process.execPath, args });
  const child = spawn(program.file, program.args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  // A process that ends early closes the pipe. Its exit code is the reason.
  child.stdin.on('error', () => undefined);
  try {
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    const results = Promise.all([buffer(child.stdout), text(child.stderr), ended]);
    // Neither arguments nor environment are used, because other processes could read them and the request may have a
    // password.
    child.stdin.write(`${JSON.stringify(request)}\n`);
    child.stdin.end(pdf);
    const [bytes, report, [code, signal]] = await results;
    if (code === 0 && bytes.length > 0) return bytes;
    return { isLate, end: signal ?? code, report: report.slice(0, maxReportChars) };
  } finally {
    clearTimeout(deadline);
    child.kill('SIGKILL');
  }
}
