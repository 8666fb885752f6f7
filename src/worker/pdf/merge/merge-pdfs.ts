import { AppError } from '../../../shared/errors.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { ProcessSlot } from '../../supervisor/process-slot.ts';
import { type MergeAnswer, type MergeInput, type MergeRequest, readMergeAnswer } from './messages.ts';

export interface MergeOptions {
  /** Title of the merged PDF. */
  readonly title: string;
  readonly heapMb: number;
  /** Time limit for the whole volume, after which the process is killed. */
  readonly timeoutMs: number;
}

const entry = resolveEntry('./merge-process-main', import.meta.url, 'process');

/**
 * Merges the pages of the documents, in order, into one streamed PDF. A separate process writes it while documents arrive;
 * each side holds one document at a time. Throws `conversion_failed` without retry when a document cannot be merged. The
 * process has exited when the iteration ends, even after an error.
 */
export async function* mergePdfs(
  documents: AsyncIterable<MergeInput>,
  { title, heapMb, timeoutMs }: MergeOptions,
): AsyncGenerator<Uint8Array> {
  const options = { entry, heapMb, timeLimitMs: timeoutMs, readAnswer: readMergeAnswer };
  const process = new ProcessSlot<MergeRequest, MergeAnswer>(options);
  const ended = new AbortController();
  void process.ended.then((reason) => ended.abort(new Error(reason)));
  const deadline = setTimeout(() => void process.destroy(), timeoutMs);
  const input = documents[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value: document, done } = await nextOf(input, ended.signal);
      const answer = await process.ask(done === true ? { kind: 'end', title } : { kind: 'add', ...document });
      if (answer.kind === 'refused') throw refusal(document, answer.reason);
      yield answer.bytes;
      if (done === true) return;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('internal', 'The documents could not be merged.', { cause: error });
  } finally {
    clearTimeout(deadline);
    await process.destroy();
    // Not awaited, because the source may wait for its next document.
    input.return?.().catch(() => undefined);
  }
}

/** The next document. Rejects when the process ends while the source waits for it. */
function nextOf(input: AsyncIterator<MergeInput>, ended: AbortSignal): Promise<IteratorResult<MergeInput, undefined>> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => reject(ended.reason);
    if (ended.aborted) onEnd();
    ended.addEventListener('abort', onEnd);
    input
      .next()
      .then(resolve, reject)
      .finally(() => ended.removeEventListener('abort', onEnd));
  });
}

function refusal(document: MergeInput | undefined, reason: string): AppError {
  const message = `The document of row ${document?.row} cannot be part of a merged PDF: ${reason}.`;
  return new AppError('conversion_failed', message);
}
