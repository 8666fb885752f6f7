import { pino } from 'pino';
import type { MailerOptions, MailMessage } from '../../../src/worker/mail/mailer.ts';

/** Log lines as objects, as an operator would find them. */
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
    connectionTimeoutMs: 2_000,
    socketTimeoutMs: 2_000,
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
