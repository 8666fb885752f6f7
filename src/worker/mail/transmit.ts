import { Readable } from 'node:stream';
import type { NodemailerError } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { SMTPConnectionEnvelope, SMTPEnvelope } from 'nodemailer/lib/smtp-connection';
import { type SmtpStage, smtpError } from './smtp-error.ts';

const chunkBytes = 16 * 1024;

export interface OutgoingMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly message: Buffer;
}

export interface TransmitLimits {
  /** Timeout for each reply, and for each chunk of the message. */
  readonly replyTimeoutMs: number;
  /** A transfer that is slower on average than this is aborted. */
  readonly minBytesPerSecond: number;
}

export interface Transmission {
  readonly stage: SmtpStage;
  /** The server's reply to an accepted message. */
  readonly reply?: string | undefined;
  readonly error?: NodemailerError | undefined;
  /** Recipients that were refused, each with its `recipient` and `response`. */
  readonly refusals: readonly NodemailerError[];
}

/** The transmission of a message that never reached a server. */
export function notSent(error: NodemailerError): Transmission {
  return { stage: 'envelope', error, refusals: [] };
}

/**
 * Sends one message over an open connection. The end of the byte stream makes the connection write the terminating dot, so
 * the stream ends only after `beforeFinalDot` has resolved.
 */
export async function transmit(
  connection: SMTPConnection,
  mail: OutgoingMail,
  limits: TransmitLimits,
  beforeFinalDot: () => Promise<void>,
): Promise<Transmission> {
  // nodemailer records rejected recipients on this object.
  const envelope: SMTPEnvelope & Partial<Pick<SMTPConnectionEnvelope, 'rejectedErrors'>> = {
    from: mail.from,
    to: [...mail.to],
    size: mail.message.byteLength,
  };
  const deadline = createDeadline();
  const progress: Progress = { stage: 'envelope', hook: undefined };
  const stream = Readable.from(messageChunks(mail.message, progress, deadline, limits, beforeFinalDot), {
    objectMode: false,
  });
  const ending = await new Promise<Pick<Transmission, 'reply' | 'error'>>((resolve) => {
    const end = (error: NodemailerError | null, reply?: string): void => {
      if (progress.stage === 'data') abandon(connection, stream, progress);
      resolve(error ? { error } : { reply });
    };
    deadline.onLate(() => {
      connection.close();
      end(smtpError('ETIMEDOUT', 'The server took too long to answer'));
    });
    deadline.allow(limits.replyTimeoutMs * 2);
    connection.send(envelope, stream, (error, info) => end(error, error ? undefined : info.response));
  });
  deadline.clear();
  await progress.hook?.catch(() => undefined);
  const refusals = envelope.rejectedErrors ?? ending.error?.rejectedErrors ?? [];
  if (ending.error === undefined && progress.stage !== 'dot') {
    const error = smtpError('EPROTOCOL', 'The server accepted a message before its end');
    return { stage: progress.stage, refusals, error };
  }
  return { stage: progress.stage, refusals, ...ending };
}

interface Progress {
  stage: SmtpStage;
  hook: Promise<void> | undefined;
  isAbandoned?: true;
}

async function* messageChunks(
  message: Buffer,
  progress: Progress,
  deadline: Deadline,
  { replyTimeoutMs, minBytesPerSecond }: TransmitLimits,
  beforeFinalDot: () => Promise<void>,
): AsyncGenerator<Buffer> {
  progress.stage = 'data';
  const transferMs = (message.byteLength / minBytesPerSecond) * 1_000;
  const endMs = performance.now() + replyTimeoutMs + transferMs;
  for (let start = 0; start < message.byteLength; start += chunkBytes) {
    deadline.allow(Math.min(replyTimeoutMs, endMs - performance.now()));
    yield message.subarray(start, start + chunkBytes);
  }
  deadline.clear();
  progress.hook = beforeFinalDot();
  await progress.hook;
  if (progress.isAbandoned) throw smtpError('ESTREAM', 'The message was abandoned before its end');
  progress.stage = 'dot';
  // Much of the message may still be in socket buffers, ahead of the dot.
  deadline.allow(replyTimeoutMs + transferMs);
}

/** Only part of the message was sent: the stream must not end normally, which would complete the message. */
function abandon(connection: SMTPConnection, stream: Readable, progress: Progress): void {
  progress.isAbandoned = true;
  stream.on('error', () => undefined);
  stream.destroy();
  connection.close();
}

interface Deadline {
  onLate(listener: () => void): void;
  allow(timeoutMs: number): void;
  clear(): void;
}

/** Each stage has its own deadline: a server that sends its replies byte by byte never looks idle to the socket. */
function createDeadline(): Deadline {
  let timer: NodeJS.Timeout | undefined;
  let late = (): void => undefined;
  return {
    onLate(listener) {
      late = listener;
    },
    allow(timeoutMs) {
      clearTimeout(timer);
      timer = setTimeout(() => late(), timeoutMs);
    },
    clear: () => clearTimeout(timer),
  };
}
