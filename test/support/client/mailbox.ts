import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface CaughtMail extends Email {
  /** All recipients, including blind ones. */
  readonly envelopeTo: readonly string[];
  readonly source: string;
}

/** The folder of the mail catcher, with one .eml file per message. */
export interface Mailbox {
  /** All messages to an address, oldest first. */
  to(address: string): Promise<readonly CaughtMail[]>;
}

export function createMailbox(folder: string): Mailbox {
  const envelopes = new Map<string, readonly string[]>();
  const mails = new Map<string, CaughtMail>();
  return {
    async to(address) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
      for (const name of names.filter((each) => !envelopes.has(each)))
        envelopes.set(name, envelopeOf(await readFile(join(folder, name))));
      const own = names.filter((name) => envelopes.get(name)?.includes(address.toLowerCase()));
      for (const name of own.filter((each) => !mails.has(each))) mails.set(name, await parse(join(folder, name)));
      return own.flatMap((name) => mails.get(name) ?? []);
    },
  };
}

/** Reads only the header: most mails belong to other tests and may be large. */
function envelopeOf(bytes: Buffer): readonly string[] {
  const head = bytes.subarray(0, bytes.indexOf('\r\n\r\n')).toString('utf8');
  const [, value = ''] = /^x-envelope-to:(.*(?:\r\n[ \t].*)*)/im.exec(head) ?? [];
  return value.split(',').map((address) => address.trim().toLowerCase());
}

async function parse(file: string): Promise<CaughtMail> {
  const bytes = await readFile(file);
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  return { ...mail, envelopeTo: envelopeOf(bytes), source: bytes.toString('latin1') };
}
