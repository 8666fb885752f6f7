import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { runPdfProcess } from '../run-pdf-process.ts';
import type { Comparison } from './comparison.ts';

const heapMb = 1_024;
/** Of 64 KiB: 1 GiB. */
const wasmPages = 16_384;
const defaultTimeoutMs = 120_000;

/**
 * Compares the pages of two PDFs, as `comparePdfs` does, in a process of its own, because a hostile template may have shaped both.
 * Rejects when they cannot be compared, or not within limits of time and memory.
 */
export async function compareInProcess(
  before: Uint8Array,
  after: Uint8Array,
  { timeoutMs = defaultTimeoutMs }: { readonly timeoutMs?: number } = {},
): Promise<Comparison> {
  const entry = resolveEntry('./compare-process-main', import.meta.url, 'process');
  const flags = [`--wasm-max-mem-pages=${wasmPages}`];
  const made = await runPdfProcess(
    { entry, heapMb, flags, timeoutMs },
    { firstBytes: before.length },
    Buffer.concat([before, after]),
  );
  if (made instanceof Uint8Array) return JSON.parse(Buffer.from(made).toString('utf8')) as Comparison;
  const reason = made.isLate ? `not within ${timeoutMs / 1_000} seconds` : `the process ended with ${made.end}`;
  throw new Error(`The PDFs could not be compared: ${reason}`, { cause: made.report });
}
