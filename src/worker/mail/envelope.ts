import { domainToASCII } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import type { Sender } from './compose-message.ts';
import type { MailMessage } from './contract.ts';
import { oneLine } from './one-line.ts';
import type { Recipient } from './to-outcome.ts';

export interface PreparedEnvelope {
  readonly messageId: string;
  /** Recipients of this attempt, without duplicates. */
  readonly recipients: readonly Recipient[];
  /** Wire addresses for the To and Cc headers. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** Undefined when the message id, an address or the list of recipients is invalid. */
export function prepareEnvelope(message: MailMessage, senderAddress: string): PreparedEnvelope | undefined {
  const to = toWireAddresses(message.to);
  const cc = toWireAddresses(message.cc);
  const recipients = toRecipients(message.envelopeTo ?? [...message.to, ...message.cc, ...message.bcc]);
  const isUsableId = /^[\w.+-]{1,200}(?:@[\w.-]{1,200})?$/.test(message.messageId);
  if (to === undefined || cc === undefined || recipients === undefined || !isUsableId) return undefined;
  const domain = senderAddress.slice(senderAddress.lastIndexOf('@') + 1);
  const messageId = message.messageId.includes('@') ? message.messageId : `${message.messageId}@${domain}`;
  return { messageId, recipients, to, cc };
}

function toWireAddresses(addresses: readonly string[]): string[] | undefined {
  const wires = addresses.map(toWireAddress).filter((wire) => wire !== undefined);
  return wires.length === addresses.length ? wires : undefined;
}

function toRecipients(addresses: readonly string[]): Recipient[] | undefined {
  const recipients = new Map<string, Recipient>();
  for (const address of addresses) {
    const wire = toWireAddress(address);
    if (wire === undefined) return undefined;
    const key = wire.toLowerCase();
    if (!recipients.has(key)) recipients.set(key, { address, wire });
  }
  return recipients.size === 0 ? undefined : [...recipients.values()];
}

/** Reads `address` or `Name <address>`; throws an Error when it is not exactly one mailbox. */
export function parseSender(text: string): Sender {
  const [mailbox, ...others] = addressparser(text);
  const address = mailbox?.address === undefined ? undefined : toWireAddress(mailbox.address);
  if (mailbox === undefined || address === undefined || others.length > 0) {
    throw new Error('The sender of mail must be one address, as in "Docmill <documents@example.com>"');
  }
  return { name: oneLine(mailbox.name), address };
}

const plain = /^[\w!#$%&'*+/=?^`{|}~.-]+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;

/**
 * The address for an SMTP command, with international domains as A-labels (RFC 5891). Undefined for anything but a bare
 * address; a second check after the API's validation.
 */
export function toWireAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length > 254 || /[^\p{L}\p{M}\p{N}.-]/u.test(address.slice(at + 1))) return undefined;
  const wire = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
  return plain.test(wire) && wire.length <= 254 ? wire : undefined;
}
