import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

export interface WatchedProcess {
  readonly pid: number;
  readonly stopSignal: NodeJS.Signals;
}

/**
 * Reads lists of processes, one per line, until its input ends. If the last list is not empty, the stack was killed,
 * and the script stops the processes in that list.
 */
const script = `
list=
while IFS= read -r line; do list=$line; done
runs() { kill -0 "$1" 2>/dev/null && ! grep -qs '^State:.Z' "/proc/$1/status"; }
for entry in $list; do
  pid=\${entry%%:*}; signal=\${entry##*:}
  kill -s "$signal" -- "$pid" 2>/dev/null; kill -s CONT -- "$pid" 2>/dev/null
  tries=0
  while runs "$pid" && [ "$tries" -lt 100 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL -- "-$pid" 2>/dev/null
done
`;

/** A shell that outlives this process if it is killed, and then stops the watched processes in order. */
export class Watchdog {
  readonly #child: ChildProcess;
  readonly #input: Writable;

  constructor() {
    this.#child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    if (this.#child.stdin === null) throw new Error('the watchdog has no input');
    this.#input = this.#child.stdin;
    this.#input.on('error', () => undefined);
    this.#child.unref();
  }

  watch(processes: readonly WatchedProcess[]): void {
    this.#input.write(`${processes.map(({ pid, stopSignal }) => `${pid}:${stopSignal.slice(3)}`).join(' ')}\n`);
  }

  async dismiss(): Promise<void> {
    const exited = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.ref();
    this.#input.end('\n');
    await exited;
  }
}
