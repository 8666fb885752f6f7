import type { Socket } from 'node:net';

import type { PeerRecord } from './smtp-peer-record.ts';
import type { PeerAction, PeerVerb, SmtpPeerOptions } from './smtp-peer-script.ts';

const acceptingReplies: Readonly<Record<PeerVerb, string | undefined>> = {
  CONNECT: '220 peer.test ESMTP',
  EHLO: undefined,
  AUTH: '235 2.7.0 accepted',
  MAIL: '250 2.1.0 ok',
  RCPT: '250 2.1.5 ok',
  DATA: '354 go on',
  BODY: undefined,
  DOT: '250 2.0.0 queued',
  RSET: '250 2.0.0 ok',
  QUIT: '221 2.0.0 bye',
  OTHER: '502 5.5.1 not implemented',
};
const verbs = new Set<string>(Object.keys(acceptingReplies));

/** One connection: splits the stream into commands and messages and runs the script for each. */
export class PeerSession {
  readonly #socket: Socket;
  readonly #session: number;
  readonly #options: SmtpPeerOptions;
  readonly #record: PeerRecord;
  readonly #counts = new Map<PeerVerb, number>();
  #pending = Buffer.alloc(0);
  #mode: 'command' | 'credentials' | 'data' = 'command';
  #bodyBytes = 0;
  #from = '';
  #to: string[] = [];
  #isBusy = false;
  #isSilent = false;

  constructor(socket: Socket, session: number, options: SmtpPeerOptions, record: PeerRecord) {
    this.#socket = socket;
    this.#session = session;
    this.#options = options;
    this.#record = record;
  }

  start(): void {
    this.#socket.on('data', (chunk) => {
      if (this.#isSilent) return;
      this.#pending = Buffer.concat([this.#pending, chunk]);
      void this.#work();
    });
    this.#socket.on('close', () => {
      if (this.#mode === 'data') this.#record.unfinishedBytes += this.#pending.byteLength;
      this.#record.notify();
    });
    this.#isBusy = true;
    void this.#answer('CONNECT', '').then(() => this.#resume());
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (!this.#isSilent && !this.#socket.destroyed && (await this.#step())) {
      // Each step takes one command or one message from what has arrived.
    }
    this.#isBusy = false;
  }

  #resume(): void {
    this.#isBusy = false;
    void this.#work();
  }

  #step(): Promise<boolean> {
    return this.#mode === 'data' ? this.#takeMessage() : this.#takeLine();
  }

  async #takeLine(): Promise<boolean> {
    const end = this.#pending.indexOf('\r\n');
    if (end === -1) return false;
    const line = this.#pending.toString('utf8', 0, end);
    this.#pending = this.#pending.subarray(end + 2);
    if (this.#mode === 'credentials') {
      this.#mode = 'command';
      await this.#answer('AUTH', line);
      return true;
    }
    const word = line.split(' ', 1)[0]?.toUpperCase() ?? '';
    const verb = (word === 'HELO' ? 'EHLO' : verbs.has(word) ? word : 'OTHER') as PeerVerb;
    const reply = await this.#answer(verb, line);
    this.#follow(verb, line, reply);
    return true;
  }

  #follow(verb: PeerVerb, line: string, reply: string | undefined): void {
    const path = /<([^>]*)>/.exec(line)?.[1] ?? '';
    const isAccepted = reply?.startsWith('2') === true;
    if (verb === 'MAIL' && isAccepted) {
      this.#from = path;
      this.#to = [];
    }
    if (verb === 'RCPT' && isAccepted) this.#to.push(path);
    if (verb === 'DATA' && reply?.startsWith('3')) {
      this.#mode = 'data';
      this.#bodyBytes = 0;
    }
    if (verb === 'AUTH' && reply?.startsWith('334')) this.#mode = 'credentials';
    if (verb === 'QUIT' && isAccepted) this.#socket.end();
  }

  async #takeMessage(): Promise<boolean> {
    if (this.#pending.byteLength > 0 && this.#bodyBytes === 0) {
      this.#bodyBytes = this.#pending.byteLength;
      await this.#answer('BODY', '');
    }
    const isEmpty = this.#pending.subarray(0, 3).equals(Buffer.from('.\r\n'));
    const end = isEmpty ? 0 : this.#pending.indexOf('\r\n.\r\n');
    if (end === -1) return false;
    const raw = Buffer.from(this.#pending.subarray(0, isEmpty ? 0 : end + 2));
    this.#pending = this.#pending.subarray(end + (isEmpty ? 3 : 5));
    this.#mode = 'command';
    const message = { session: this.#session, from: this.#from, to: this.#to, raw: unstuff(raw) };
    const reply = await this.#answer('DOT', '', (sent) => this.#record.messages.push({ ...message, reply: sent }));
    return reply !== undefined;
  }

  /** Runs the script for an event and returns the reply that was sent. */
  async #answer(
    verb: PeerVerb,
    line: string,
    beforeReply: (reply: string | undefined) => void = () => undefined,
  ): Promise<string | undefined> {
    const nth = (this.#counts.get(verb) ?? 0) + 1;
    this.#counts.set(verb, nth);
    const event = { verb, line, nth, session: this.#session };
    this.#record.events.push(event);
    this.#record.notify();
    const scripted = await this.#options.script?.(event);
    const action: PeerAction = typeof scripted === 'string' ? { reply: scripted } : (scripted ?? {});
    if (action.delayMs !== undefined) await pause(action.delayMs);
    const reply = action.instead ? undefined : (action.reply ?? this.#defaultReply(verb));
    beforeReply(reply);
    if (action.before !== undefined) this.#socket.write(action.before);
    if (action.instead) this.#breakOff(action.instead);
    else if (reply !== undefined) await this.#send(`${reply}\r\n`, action.dripMs);
    if (action.close) this.#socket.end();
    return reply;
  }

  #defaultReply(verb: PeerVerb): string | undefined {
    if (verb === 'DATA' && this.#to.length === 0) return '554 5.5.1 no valid recipients';
    if (verb !== 'EHLO') return acceptingReplies[verb];
    const lines = ['peer.test', ...(this.#options.extensions ?? ['PIPELINING', 'SIZE 50000000', '8BITMIME'])];
    return lines.map((text, index) => `250${index === lines.length - 1 ? ' ' : '-'}${text}`).join('\r\n');
  }

  #breakOff(way: NonNullable<PeerAction['instead']>): void {
    this.#isSilent = true;
    if (way === 'close') this.#socket.end();
    if (way === 'reset') this.#socket.resetAndDestroy();
    if (way === 'stall') this.#socket.pause();
  }

  async #send(text: string, dripMs: number | undefined): Promise<void> {
    if (dripMs === undefined) {
      this.#socket.write(text);
      return;
    }
    for (const byte of Buffer.from(text)) {
      if (this.#socket.destroyed) return;
      this.#socket.write(Buffer.of(byte));
      await pause(dripMs);
    }
  }
}

function unstuff(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/(^|\r\n)\.\./g, '$1.'), 'latin1');
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
