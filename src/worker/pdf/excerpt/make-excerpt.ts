import { AppError } from '../../../shared/errors.ts';
import type { Excerpt } from '../../../shared/queue/preview-task.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { askOnce, ProcessLost } from '../../supervisor/process-slot.ts';
import { type ExcerptAnswer, type ExcerptRequest, readExcerptAnswer } from './messages.ts';

const defaultTimeoutMs = 20_000;
const heapMb = 512;
/** Pages of 64 KiB: 512 MiB in total. */
const wasmPages = 8_192;

/**
 * Makes a PDF of the first pages, or a PNG of one page. A separate process reads the file, because a hostile template
 * may have shaped it; WebAssembly draws it, without access to files or the network. Throws `conversion_failed` if the
 * PDF cannot be read, `conversion_timeout` at the time limit, and `invalid_request` for too many pixels.
 */
export async function makeExcerpt(
  pdf: Uint8Array,
  excerpt: Excerpt,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Uint8Array> {
  const entry = resolveEntry('./excerpt-process-main', import.meta.url, 'process');
  const flags = [`--wasm-max-mem-pages=${wasmPages}`];
  const options = { entry, heapMb, flags, timeLimitMs: timeoutMs, readAnswer: readExcerptAnswer };
  try {
    const answer = await askOnce<ExcerptRequest, ExcerptAnswer>(options, { pdf, excerpt });
    if (answer.kind === 'made') return answer.bytes;
    throw tooLarge(answer.maxDpi);
  } catch (error) {
    if (!(error instanceof ProcessLost) || error.loss === 'unstarted') throw error;
    throw error.loss === 'time' ? late(timeoutMs) : unreadable(error);
  }
}

const hint = 'Preview fewer pages or at a lower resolution, or preview a PDF instead of a picture.';

function late(timeoutMs: number): AppError {
  const message = `The pages of the preview took longer than ${timeoutMs / 1_000} seconds.`;
  return new AppError('conversion_timeout', message, { details: [{ type: 'Message', message, hint }] });
}

function tooLarge(maxDpi: number): AppError {
  const message = `is too high for the size of the page, which allows at most ${maxDpi}`;
  return new AppError('invalid_request', `preview.dpi: ${message}`, {
    details: [{ type: 'Field', path: 'preview.dpi', message }],
  });
}

function unreadable(cause: ProcessLost): AppError {
  const message = 'The pages of this document cannot be previewed.';
  return new AppError('conversion_failed', message, { cause, details: [{ type: 'Message', message, hint }] });
}
