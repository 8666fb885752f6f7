import type { Logger } from '../../shared/logger.ts';
import type { SendOutcome } from './contract.ts';
import type { PreparedEnvelope } from './prepare-envelope.ts';
import type { Transmission } from './transmit.ts';

/** Never an address and never the server's words, which tend to repeat one: codes and counts only. */
export function logOutcome(
  logger: Logger,
  { messageId, recipients }: PreparedEnvelope,
  { error, stage }: Transmission,
  outcome: SendOutcome,
  durationMs: number,
): void {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  const entry = {
    messageId,
    status: outcome.status,
    reason,
    recipients: recipients.length,
    sent: outcome.recipients.filter(({ status }) => status === 'sent').length,
    stage,
    code: error?.code,
    smtpCode: error?.responseCode,
    durationMs: Math.round(durationMs),
  };
  if (outcome.status === 'sent') logger.info(entry, 'mail sent');
  else if (reason === 'auth' && error?.responseCode) logger.error(entry, 'mail server refuses our credentials');
  else logger.warn(entry, 'mail not sent to everybody');
}

export function logUnusable(logger: Logger, { error }: Transmission): void {
  logger.warn({ code: error?.code, smtpCode: error?.responseCode }, 'mail server is not usable');
}
