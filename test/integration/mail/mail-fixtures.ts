import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createMailer, type Mailer, type MailerOptions, type MailMessage } from '../../../src/worker/mail/mailer.ts';
import { type SmtpPeer, startSmtpPeer } from '../../support/faults/smtp-peer.ts';
import type {
  PeerAction,
  PeerEvent,
  PeerScript,
  PeerVerb,
  SmtpPeerOptions,
} from '../../support/faults/smtp-peer-script.ts';

/** Parsed log lines. */
export interface LogLines {
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly text: string;
}

export function mailerOptions(
  smtpUrl: string,
  changes: Partial<MailerOptions> = {},
): MailerOptions & { logs: LogLines } {
  const written: string[] = [];
  const logger = pino({ level: 'debug', base: null }, { write: (line: string) => void written.push(line) });
  return {
    smtpUrl,
    from: 'Docmill <documents@docmill.example>',
    maxConnections: 2,
    connectionTimeoutMs: 60_000,
    socketTimeoutMs: 60_000,
    maxMessageBytes: 10_000_000,
    logger,
    logs: {
      get lines() {
        return written.map((line) => JSON.parse(line) as Record<string, unknown>);
      },
      get text() {
        return written.join('');
      },
    },
    ...changes,
  };
}

export const pdfBytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7919 + (index >> 8)) % 256);

export function mailMessage(changes: Partial<MailMessage> = {}): MailMessage {
  return {
    messageId: 'dlv_01',
    to: ['ann@customer.example'],
    cc: [],
    bcc: [],
    subject: 'Invoice 7',
    body: 'Hello,\n\nhere it is.\n',
    attachment: { filename: 'invoice.pdf', contentType: 'application/pdf', content: pdfBytes },
    ...changes,
  };
}

export interface PeerAndMailer {
  readonly peer: SmtpPeer;
  readonly mailer: Mailer;
  readonly logs: LogLines;
}

/** `login` is `user:password`; `extensions` are those that the server announces, with a login AUTH PLAIN by default. */
export type PeerAndMailerOptions = Partial<MailerOptions> &
  Pick<SmtpPeerOptions, 'extensions'> & { readonly login?: string };

/**
 * A scripted server and a mailer that sends to it, both closed when the test ends. Without a script, it accepts
 * everything.
 */
export async function peerAndMailer(
  script: PeerScript = () => undefined,
  { login, extensions = login === undefined ? undefined : ['AUTH PLAIN'], ...changes }: PeerAndMailerOptions = {},
): Promise<PeerAndMailer> {
  const peer = await startSmtpPeer({ script, ...(extensions !== undefined && { extensions }) });
  const url = login === undefined ? peer.url : peer.url.replace('//', `//${login}@`);
  const { logs, ...options } = mailerOptions(url, changes);
  const mailer = createMailer(options);
  onTestFinished(async () => {
    await mailer.close();
    await peer.close();
  });
  return { peer, mailer, logs };
}

type Answer = string | PeerAction;

/** A server that responds like this to a command while the condition holds, and accepts everything else. */
export const at =
  (verb: PeerVerb, answer: Answer, holds: (event: PeerEvent) => boolean = () => true): PeerScript =>
  (event) =>
    event.verb === verb && holds(event) ? answer : undefined;

/** A server that refuses recipients whose address contains a string. */
export const refusing = (text: string, reply: string): PeerScript =>
  at('RCPT', reply, ({ line }) => line.includes(text));

/** A hook before the final dot that counts how often it is called. */
export function countingHook() {
  const counted = {
    hooks: 0,
    async beforeFinalDot(): Promise<void> {
      counted.hooks += 1;
    },
  };
  return counted;
}

export const attachmentOf = (sizeBytes: number) => ({
  attachment: { filename: 'a.pdf', contentType: 'application/pdf', content: new Uint8Array(sizeBytes) },
});

export const threeRecipients = { to: ['ann@customer.example', 'bob@customer.example'], cc: ['cid@customer.example'] };
