import type { ErrorCode, NodemailerError } from 'nodemailer';

/** An error of our own in the form nodemailer gives its errors, so that both are judged by the same rules. */
export function smtpError(code: ErrorCode, message: string, cause?: unknown): NodemailerError {
  return Object.assign(new Error(message, { cause }), { code });
}

export function isSmtpError(error: unknown): error is NodemailerError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
