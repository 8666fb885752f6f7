import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { LongTable } from '@docmill/layout';
import { isObject } from '../../../../shared/json.ts';
import { keepTail } from '../../../supervisor/keep-tail.ts';
import type { JailCommand } from '../jail/jail-kinds.ts';

const maxLineBytes = 64 * 1024;
const maxKept = 20;
const maxStarts = 2;
const stderrTailChars = 2 * 1024;

export interface ReadyMessage {
  readonly event: 'ready';
  /** The name of the product, such as LibreOffice. */
  readonly name: string;
  readonly version: string;
  readonly confinement: readonly string[];
  readonly sockets: readonly string[];
  readonly residentBytes: number;
}

export interface RefusedMessage {
  readonly event: 'refused';
  readonly id: number;
  readonly stage: string;
  readonly reason: string;
  /** The number of pages of the document, if it was loaded. */
  readonly pages: number;
  readonly residentBytes: number;
}

/** An index of the document that is kept as the author made it. */
export interface KeptIndex {
  /** The engine's service, such as ContentIndex. */
  readonly kind: string;
  readonly begins: string;
  readonly reason: string;
  /** The entry that a refresh would lose. */
  readonly lost: string;
}

export interface DoneMessage {
  readonly event: 'done';
  readonly id: number;
  /** The number of parts in which long tables were laid out; 0 if there were none or they stayed whole. */
  readonly tableParts?: number;
  readonly kept?: readonly KeptIndex[];
  readonly residentBytes: number;
}

/** A long table whose first rows are laid out. The agent waits for the joints of the other rows. */
export interface TableMessage extends LongTable {
  readonly event: 'table';
  readonly id: number;
}

/** A message from agent.py. */
export type AgentMessage =
  | ReadyMessage
  | TableMessage
  | RefusedMessage
  | DoneMessage
  | { readonly event: 'started' | 'refreshing' | 'refreshed'; readonly id: number };

export type AgentEvent = AgentMessage | { readonly event: 'exit'; readonly reason: string };

export interface AgentProcess {
  readonly pid: number;
  send(message: object): void;
  /** The end of the agent's standard error output so far. */
  stderrTail(): string;
}

/** Starts the agent in its own process group. Reports its messages, and finally one `exit` event. */
export function spawnAgent(command: JailCommand, onEvent: (event: AgentEvent) => void): AgentProcess {
  const identity = command.uid === undefined ? {} : { uid: command.uid, gid: command.uid };
  const child = spawn(command.file, command.args, {
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
    const message = parseMessage(line);
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

/** The agent shares its jail with LibreOffice, so its messages are untrusted input. */
function parseMessage(line: string): AgentMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(fields: unknown): fields is AgentMessage {
  if (!isObject(fields)) return false;
  const isNumber = (name: string): boolean => Number.isSafeInteger(fields[name]);
  const isName = (name: string): boolean => /^\w[\w. +-]{0,39}$/.test(String(fields[name]));
  const isText = (name: string): boolean => typeof fields[name] === 'string';
  const isTexts = (name: string): boolean =>
    Array.isArray(fields[name]) && fields[name].every((item) => typeof item === 'string');
  switch (fields.event) {
    case 'ready':
      return (
        isName('name') && isName('version') && isTexts('confinement') && isTexts('sockets') && isNumber('residentBytes')
      );
    case 'started':
    case 'refreshing':
    case 'refreshed':
      return isNumber('id');
    case 'done':
      return (
        isNumber('id') &&
        isNumber('residentBytes') &&
        (fields.tableParts === undefined || isNumber('tableParts')) &&
        isKeptList(fields.kept ?? [])
      );
    case 'table':
      return (
        ['id', 'start', 'end', 'headerRows', 'partRows'].every(isNumber) &&
        isText('section') &&
        isStartList(fields.found)
      );
    case 'refused':
      return isNumber('id') && isText('stage') && isText('reason') && isNumber('pages') && isNumber('residentBytes');
    default:
      return false;
  }
}

function isStartList(value: unknown): boolean {
  const isStart = (item: unknown): boolean =>
    typeof item === 'object' &&
    item !== null &&
    ['row', 'pages', 'gap'].every((name) => Number.isSafeInteger(Reflect.get(item, name)));
  return Array.isArray(value) && value.length <= maxStarts && value.every(isStart);
}

function isKeptList(value: unknown): value is readonly KeptIndex[] {
  const isKept = (item: unknown): boolean =>
    typeof item === 'object' &&
    item !== null &&
    ['kind', 'begins', 'reason', 'lost'].every((name) => typeof Reflect.get(item, name) === 'string');
  return Array.isArray(value) && value.length <= maxKept && value.every(isKept);
}
