import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ComparerReply } from './compare-main.ts';
import type { PdfComparison, PdfPair } from './compare-pdfs.ts';

/** Compares one pair of PDFs at a time, in a child process with a limited heap. */
export interface Comparer {
  /** Throws an error with a message for the report when the PDFs cannot be compared. */
  compare(pair: PdfPair): Promise<PdfComparison>;
  close(): void;
}

const heapMb = 1_024;
const timeoutMs = 600_000;

/** The process starts with the first pair, and again after a pair that it did not survive. */
export function openComparer(): Comparer {
  let child: ChildProcess | undefined;
  return {
    async compare(pair) {
      child ??= start();
      const current = child;
      const reply = await ask(current, pair).catch((error: unknown) => {
        child = undefined;
        current.kill('SIGKILL');
        throw error;
      });
      if ('problem' in reply) throw new Error(reply.problem);
      return reply.comparison;
    },
    close: () => void child?.kill('SIGKILL'),
  };
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
  const isSource = import.meta.url.endsWith('.ts');
  // In tests and development the process runs from source and needs the loader of the command.
  const loader = isSource ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href] : [];
  const entry = fileURLToPath(new URL(`./compare-main.${isSource ? 'ts' : 'js'}`, import.meta.url));
  return fork(entry, {
    execArgv: [`--max-old-space-size=${heapMb}`, ...loader],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
