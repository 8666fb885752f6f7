import type { RecipientOutcome, SendOutcome } from './contract.ts';
import { oneLine } from './one-line.ts';
import type { Recipient } from './recipient.ts';
import { classifyError, type Verdict } from './smtp-error.ts';
import type { Transmission } from './transmit.ts';

const maxReplyLength = 500;

type RecipientVerdict = (Verdict | { readonly status: 'sent' }) & { readonly reply?: string | undefined };

/** The outcome of a transmission for each recipient and for the message. */
export function toOutcome(transmission: Transmission, recipients: readonly Recipient[]): SendOutcome {
  const refusals = new Map(transmission.refusals.map((error) => [error.recipient, error]));
  const whole = verdictOfMessage(transmission);
  const verdicts = recipients.map(({ wire }): RecipientVerdict => {
    const refusal = refusals.get(wire);
    return refusal ? withReply(classifyError(refusal, 'envelope'), refusal.response) : whole;
  });
  const outcomes = recipients.map(
    ({ address }, index): RecipientOutcome => ({
      address,
      status: verdicts[index]?.status ?? 'unknown',
      reply: verdicts[index]?.reply,
    }),
  );
  return summarise(verdicts, outcomes);
}

function verdictOfMessage({ error, stage, reply }: Transmission): RecipientVerdict {
  if (error === undefined) return withReply({ status: 'sent' }, reply);
  return withReply(classifyError(error, stage), error.response);
}

function withReply(verdict: Verdict | { readonly status: 'sent' }, reply: string | undefined): RecipientVerdict {
  if (reply === undefined) return verdict;
  // The reply to a rejected login may contain the account name, so clients see only its codes.
  const text = verdict.status === 'failed' && verdict.reason === 'auth' ? codesOf(reply) : oneLine(reply);
  return { ...verdict, reply: text.slice(0, maxReplyLength) };
}

function codesOf(reply: string): string {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(reply)?.[0] ?? '';
}

/** `unknown` if any recipient is unknown; `partial` if only some have received it. */
function summarise(verdicts: readonly RecipientVerdict[], recipients: readonly RecipientOutcome[]): SendOutcome {
  const unknown = verdicts.find((verdict) => verdict.status === 'unknown');
  if (unknown) return { status: 'unknown', recipients, reply: unknown.reply };
  const sent = verdicts.find((verdict) => verdict.status === 'sent');
  if (sent) {
    const isComplete = verdicts.every((verdict) => verdict.status === 'sent');
    return { status: isComplete ? 'sent' : 'partial', recipients, reply: sent.reply };
  }
  const deferred = verdicts.find((verdict) => verdict.status === 'deferred');
  if (deferred) return { status: 'deferred', recipients, reply: deferred.reply, reason: deferred.reason };
  const failed = verdicts.find((verdict) => verdict.status === 'failed');
  return { status: 'failed', recipients, reply: failed?.reply, reason: failed?.reason ?? 'invalid' };
}
