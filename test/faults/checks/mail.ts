import { domainToASCII } from 'node:url';
import type { Harness } from '../harness/harness.ts';
import { readCatcher, readPeer, type TakenMail } from '../harness/sink.ts';

interface Recipient {
  readonly address: string;
  readonly status: string;
}

/** E1: no recipient gets a document twice, and a recipient is `sent` exactly when the server answered 250. */
export async function checkMail(h: Harness): Promise<string[]> {
  const rows = await h.query<{ id: string; recipients: Recipient[] }>(
    'select id, recipients from deliveries where account_id = any($1)',
    [h.accounts.map(({ accountId }) => accountId)],
  );
  const ids = new Set(rows.map(({ id }) => id));
  const taken = acceptedMails(h).filter(({ deliveryId }) => ids.has(deliveryId));
  const counts = new Map<string, number>();
  for (const { deliveryId, recipients } of taken) {
    for (const address of recipients) {
      const pair = `${deliveryId} ${wireForm(address)}`;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
  }
  const faults = [...counts]
    .filter(([, count]) => count > 1)
    .map(([pair, count]) => `E1 ${pair} was accepted ${count} times`);
  for (const { id, recipients } of rows) {
    for (const { address, status } of recipients) {
      const isTaken = counts.has(`${id} ${wireForm(address)}`);
      if (status === 'sent' && !isTaken) faults.push(`E1 ${id} is sent, but no server accepted it`);
      if (status === 'failed' && isTaken) faults.push(`E1 ${id} is failed, but a server accepted it`);
    }
  }
  return faults;
}

/** The address as the server sees it, with an international domain in A-labels. */
function wireForm(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return `${address.slice(0, at)}${domainToASCII(address.slice(at))}`.toLowerCase();
}

export function acceptedMails(h: Harness): TakenMail[] {
  return [...readCatcher(h.backing.mail.folder), ...h.peers.flatMap(readPeer)];
}
