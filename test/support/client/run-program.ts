import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import type { runProgram } from '../../../clients/cli/src/run-program.ts';

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The working folder until the program ends. It applies to the whole process, so programs with different ones must
   * run one after another.
   */
  readonly cwd?: string | undefined;
  /** All of standard input. */
  readonly input?: string;
}

export interface ProgramRun {
  readonly exitCode: number;
  readonly bytes: Buffer;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Presses Ctrl-C. */
  readonly interrupt: () => void;
  readonly ended: Promise<ProgramRun>;
}

/**
 * Starts the command-line client in this process. `line` is what a user types after its name, as a list of words if one
 * of them contains a space.
 */
export function startProgram(
  program: typeof runProgram,
  line: string | readonly string[],
  { env = {}, cwd, input = '' }: ProgramOptions,
): RunningProgram {
  const signals = new EventEmitter();
  const [stdout, stderr] = [keepWritten(), keepWritten()];
  const surroundings = {
    env,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false }),
    stdout: stdout.stream,
    stderr: stderr.stream,
    on: (name: string, listener: () => void) => signals.on(name, listener),
    off: (name: string, listener: () => void) => signals.off(name, listener),
    exit: (code: number): never => {
      throw new Error(`exit ${code}`);
    },
  } as unknown as Parameters<typeof runProgram>[1];
  const before = process.cwd();
  const run = async (): Promise<ProgramRun> => {
    if (cwd !== undefined) process.chdir(cwd);
    try {
      const exitCode = await program(typeof line === 'string' ? line.split(' ') : line, surroundings);
      return { exitCode, bytes: stdout.bytes(), stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      if (cwd !== undefined) process.chdir(before);
    }
  };
  return { stdout: stdout.text, stderr: stderr.text, interrupt: () => signals.emit('SIGINT'), ended: run() };
}

function keepWritten() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const bytes = () => Buffer.concat(chunks);
  return { stream, bytes, text: () => bytes().toString('utf8') };
}
