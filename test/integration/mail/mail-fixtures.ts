import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { createMailer, type Mailer, type MailerOptions, type MailMessage } from '../../../src/worker/mail/mailer.ts';
import { type SmtpPeer, startSmtpPeer } from '../../support/faults/smtp-peer.ts';
import type { PeerScript, SmtpPeerOptions } from '../../support/faults/smtp-peer-script.ts';

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
    connectionTimeoutMs: 10_000,
    socketTimeoutMs: 10_000,
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

/** A scripted server and a mailer that sends to it, both closed when the test ends. `login` is `user:password`. */
export async function peerAndMailer(
  script: PeerScript,
  { login, ...changes }: Partial<MailerOptions> & { readonly login?: string } = {},
  peerOptions: SmtpPeerOptions = {},
): Promise<PeerAndMailer> {
  const peer = await startSmtpPeer({ ...peerOptions, script });
  const { logs, ...options } = mailerOptions(
    login === undefined ? peer.url : peer.url.replace('//', `//${login}@`),
    changes,
  );
  const mailer = createMailer(options);
  onTestFinished(async () => {
    await mailer.close();
    await peer.close();
  });
  return { peer, mailer, logs };
}

export const threeRecipients = { to: ['ann@customer.example', 'bob@customer.example'], cc: ['cid@customer.example'] };
