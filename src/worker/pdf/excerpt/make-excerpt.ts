import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { AppError } from '../../../shared/errors.ts';
import type { Excerpt } from '../../../shared/queue/preview-task.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { dieWithParent } from '../../supervisor/die-with-parent.ts';
import { tooLargeExitCode } from './limits.ts';

const maxReportChars = 2_000;
const defaultTimeoutMs = 20_000;
const heapMb = 512;
/** Of 64 KiB: 512 MiB. */
const wasmPages = 8_192;

/**
 * The first pages of a PDF, or one of its pages as PNG. A separate process reads the file, because a hostile template may have
 * shaped it; WebAssembly draws it, without access to files or network. Throws `conversion_failed` for a PDF that it cannot read,
 * `conversion_timeout` at the time limit, and `invalid_request` for too many pixels.
 */
export async function makeExcerpt(
  pdf: Uint8Array,
  excerpt: Excerpt,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Uint8Array> {
  const child = start();
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
    child.stdin.write(`${JSON.stringify(excerpt)}\n`);
    child.stdin.end(pdf);
    const [bytes, report, [code, signal]] = await results;
    if (code === 0 && bytes.length > 0) return bytes;
    throw isLate ? late(timeoutMs) : failure(signal ?? code, report);
  } finally {
    clearTimeout(deadline);
    child.kill('SIGKILL');
  }
}

function start() {
  const { file, execArgv } = resolveEntry('./excerpt-process-main', import.meta.url, 'process');
  const limits = [`--max-old-space-size=${heapMb}`, `--wasm-max-mem-pages=${wasmPages}`, '--single-threaded-gc'];
  const program = dieWithParent({ file: process.execPath, args: [...limits, ...execArgv, file] });
  return spawn(program.file, program.args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'] });
}

const hint = 'Preview fewer pages or at a lower resolution, or preview a PDF instead of a picture.';

function late(timeoutMs: number): AppError {
  const message = `The pages of the preview took longer than ${timeoutMs / 1_000} seconds.`;
  return new AppError('conversion_timeout', message, { details: [{ type: 'Message', message, hint }] });
}

function failure(end: string | number | null, report: string): AppError {
  if (end === tooLargeExitCode && /^\d+$/.test(report)) {
    const message = `is too high for the size of the page, which allows at most ${report}`;
    return new AppError('invalid_request', `preview.dpi: ${message}`, {
      details: [{ type: 'Field', path: 'preview.dpi', message }],
    });
  }
  const cause = new Error(`the process that makes previews ended with ${end}: ${report.slice(0, maxReportChars)}`);
  const message = 'The pages of this document cannot be previewed.';
  return new AppError('conversion_failed', message, { cause, details: [{ type: 'Message', message, hint }] });
}
