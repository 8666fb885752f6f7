import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';

export interface Arrived {
  readonly envelopeFrom: string;
  readonly envelopeTo: readonly string[];
  readonly isSecure: boolean;
  /** Whether the client requested SMTPUTF8. */
  readonly isUtf8: boolean;
  readonly raw: string;
  readonly email: Email;
}

export interface MailSink {
  readonly port: number;
  readonly arrived: readonly Arrived[];
}

/** A complete SMTP server that parses the messages it receives. */
export async function startMailSink(options: SMTPServerOptions = {}): Promise<MailSink> {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo, smtpUtf8 } = session.envelope;
        void PostalMime.parse(raw).then((email) => {
          arrived.push({
            envelopeFrom: mailFrom === false ? '' : mailFrom.address,
            envelopeTo: rcptTo.map(({ address }) => address),
            isSecure: session.secure,
            isUtf8: smtpUtf8 === true,
            raw: raw.toString('latin1'),
            email,
          });
          callback(null);
        }, callback);
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, arrived };
}

/** The only message that has arrived. */
export function onlyOne({ arrived }: MailSink): Arrived {
  const [first, ...more] = arrived;
  if (first === undefined || more.length > 0) throw new Error(`${arrived.length} messages arrived instead of one`);
  return first;
}
