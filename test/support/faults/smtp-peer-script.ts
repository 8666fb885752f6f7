/** `CONNECT` happens before the greeting, `BODY` at the first byte of message data, `DOT` at the end of the data. */
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
  /** Sent with CRLF; the default reply of the verb when missing. */
  readonly reply?: string;
  readonly delayMs?: number;
  /** Sends the reply one byte at a time. */
  readonly dripMs?: number;
  /** Instead of a reply: closes or resets the connection, stops replying, or stops reading. */
  readonly instead?: 'close' | 'reset' | 'silence' | 'stall';
  /** Bytes sent before that, without CRLF. */
  readonly before?: string;
  /** Ends the connection after the reply. */
  readonly close?: boolean;
}

/** Decides what the peer does at an event; undefined means that it accepts. */
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
