import { AppError } from '../../../shared/errors.ts';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import { askOnce, ProcessLost } from '../../supervisor/process-slot.ts';
import { type JoinAnswer, type JoinRequest, readJoinAnswer } from './messages.ts';

export interface JoinOptions {
  /** Default: 512. */
  readonly heapMb?: number | undefined;
  readonly timeoutMs: number;
}

/** The heap does not hold the streams of a PDF, which the library decompresses without a limit. */
const memoryLimitBytes = 1024 ** 3;
const problems: ReadonlyMap<string, string> = new Map([
  ['time', 'takes too long to read'],
  ['heap', 'needs too much memory'],
  ['memory', 'needs too much memory'],
]);
const entry = resolveEntry('./join-process-main', import.meta.url, 'process');

/**
 * Joins PDFs in a separate process, because some come from clients and may be hostile. A part that takes too much time
 * or memory is refused like a damaged one.
 */
export async function joinInProcess(
  request: JoinRequest,
  { heapMb = 512, timeoutMs }: JoinOptions,
): Promise<JoinAnswer> {
  const options = { entry, heapMb, memoryLimitBytes, timeLimitMs: timeoutMs, readAnswer: readJoinAnswer };
  try {
    return await askOnce<JoinRequest, JoinAnswer>(options, request);
  } catch (error) {
    if (!(error instanceof ProcessLost)) throw error;
    const problem = problems.get(error.loss);
    const [part, ...others] = [...request.before, ...request.after];
    if (problem === undefined || part === undefined)
      throw new AppError('internal', 'The PDFs could not be joined.', { cause: error });
    // If there are several parts, it is not known which one was at fault.
    const list = part.path.replace(/\[\d+\]$/, '');
    return { kind: 'refused', path: others.length === 0 ? part.path : list, problem };
  }
}
