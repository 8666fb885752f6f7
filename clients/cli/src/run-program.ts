import { CommanderError } from '@commander-js/extra-typings';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { printable } from './output.ts';
import { createProgram } from './program.ts';
import { formatReport, reportError } from './report-error.ts';

/** The parts of the process that the program uses. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  on(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(event: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  exit(code: number): never;
}

/** Runs one command and returns its exit code. Every error becomes a message on standard error; none is thrown. */
export async function runProgram(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { stdout, stderr } = surroundings;
  const interruption = new AbortController();
  const interrupt = () => {
    // A second Ctrl-C exits immediately.
    if (interruption.signal.aborted) surroundings.exit(exitCodes.interrupted);
    interruption.abort(new Error('interrupted'));
  };
  surroundings.on('SIGINT', interrupt);
  surroundings.on('SIGTERM', interrupt);
  // A reader that has read enough, such as `head`, closes the pipe, which is not an error.
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: Error & { readonly code?: string }) => {
      if (error.code === 'EPIPE') surroundings.exit(exitCodes.ok);
      throw error;
    });
  }
  const isJson = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined).includes('--json');
  let exitCode: ExitCode = exitCodes.ok;
  const setExitCode = (code: ExitCode) => {
    exitCode = code;
  };
  try {
    const cli = { ...pickStreams(surroundings), signal: interruption.signal, setExitCode };
    const program = createProgram(cli, isJson);
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    // The parser has printed its errors, unless it is silent.
    if (error instanceof CommanderError && !isJson) return exitCodes.usage;
    const report = reportError(error, interruption.signal);
    stderr.write(isJson ? `${JSON.stringify({ error: report })}\n` : `${printable(formatReport(report))}\n`);
    return report.exitCode;
  } finally {
    surroundings.off('SIGINT', interrupt);
    surroundings.off('SIGTERM', interrupt);
  }
}

function pickStreams({ env, stdin, stdout, stderr }: Surroundings) {
  return { env, stdin, stdout, stderr };
}
