import { describe, expect, it } from 'vitest';
import type { RecipientResult } from '../../../src/shared/db/schema/deliveries.ts';
import type { ClaimedDelivery } from '../../../src/shared/domain/deliveries/delivery-attempt.ts';
import type { SendOutcome } from '../../../src/worker/mail/mailer.ts';
import { toDeliveryOutcome } from '../../../src/worker/processors/mail.ts';
import { mailPausesMs } from '../../../src/worker/retry-policy.ts';

const config = { MAIL_ATTEMPTS: 3, MAIL_BACKOFF_MS: 1_000 };

function outcome(recipients: RecipientResult[], sent: SendOutcome, attempts = 1) {
  return toDeliveryOutcome({ recipients, attempts } as unknown as ClaimedDelivery, sent, config);
}
const statuses = (result: ReturnType<typeof outcome>) => result.recipients.map(({ status }) => status);
const pending = (...addresses: string[]): RecipientResult[] =>
  addresses.map((address) => ({ address, status: 'pending' }));

describe('toDeliveryOutcome', () => {
  it('retries only deferred recipients, each time later', () => {
    const sent: SendOutcome = {
      status: 'partial',
      recipients: [
        { address: 'A@x.org', status: 'sent' },
        { address: 'b@x.org', status: 'deferred', reply: '451 later' },
      ],
    };
    const first = outcome(pending('a@x.org', 'b@x.org'), sent);
    expect(first.status).toBe('pending');
    expect(statuses(first)).toEqual(['sent', 'deferred']);
    expect(outcome([...first.recipients], sent, 2).retryInMs).toBeGreaterThan(first.retryInMs * 1.5);
  });

  it('ends as partial after the last attempt', () => {
    const sent: SendOutcome = { status: 'deferred', recipients: [{ address: 'b@x.org', status: 'deferred' }] };
    const last = outcome([{ address: 'a@x.org', status: 'sent' }, ...pending('b@x.org')], sent, 3);
    expect(last.status).toBe('partial');
    expect(statuses(last)).toEqual(['sent', 'failed']);
  });

  it('never retries a message that may have arrived', () => {
    const sent: SendOutcome = { status: 'unknown', recipients: [{ address: 'a@x.org', status: 'unknown' }] };
    expect(outcome(pending('a@x.org'), sent).status).toBe('unknown');
  });

  it('waits longer after refused credentials, and keeps an earlier refusal of a recipient', () => {
    const sent: SendOutcome = {
      status: 'failed',
      reason: 'auth',
      recipients: [{ address: 'b@x.org', status: 'failed', reply: '535' }],
    };
    const result = outcome([{ address: 'a@x.org', status: 'failed', reply: '550' }, ...pending('b@x.org')], sent);
    expect(result.status).toBe('pending');
    expect(statuses(result)).toEqual(['failed', 'deferred']);
    expect(result.retryInMs).toBeGreaterThanOrEqual(5 * 60_000);
  });

  it('waits twice as long after each attempt, up to an hour', () => {
    const minutes = mailPausesMs({ MAIL_ATTEMPTS: 9, MAIL_BACKOFF_MS: 60_000 }).map((pauseMs) => pauseMs / 60_000);
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });
});
