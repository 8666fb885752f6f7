import type { RecipientOutcome, SendOutcome } from './contract.ts';
import { oneLine } from './one-line.ts';
import { classifyError, type Verdict } from './smtp-error.ts';
import type { Transmission } from './transmit.ts';

const maxReplyLength = 500;

/** One recipient as the client wrote it and as it goes on the wire. */
export interface Recipient {
  readonly address: string;
  readonly wire: string;
}

type Judgement = (Verdict | { readonly status: 'sent' }) & { readonly reply?: string | undefined };

/** Turns what happened on the wire into what it means for each recipient and for the message. */
export function toOutcome(transmission: Transmission, recipients: readonly Recipient[]): SendOutcome {
  const refusals = new Map(transmission.refusals.map((error) => [error.recipient, error]));
  const whole = judgeWhole(transmission);
  const judgements = recipients.map(({ wire }): Judgement => {
    const refusal = refusals.get(wire);
    return refusal ? withReply(classifyError(refusal, 'envelope'), refusal.response) : whole;
  });
  const outcomes = recipients.map(
    ({ address }, index): RecipientOutcome => ({
      address,
      status: judgements[index]?.status ?? 'unknown',
      reply: judgements[index]?.reply,
    }),
  );
  return summarise(judgements, outcomes);
}

function judgeWhole({ error, stage, reply }: Transmission): Judgement {
  if (error === undefined) return withReply({ status: 'sent' }, reply);
  return withReply(classifyError(error, stage), error.response);
}

function withReply(verdict: Verdict | { readonly status: 'sent' }, reply: string | undefined): Judgement {
  if (reply === undefined) return verdict;
  // What a server says to a refused login may name the account we use; clients see the codes only.
  const text = verdict.status === 'failed' && verdict.reason === 'auth' ? codesOf(reply) : oneLine(reply);
  return { ...verdict, reply: text.slice(0, maxReplyLength) };
}

function codesOf(reply: string): string {
  return /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(reply)?.[0] ?? '';
}

/** The message is as uncertain as its least certain recipient, and partly sent as soon as one has it. */
function summarise(judgements: readonly Judgement[], recipients: readonly RecipientOutcome[]): SendOutcome {
  const unknown = judgements.find((judgement) => judgement.status === 'unknown');
  if (unknown) return { status: 'unknown', recipients, reply: unknown.reply };
  const sent = judgements.find((judgement) => judgement.status === 'sent');
  if (sent) {
    const isComplete = judgements.every((judgement) => judgement.status === 'sent');
    return { status: isComplete ? 'sent' : 'partial', recipients, reply: sent.reply };
  }
  const deferred = judgements.find((judgement) => judgement.status === 'deferred');
  if (deferred) return { status: 'deferred', recipients, reply: deferred.reply, reason: deferred.reason };
  const failed = judgements.find((judgement) => judgement.status === 'failed');
  return { status: 'failed', recipients, reply: failed?.reply, reason: failed?.reason ?? 'invalid' };
}
