import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';

export interface CaughtMail extends Email {
  /** Who would have got it, blind recipients included. */
  readonly envelopeTo: readonly string[];
  readonly source: string;
}

/** The folder of the mail catcher: one complete .eml file for each message. */
export interface Mailbox {
  /** All messages to an address, oldest first. */
  to(address: string): Promise<readonly CaughtMail[]>;
}

export function createMailbox(folder: string): Mailbox {
  const read = new Map<string, CaughtMail>();
  return {
    async to(address) {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort();
      for (const name of names.filter((each) => !read.has(each))) read.set(name, await parse(join(folder, name)));
      return names.flatMap((name) => {
        const mail = read.get(name);
        return mail?.envelopeTo.includes(address.toLowerCase()) ? [mail] : [];
      });
    },
  };
}

async function parse(file: string): Promise<CaughtMail> {
  const bytes = await readFile(file);
  const mail = await PostalMime.parse(bytes, { attachmentEncoding: 'arraybuffer' });
  const envelope = mail.headers.find(({ key }) => key === 'x-envelope-to')?.value ?? '';
  const envelopeTo = envelope.split(',').map((address) => address.trim().toLowerCase());
  return { ...mail, envelopeTo, source: bytes.toString('latin1') };
}
