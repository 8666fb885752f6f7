import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError } from '../../../shared/errors.ts';
import { dieWithParent } from '../../supervisor/die-with-parent.ts';
import { type MergeInput, type MergeRefusal, refusedExitCode, toFrame } from './frames.ts';

export interface MergeOptions {
  /** Title of the merged PDF. */
  readonly title: string;
  readonly heapMb: number;
  /** Time limit for the whole volume, after which the process is killed. */
  readonly timeoutMs: number;
}

const maxReportChars = 4_096;

/**
 * Merges the pages of the documents, in order, into one streamed PDF. A separate process writes it while documents arrive;
 * each side holds one document at a time. Throws `conversion_failed` without retry when a document cannot be merged. The
 * process has exited when the iteration ends, even after an error.
 */
export async function* mergePdfs(
  documents: AsyncIterable<MergeInput>,
  { title, heapMb, timeoutMs }: MergeOptions,
): AsyncGenerator<Buffer> {
  const child = start(title, heapMb);
  const deadline = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  // Awaited after the output has ended; this avoids an unhandled rejection until then.
  ended.catch(() => undefined);
  const report = collect(child);
  const input = pipeline(Readable.from(frames(documents), { objectMode: true, highWaterMark: 1 }), child.stdin).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const [code, signal] = await ended;
    const failure = await input;
    // The process cannot tell input that breaks off between two documents from complete input.
    if (code === 0 && failure === undefined) return;
    throw code === refusedExitCode ? toRefusal(report()) : toFailure(failure, code ?? signal, report());
  } finally {
    clearTimeout(deadline);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
    await input;
  }
}

async function* frames(documents: AsyncIterable<MergeInput>): AsyncGenerator<Buffer> {
  for await (const document of documents) yield* toFrame(document);
}

function start(title: string, heapMb: number) {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = fileURLToPath(new URL(`./merge-process-main.${isSource ? 'ts' : 'js'}`, import.meta.url));
  const loader = isSource ? ['--import', sourceLoader()] : [];
  const args = [`--max-old-space-size=${heapMb}`, ...loader, entry, title];
  const program = dieWithParent({ file: process.execPath, args });
  return spawn(program.file, program.args, {
    env: {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** In tests and development the process runs from source and needs its parent's loader. */
function sourceLoader(): string {
  return pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-maxReportChars);
  });
  return () => text;
}

function toRefusal(report: string): AppError {
  const { row, reason } = JSON.parse(report) as MergeRefusal;
  return new AppError('conversion_failed', `The document of row ${row} cannot be part of a merged PDF: ${reason}.`);
}

/** Prefers an input error as the cause, because the process itself then reports only a broken pipe. */
function toFailure(inputError: unknown, end: number | string | null, report: string): unknown {
  if (inputError instanceof AppError) return inputError;
  const cause = new Error(`the merge process ended: ${end}; ${report}`, { cause: inputError });
  return new AppError('internal', 'The documents could not be merged.', { cause });
}
