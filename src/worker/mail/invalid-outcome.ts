import type { MailMessage, SendOutcome } from './contract.ts';

/** The outcome of a message that was refused here, before any server saw it. */
export function invalidOutcome({ envelopeTo, to, cc, bcc }: MailMessage): SendOutcome {
  const recipients = (envelopeTo ?? [...to, ...cc, ...bcc]).map((address) => ({ address, status: 'failed' as const }));
  return { status: 'failed', reason: 'invalid', recipients };
}
