import type { WorkerConfig } from '../../shared/config/load-config.ts';
import type { ClaimedDelivery } from '../../shared/domain/deliveries/claim-delivery.ts';
import type { RecipientResult } from '../../shared/domain/deliveries/delivery-record.ts';
import type { DeliveryOutcome } from '../../shared/domain/deliveries/settle-delivery.ts';
import type { SendOutcome } from '../mail/mailer.ts';

const longestPauseMs = 60 * 60_000;
const authPauseMs = 5 * 60_000;

/**
 * What an attempt's outcome means for the delivery: try again later those that were deferred while attempts are left, and
 * never those that may have got it.
 */
export function toDeliveryOutcome(
  delivery: ClaimedDelivery,
  sent: SendOutcome,
  config: Pick<WorkerConfig, 'MAIL_ATTEMPTS' | 'MAIL_BACKOFF_MS'>,
): DeliveryOutcome {
  const told = new Map(sent.recipients.map((recipient) => [recipient.address.toLowerCase(), recipient]));
  const recipients = delivery.recipients.map(
    (recipient): RecipientResult => told.get(recipient.address.toLowerCase()) ?? recipient,
  );
  const isAuthFailure = sent.status === 'failed' && sent.reason === 'auth';
  const isDeferred = isAuthFailure || recipients.some(({ status }) => status === 'deferred' || status === 'pending');
  const mayRetry = delivery.attempts < config.MAIL_ATTEMPTS && sent.status !== 'unknown';
  if (isDeferred && mayRetry) {
    const pauseMs = backoffMs(delivery.attempts, config.MAIL_BACKOFF_MS);
    const retryInMs = isAuthFailure ? Math.max(authPauseMs, pauseMs) : pauseMs;
    const isReopened = ({ address }: RecipientResult): boolean => isAuthFailure && told.has(address.toLowerCase());
    const open = recipients.map(
      (recipient): RecipientResult => (isReopened(recipient) ? { ...recipient, status: 'deferred' } : recipient),
    );
    return { status: 'pending', recipients: open, reply: sent.reply, retryInMs };
  }
  const ended = recipients.map(
    (recipient): RecipientResult =>
      recipient.status === 'deferred' || recipient.status === 'pending'
        ? { ...recipient, status: 'failed' }
        : recipient,
  );
  return { status: summary(ended), recipients: ended, reply: sent.reply, retryInMs: 0 };
}

function summary(recipients: readonly RecipientResult[]): 'sent' | 'partial' | 'failed' | 'unknown' {
  if (recipients.some(({ status }) => status === 'unknown')) return 'unknown';
  const sentCount = recipients.filter(({ status }) => status === 'sent').length;
  if (sentCount === recipients.length) return 'sent';
  return sentCount === 0 ? 'failed' : 'partial';
}

/** Doubles from the base with each attempt, up to an hour; a fifth of chance keeps a crowd from coming back together. */
function backoffMs(attempts: number, baseMs: number): number {
  return Math.min(longestPauseMs, baseMs * 2 ** (attempts - 1)) * (0.9 + Math.random() * 0.2);
}
