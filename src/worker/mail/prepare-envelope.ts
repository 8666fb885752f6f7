import type { MailMessage } from './contract.ts';
import type { Recipient } from './to-outcome.ts';
import { toWireAddress } from './wire-address.ts';

export interface PreparedEnvelope {
  readonly messageId: string;
  /** Who gets the message this time, each once. */
  readonly recipients: readonly Recipient[];
  /** Wire addresses for the To and Cc headers. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
}

/** Undefined when the message id, an address or the list of recipients cannot go on the wire as it is. */
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
