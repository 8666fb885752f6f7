import { PassThrough } from 'node:stream';
import { runProgram } from '../../../../clients/cli/src/run-program.ts';

/** Runs the program in this process, with streams that keep what is written. */
export async function runInProcess(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  streams.stdin.end();
  const surroundings = {
    ...(streams as unknown as Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>),
    env,
    on: () => undefined,
    off: () => undefined,
    exit: (code: number): never => {
      throw new Error(`exit ${code}`);
    },
  };
  const exitCode = await runProgram(words, surroundings);
  const text = (stream: PassThrough) => String(stream.read() ?? '');
  return { exitCode, stdout: text(streams.stdout), stderr: text(streams.stderr) };
}
