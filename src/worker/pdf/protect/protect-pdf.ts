import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { AppError } from '../../../shared/errors.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { EngineError } from '../../engine-error.ts';
import { dieWithParent } from '../../supervisor/die-with-parent.ts';
import { type Protection, refusedExitCode } from './protection.ts';

const maxReportChars = 2_000;

export interface ProtectOptions {
  /** Default: 512. */
  readonly heapMb?: number | undefined;
  readonly timeoutMs: number;
}

/**
 * Encrypts a PDF with AES-256, so that only the password opens it or readers heed the permissions. LibreOffice offers no more
 * than RC4 with 128 bits, which has been broken for years. A separate process reads the file, because a hostile template may
 * have shaped it. Throws `conversion_failed` for a PDF that it cannot read, and `conversion_timeout` at the time limit.
 */
export async function protectPdf(
  pdf: Uint8Array,
  { password, permissions }: Protection,
  { heapMb = 512, timeoutMs }: ProtectOptions,
): Promise<Uint8Array> {
  const child = start(heapMb);
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  // A process that ends early closes the pipe; its exit code says why.
  child.stdin.on('error', () => undefined);
  try {
    const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
    const results = Promise.all([buffer(child.stdout), text(child.stderr), ended]);
    // Neither arguments nor environment, which other processes could read.
    child.stdin.write(`${JSON.stringify({ password, permissions })}\n`);
    child.stdin.end(pdf);
    const [bytes, report, [code, signal]] = await results;
    if (code === 0 && bytes.length > 0) return bytes;
    throw isLate ? late(timeoutMs) : failure(signal ?? code, report);
  } finally {
    clearTimeout(deadline);
    child.kill('SIGKILL');
  }
}

function start(heapMb: number) {
  const { file, execArgv } = resolveEntry('./protect-process-main', import.meta.url, 'process');
  const args = [`--max-old-space-size=${heapMb}`, '--single-threaded-gc', ...execArgv, file];
  const program = dieWithParent({ file: process.execPath, args });
  return spawn(program.file, program.args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
}

function late(timeoutMs: number): EngineError {
  const message = `Encrypting the PDF took longer than ${timeoutMs / 1_000} seconds.`;
  const hint = 'produce fewer pages in one document, or leave out the password and the permissions';
  return new EngineError('conversion_timeout', message, true, { details: [{ type: 'Message', message, hint }] });
}

function failure(end: string | number | null, report: string): AppError {
  const cause = new Error(`the process that encrypts ended with ${end}: ${report.slice(0, maxReportChars)}`);
  // V8 aborts when its heap is full.
  const isTooLarge = end === 'SIGABRT' || end === 134;
  if (end !== refusedExitCode && !isTooLarge)
    return new AppError('internal', 'The PDF could not be encrypted.', { cause });
  const message = isTooLarge ? 'Its structure needs too much memory.' : 'Its structure cannot be read.';
  const hint = 'Leave out the password and the permissions, or request a .docx instead.';
  const details = [{ type: 'Message' as const, message, hint }];
  return new AppError('conversion_failed', 'The PDF of this document cannot be encrypted.', { cause, details });
}
