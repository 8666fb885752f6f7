import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Cli } from './cli.ts';
import { CliError } from './cli-error.ts';
import { exitCodes } from './exit-codes.ts';

type Terminal = Pick<Cli, 'stdin' | 'stderr' | 'signal'>;

/** Asks on standard error, so that standard output contains only results. Throws if nothing is entered. */
export async function askLine(terminal: Terminal, question: string): Promise<string> {
  return await ask(terminal, question, terminal.stderr);
}

/** Like `askLine`, but hides the input. */
export async function askSecret(terminal: Terminal, question: string): Promise<string> {
  const { stderr } = terminal;
  // readline echoes the input to its output, and puts the terminal into raw mode so that nothing else does.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const answer = ask(terminal, '', silent);
  // Printed only now, because the terminal echoes the input until it is in raw mode.
  stderr.write(question);
  try {
    return await answer;
  } finally {
    stderr.write('\n');
  }
}

async function ask({ stdin, signal }: Terminal, question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const closed = new AbortController();
  const end = () => closed.abort();
  lines.on('SIGINT', end).on('close', end);
  try {
    return (await lines.question(question, { signal: AbortSignal.any([signal, closed.signal]) })).trim();
  } catch {
    throw new CliError(exitCodes.interrupted, 'Nothing was entered.');
  } finally {
    lines.close();
  }
}
