import type { NodemailerError } from 'nodemailer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { offersUtf8 } from './open-connection.ts';
import { needsUtf8, type Recipient } from './recipient.ts';
import { smtpError } from './smtp-error.ts';
import { type Transmission, type TransmitLimits, transmit } from './transmit.ts';

export interface OfferedMail {
  readonly from: string;
  readonly recipients: readonly Recipient[];
  /** The message for all recipients. */
  readonly message: Buffer;
  /** The message with headers in ASCII. */
  composeAscii(): Promise<Buffer>;
}

/**
 * Sends one message to the recipients that the server can address. Without SMTPUTF8 (RFC 6531) those whose local part is not
 * ASCII are refused, and the others get the message with headers in ASCII.
 */
export async function sendAsOffered(
  connection: SMTPConnection,
  { from, recipients, message, composeAscii }: OfferedMail,
  limits: TransmitLimits,
  beforeFinalDot: () => Promise<void>,
): Promise<Transmission> {
  const wires = (some: readonly Recipient[]): string[] => some.map(({ wire }) => wire);
  const refused = offersUtf8(connection) ? [] : recipients.filter(needsUtf8);
  if (refused.length === 0)
    return transmit(connection, { from, to: wires(recipients), message }, limits, beforeFinalDot);
  const refusals = refused.map(toRefusal);
  const reachable = recipients.filter((recipient) => !needsUtf8(recipient));
  if (reachable.length === 0) return { stage: 'envelope', refusals };
  const outgoing = { from, to: wires(reachable), message: await composeAscii() };
  const transmission = await transmit(connection, outgoing, limits, beforeFinalDot);
  return { ...transmission, refusals: [...transmission.refusals, ...refusals] };
}

function toRefusal({ wire }: Recipient): NodemailerError {
  const response = 'the mail server accepts only ASCII before the @ of an address: it does not offer SMTPUTF8';
  return Object.assign(smtpError('EENVELOPE', 'The server does not offer SMTPUTF8'), { recipient: wire, response });
}
