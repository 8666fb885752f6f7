import { AppError } from '../../../shared/errors.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { EngineError } from '../../engine-error.ts';
import { askOnce, ProcessLost } from '../../supervisor/process-slot.ts';
import { type ProtectAnswer, type ProtectRequest, readProtectAnswer } from './messages.ts';
import type { Protection } from './protection.ts';

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
  const options = { entry, heapMb, timeLimitMs: timeoutMs, readAnswer: readProtectAnswer };
  const protection = { password, permissions };
  try {
    const answer = await askOnce<ProtectRequest, ProtectAnswer>(options, { pdf, protection });
    if (answer.kind === 'made') return answer.pdf;
    throw notEncrypted('Its structure cannot be read.', new Error(answer.reason));
  } catch (error) {
    if (!(error instanceof ProcessLost)) throw error;
    if (error.loss === 'time') throw late(timeoutMs);
    if (error.loss === 'heap') throw notEncrypted('Its structure needs too much memory.', error);
    throw new AppError('internal', 'The PDF could not be encrypted.', { cause: error });
  }
}

function late(timeoutMs: number): EngineError {
  const message = `Encrypting the PDF took longer than ${timeoutMs / 1_000} seconds.`;
  const hint = 'produce fewer pages in one document, or leave out the password and the permissions';
  return new EngineError('conversion_timeout', message, true, { details: [{ type: 'Message', message, hint }] });
}

function notEncrypted(message: string, cause: Error): AppError {
  const hint = 'Leave out the password and the permissions, or request a .docx instead.';
  const details = [{ type: 'Message' as const, message, hint }];
  return new AppError('conversion_failed', 'The PDF of this document cannot be encrypted.', { cause, details });
}
