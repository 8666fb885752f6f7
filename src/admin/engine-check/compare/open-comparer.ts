import { type ChildProcess, fork } from 'node:child_process';
import { resolveEntry } from '../../../shared/resolve-entry.ts';
import type { ComparerReply } from './compare-main.ts';
import type { PdfComparison, PdfPair } from './compare-pdfs.ts';

/** Compares one pair of PDFs at a time, in a child process with a limited heap. */
export interface Comparer {
  /** Throws an Error with a message for the report when the PDFs cannot be compared. */
  compare(pair: PdfPair): Promise<PdfComparison>;
  close(): void;
}

const heapMb = 1_024;
const timeoutMs = 600_000;

/** Starts the process with the first pair, and restarts it after a pair that crashed it. */
export function openComparer(): Comparer {
  let child: ChildProcess | undefined;
  let isClosed = false;
  return {
    async compare(pair) {
      if (isClosed) throw new Error('The check was stopped');
      child ??= start();
      const current = child;
      const reply = await ask(current, pair).catch((error: unknown) => {
        child = undefined;
        kill(current);
        throw error;
      });
      if ('problem' in reply) throw new Error(reply.problem);
      return reply.comparison;
    },
    close() {
      isClosed = true;
      if (child !== undefined) kill(child);
    },
  };
}

/** Kills the process and the programs that it started. */
function kill({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All of them have already ended.
  }
}

function ask(child: ChildProcess, pair: PdfPair): Promise<ComparerReply> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void): void => {
      clearTimeout(deadline);
      child.off('message', onMessage).off('error', reject).off('exit', onExit);
      finish();
    };
    const onMessage = (reply: unknown): void => end(() => resolve(reply as ComparerReply));
    const onExit = (code: number | null): void =>
      end(() => reject(new Error(`The PDFs could not be compared: the process ended with ${code ?? 'a signal'}`)));
    const deadline = setTimeout(() => end(() => reject(new Error('Comparing the PDFs took too long'))), timeoutMs);
    child.once('message', onMessage).once('error', reject).once('exit', onExit);
    child.send(pair);
  });
}

function start(): ChildProcess {
  const { file, execArgv } = resolveEntry('./compare-main', import.meta.url, 'process');
  return fork(file, {
    execArgv: [`--max-old-space-size=${heapMb}`, ...execArgv],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Its own process group: Ctrl-C in a terminal reaches only the command, which then ends the group.
    detached: true,
  });
}
