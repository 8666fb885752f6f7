import addressparser from 'nodemailer/lib/addressparser';
import type { Sender } from './compose-message.ts';
import { oneLine } from './one-line.ts';
import { toWireAddress } from './wire-address.ts';

/** Reads `address` or `Name <address>`; throws an Error when it is not exactly one mailbox. */
export function parseSender(text: string): Sender {
  const [mailbox, ...others] = addressparser(text);
  const address = mailbox?.address === undefined ? undefined : toWireAddress(mailbox.address);
  if (mailbox === undefined || address === undefined || others.length > 0) {
    throw new Error('The sender of mail must be one address, as in "Docmill <documents@example.com>"');
  }
  return { name: oneLine(mailbox.name), address };
}
