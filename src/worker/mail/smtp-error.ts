import type { ErrorCode, NodemailerError } from 'nodemailer';
import { isTlsCode } from '../../shared/connection-errors.ts';
import type { DeferralReason, FailureReason } from './contract.ts';

/** The stage that a message reached. `dot`: the terminating dot was released, so the server may have the whole message. */
export type SmtpStage = 'envelope' | 'data' | 'dot';

export type Verdict =
  | { readonly status: 'failed'; readonly reason: FailureReason }
  | { readonly status: 'deferred'; readonly reason: DeferralReason }
  | { readonly status: 'unknown' };

const authCodes = new Set([530, 534, 535, 538]);
const tooLargeStatus = /^5\d\d[ -]5\.(?:3\.4|2\.3)\b/;
const enhancedStatus = /^\d{3}[ -]\d\.\d{1,3}\.\d{1,3}\b/;

/** What an SMTP error means for the affected recipients (RFC 5321 4.2.1, RFC 3463, RFC 4954). */
export function classifyError(error: NodemailerError, stage: SmtpStage): Verdict {
  const isRefusal = error.code === 'EMESSAGE' && error.responseCode !== undefined && error.responseCode >= 400;
  if (stage === 'dot' && !isRefusal) return { status: 'unknown' };
  if (isAuthFailure(error)) return { status: 'failed', reason: 'auth' };
  if (isTooLarge(error)) return { status: 'failed', reason: 'too_large' };
  // A rejected session says nothing about the message.
  const concernsMessage = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  if (concernsMessage && error.permanent === true) return { status: 'failed', reason: 'rejected' };
  if (error.code === 'EENVELOPE' && error.responseCode === undefined) return { status: 'failed', reason: 'invalid' };
  return { status: 'deferred', reason: deferralReason(error) };
}

function isAuthFailure(error: NodemailerError): boolean {
  if (error.responseCode === undefined) return error.code === 'EAUTH';
  return authCodes.has(error.responseCode) || (error.code === 'EAUTH' && error.permanent === true);
}

function isTooLarge(error: NodemailerError): boolean {
  const reply = error.response;
  // Without a reply, nodemailer found that the message exceeds the SIZE the server announced.
  if (reply === undefined) return error.code === 'EMESSAGE';
  if (tooLargeStatus.test(reply)) return true;
  return error.responseCode === 552 && error.command !== 'RCPT TO' && !enhancedStatus.test(reply);
}

function deferralReason(error: NodemailerError): DeferralReason {
  if (error.code === 'ETLS' || isTlsCode(error.originalCode ?? '')) return 'tls';
  if (error.responseCode !== undefined) return error.permanent === true ? 'unreachable' : 'temporary';
  if (error.code === 'ETIMEDOUT') return 'timeout';
  if (error.code === 'ESTREAM' || error.code === 'EABORT') return 'interrupted';
  return error.code === 'EPROTOCOL' ? 'temporary' : 'unreachable';
}

/** An error in nodemailer's form, so that `classifyError` handles both. */
export function smtpError(code: ErrorCode, message: string, cause?: unknown): NodemailerError {
  return Object.assign(new Error(message, { cause }), { code });
}

export function isSmtpError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
