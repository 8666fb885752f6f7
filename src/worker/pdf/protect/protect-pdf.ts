import { AppError } from '../../../shared/errors.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { EngineError } from '../../engine-error.ts';
import { type PdfProcessFailure, runPdfProcess } from '../run-pdf-process.ts';
import { type Protection, refusedExitCode } from './protection.ts';

export interface ProtectOptions {
  /** Default: 512. */
  readonly heapMb?: number | undefined;
  readonly timeoutMs: number;
}

/**
 * Encrypts a PDF with AES-256, so that opening it requires the password, or readers enforce the permissions.
 * LibreOffice offers at most RC4 with 128 bits, which has been broken for years. A separate process reads the file,
 * because a hostile template may have shaped it. Throws `conversion_failed` if the PDF cannot be read, and
 * `conversion_timeout` at the time limit.
 */
export async function protectPdf(
  pdf: Uint8Array,
  { password, permissions }: Protection,
  { heapMb = 512, timeoutMs }: ProtectOptions,
): Promise<Uint8Array> {
  const entry = resolveEntry('./protect-process-main', import.meta.url, 'process');
  const made = await runPdfProcess({ entry, heapMb, timeoutMs }, { password, permissions }, pdf);
  if (made instanceof Uint8Array) return made;
  throw made.isLate ? late(timeoutMs) : failure(made);
}

function late(timeoutMs: number): EngineError {
  const message = `Encrypting the PDF took longer than ${timeoutMs / 1_000} seconds.`;
  const hint = 'produce fewer pages in one document, or leave out the password and the permissions';
  return new EngineError('conversion_timeout', message, true, { details: [{ type: 'Message', message, hint }] });
}

function failure({ end, report }: PdfProcessFailure): AppError {
  const cause = new Error(`the process that encrypts ended with ${end}: ${report}`);
  // V8 aborts when its heap is full.
  const isTooLarge = end === 'SIGABRT' || end === 134;
  if (end !== refusedExitCode && !isTooLarge)
    return new AppError('internal', 'The PDF could not be encrypted.', { cause });
  const message = isTooLarge ? 'Its structure needs too much memory.' : 'Its structure cannot be read.';
  const hint = 'Leave out the password and the permissions, or request a .docx instead.';
  const details = [{ type: 'Message' as const, message, hint }];
  return new AppError('conversion_failed', 'The PDF of this document cannot be encrypted.', { cause, details });
}
