/** `CONNECT` is the moment before the greeting, `BODY` the first byte of message data, `DOT` the end of the data. */
export type PeerVerb =
  | 'CONNECT'
  | 'EHLO'
  | 'AUTH'
  | 'MAIL'
  | 'RCPT'
  | 'DATA'
  | 'BODY'
  | 'DOT'
  | 'RSET'
  | 'QUIT'
  | 'OTHER';

export interface PeerEvent {
  readonly verb: PeerVerb;
  readonly line: string;
  /** 1 for the first event of this verb in this session, and so on. */
  readonly nth: number;
  /** 1 for the first connection the peer ever had. */
  readonly session: number;
}

export interface PeerAction {
  /** Sent as it is, CRLF added; the default reply of the verb when left out. */
  readonly reply?: string;
  readonly delayMs?: number;
  /** Sends the reply one byte at a time. */
  readonly dripMs?: number;
  /** Instead of replying: end the connection, reset it, never say anything again, or never even read again. */
  readonly instead?: 'close' | 'reset' | 'silence' | 'stall';
  /** Bytes sent before that, without CRLF. */
  readonly before?: string;
  /** Ends the connection after the reply. */
  readonly close?: boolean;
}

/** What the peer does at an event; nothing means its default, which is to accept. */
export type PeerScript = (
  event: PeerEvent,
) => string | PeerAction | undefined | Promise<string | PeerAction | undefined>;

export interface PeerMessage {
  readonly session: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  /** The reply that was sent to the final dot, or none. */
  readonly reply: string | undefined;
}

export interface SmtpPeerOptions {
  readonly script?: PeerScript;
  readonly extensions?: readonly string[];
  readonly port?: number;
}
