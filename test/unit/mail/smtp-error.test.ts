import type { ErrorCode, NodemailerError } from 'nodemailer';
import { isPermanentResponseCode } from 'nodemailer/lib/errors';
import { describe, expect, it } from 'vitest';
import { classifyError } from '../../../src/worker/mail/smtp-error.ts';

function smtpReply(code: ErrorCode, response: string, command: string): NodemailerError {
  const responseCode = Number(response.slice(0, 3));
  const permanent = isPermanentResponseCode(responseCode);
  return Object.assign(new Error(response), { code, response, responseCode, permanent, command });
}
const lost = (code: ErrorCode): NodemailerError => Object.assign(new Error('lost'), { code });

describe('classifyError', () => {
  it.each([
    ['EAUTH', '535 5.7.8 bad credentials', 'AUTH PLAIN', 'failed', 'auth'],
    ['EAUTH', '454 4.7.0 temporary failure', 'AUTH PLAIN', 'deferred', 'temporary'],
    ['EENVELOPE', '530 5.7.0 authentication required', 'MAIL FROM', 'failed', 'auth'],
    ['EENVELOPE', '421 4.3.2 closing', 'MAIL FROM', 'deferred', 'temporary'],
    ['EENVELOPE', '451 4.7.1 greylisted', 'RCPT TO', 'deferred', 'temporary'],
    ['EENVELOPE', '503 5.5.1 bad sequence', 'RCPT TO', 'deferred', 'temporary'],
    ['EENVELOPE', '550 5.1.1 no such user', 'RCPT TO', 'failed', 'rejected'],
    ['EENVELOPE', '552 mailbox full', 'RCPT TO', 'failed', 'rejected'],
    ['EENVELOPE', '552 5.2.3 too long for this mailbox', 'RCPT TO', 'failed', 'too_large'],
    ['EENVELOPE', '552 message size exceeds limit', 'MAIL FROM', 'failed', 'too_large'],
    ['EENVELOPE', '523 5.3.4 too big', 'MAIL FROM', 'failed', 'too_large'],
    ['EPROTOCOL', '554 5.7.1 no mail service for you', 'CONN', 'deferred', 'unreachable'],
    ['EPROTOCOL', '550 unknown name', 'HELO', 'deferred', 'unreachable'],
    ['ETLS', '502 5.5.1 not implemented', 'STARTTLS', 'deferred', 'tls'],
    ['EMESSAGE', '552 5.7.0 blocked content', 'DATA', 'failed', 'rejected'],
    ['EMESSAGE', '554 5.7.1 spam', 'DATA', 'failed', 'rejected'],
    ['EMESSAGE', '452 4.3.1 out of space', 'DATA', 'deferred', 'temporary'],
  ] as const)('%s %s', (code, response, command, status, reason) => {
    const stage = code === 'EMESSAGE' ? 'dot' : 'envelope';
    expect(classifyError(smtpReply(code, response, command), stage)).toEqual({ status, reason });
  });

  it.each([
    ['ECONNECTION', 'unreachable'],
    ['ESOCKET', 'unreachable'],
    ['EDNS', 'unreachable'],
    ['ETIMEDOUT', 'timeout'],
    ['ETLS', 'tls'],
    ['ESTREAM', 'interrupted'],
    ['EABORT', 'interrupted'],
    ['EPROTOCOL', 'temporary'],
  ] as const)('%s can be retried before the final dot and has an unknown outcome after it', (code, reason) => {
    expect(classifyError(lost(code), 'envelope')).toEqual({ status: 'deferred', reason });
    expect(classifyError(lost(code), 'data')).toEqual({ status: 'deferred', reason });
    expect(classifyError(lost(code), 'dot')).toEqual({ status: 'unknown' });
  });

  it('trusts only a complete refusal after the final dot', () => {
    expect(classifyError(smtpReply('ECONNECTION', '550 5.7.1 cut o', 'CONN'), 'dot')).toEqual({ status: 'unknown' });
    expect(classifyError(smtpReply('EMESSAGE', '354 what', 'DATA'), 'dot')).toEqual({ status: 'unknown' });
    expect(classifyError(lost('EMESSAGE'), 'dot')).toEqual({ status: 'unknown' });
  });
});
