import { domainToASCII } from 'node:url';
import addressparser from 'nodemailer/lib/addressparser';
import type { Sender } from './compose-message.ts';
import type { MailMessage } from './contract.ts';
import { oneLine } from './one-line.ts';
import { needsUtf8, type Recipient } from './recipient.ts';

export interface PreparedEnvelope {
  readonly messageId: string;
  /** Recipients of this attempt, without duplicates. */
  readonly recipients: readonly Recipient[];
  /** The mailboxes of the To header. */
  readonly to: readonly Recipient[];
  readonly cc: readonly Recipient[];
}

/** Undefined when the message id, an address or the list of recipients is invalid. */
export function prepareEnvelope(message: MailMessage, senderAddress: string): PreparedEnvelope | undefined {
  const to = toMailboxes(message.to);
  const cc = toMailboxes(message.cc);
  const recipients = toRecipients(message.envelopeTo ?? [...message.to, ...message.cc, ...message.bcc]);
  const isUsableId = /^[\w.+-]{1,200}(?:@[\w.-]{1,200})?$/.test(message.messageId);
  if (to === undefined || cc === undefined || recipients === undefined || !isUsableId) return undefined;
  const domain = senderAddress.slice(senderAddress.lastIndexOf('@') + 1);
  const messageId = message.messageId.includes('@') ? message.messageId : `${message.messageId}@${domain}`;
  return { messageId, recipients, to, cc };
}

function toMailboxes(addresses: readonly string[]): Recipient[] | undefined {
  const mailboxes = addresses.flatMap((address) => {
    const wire = toWireAddress(address);
    return wire === undefined ? [] : [{ address, wire }];
  });
  return mailboxes.length === addresses.length ? mailboxes : undefined;
}

function toRecipients(addresses: readonly string[]): Recipient[] | undefined {
  const recipients = new Map<string, Recipient>();
  for (const mailbox of toMailboxes(addresses) ?? []) {
    const key = mailbox.wire.toLowerCase();
    if (!recipients.has(key)) recipients.set(key, mailbox);
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
  if (needsUtf8({ address, wire: address })) {
    throw new Error('The sender of mail must be ASCII before the @, because some mail servers accept nothing else');
  }
  return { name: oneLine(mailbox.name), address };
}

const plain = /^(?:[\w!#$%&'*+/=?^`{|}~.-]|[^\p{ASCII}\p{C}\p{Z}])+@[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/u;

/**
 * The address for an SMTP command, with international domains as A-labels (RFC 5891) and a local part that may be UTF-8
 * (RFC 6531). Undefined for anything but a bare address; a second check after the API's validation.
 */
export function toWireAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@');
  if (at < 1 || address.length > 254 || /[^\p{L}\p{M}\p{N}.-]/u.test(address.slice(at + 1))) return undefined;
  const wire = `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1))}`;
  return plain.test(wire) && Buffer.byteLength(wire) <= 254 ? wire : undefined;
}
