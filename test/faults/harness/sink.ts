import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SmtpPeer } from '../../support/faults/smtp-peer.ts';

/** A mail that a server accepted with 250: its delivery and the addresses of its envelope. */
export interface TakenMail {
  readonly deliveryId: string;
  readonly recipients: readonly string[];
  readonly raw: string;
}

/** The mails in the folder of the mail catcher. */
export function readCatcher(folder: string): TakenMail[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => {
      const raw = readFileSync(join(folder, name), 'utf8');
      const envelope = /^X-Envelope-To: ([\s\S]*?)\r\n(?! )/m.exec(raw)?.[1] ?? '';
      return { deliveryId: deliveryIdOf(raw), recipients: envelope.split(',').map((text) => text.trim()), raw };
    });
}

/** The mails that a scripted peer accepted with 250. */
export function readPeer(peer: SmtpPeer): TakenMail[] {
  return peer.messages
    .filter(({ reply }) => reply?.startsWith('250') === true)
    .map(({ raw, to }) => ({ deliveryId: deliveryIdOf(raw.toString()), recipients: to, raw: raw.toString() }));
}

function deliveryIdOf(raw: string): string {
  return /^Message-ID: <(dlv_[0-9a-z]+)/im.exec(raw)?.[1] ?? '';
}
