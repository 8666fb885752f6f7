import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { keepTail } from '../../../supervisor/keep-tail.ts';
import type { JailCommand } from '../jail/jail-kinds.ts';
import { type AgentMessage, readAgentMessage } from './agent-messages.ts';

const maxLineBytes = 64 * 1024;
const stderrTailChars = 2 * 1024;

export type AgentEvent = AgentMessage | { readonly event: 'exit'; readonly reason: string };

export interface AgentProcess {
  readonly pid: number;
  send(message: object): void;
  /** The end of the agent's standard error output so far. */
  stderrTail(): string;
}

/**
 * Node.js gives its children the default handling of signals. A signal for every process of the service must not end a
 * conversion, because the worker finishes its documents first; the worker ends a slot with SIGKILL.
 */
const ignoringSignals = ['-c', `trap '' INT TERM; exec "$@"`, 'sh'];

/** Starts the agent in its own process group. Reports its messages, and finally one `exit` event. */
export function spawnAgent(command: JailCommand, onEvent: (event: AgentEvent) => void): AgentProcess {
  const identity = command.uid === undefined ? {} : { uid: command.uid, gid: command.uid };
  const child = spawn('/bin/sh', [...ignoringSignals, command.file, ...command.args], {
    env: command.env,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...identity,
  });
  let hasEnded = false;
  const end = (reason: string): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEvent({ event: 'exit', reason });
  };
  child.on('error', (error) => end(error.message));
  // Not 'close': a daemon that inherited the pipes could keep them open indefinitely.
  child.on('exit', (code, signal) => end(signal ?? `code ${code}`));
  // Nothing was started, and there may be no pipes. The error event contains the reason.
  if (child.pid === undefined) return { pid: 0, send: () => undefined, stderrTail: () => '' };
  child.stdin.on('error', () => undefined);
  readLines(child, (line) => {
    const message = readAgentMessage(line);
    if (message === undefined) child.kill('SIGKILL');
    else if (!hasEnded) onEvent(message);
  });
  return {
    pid: child.pid,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    stderrTail: keepTail(child.stderr, stderrTailChars),
  };
}

function readLines(child: ChildProcessByStdio<Writable, Readable, Readable>, onLine: (line: string) => void): void {
  let pending = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('error', () => undefined);
  child.stdout.on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (pending.length > maxLineBytes) child.kill('SIGKILL');
  });
}
