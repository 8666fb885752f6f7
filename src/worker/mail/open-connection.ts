import type { NodemailerError } from 'nodemailer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { smtpError } from './smtp-error.ts';
import type { SmtpTarget } from './smtp-url.ts';

const utf8Connections = new WeakSet<SMTPConnection>();
const maxReplyBytes = 64 * 1024;
const closeTimeoutMs = 1_000;

export interface ConnectionLimits {
  readonly connectionTimeoutMs: number;
  /** Timeout of the login. */
  readonly replyTimeoutMs: number;
  /** Idle timeout of the socket, longer than the deadlines of the steps. */
  readonly maxSilenceMs: number;
}

/** Connects, upgrades to TLS and logs in according to the target; rejects with a `NodemailerError`. */
export function openConnection(target: SmtpTarget, limits: ConnectionLimits): Promise<SMTPConnection> {
  const connection = new SMTPConnection({
    ...target.connection,
    connectionTimeout: limits.connectionTimeoutMs,
    greetingTimeout: limits.connectionTimeoutMs,
    // Leaves time for the hosts file, which is read only after the name servers fail.
    dnsTimeout: Math.ceil(limits.connectionTimeoutMs / 3),
    socketTimeout: limits.maxSilenceMs,
    socketCloseTimeout: closeTimeoutMs,
    maxResponseSize: maxReplyBytes,
  });
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const allow = (timeoutMs: number): void => {
      clearTimeout(timer);
      timer = setTimeout(() => finish(smtpError('ETIMEDOUT', 'The server took too long to open a session')), timeoutMs);
    };
    const finish = (error?: NodemailerError | null): void => {
      clearTimeout(timer);
      if (error) {
        connection.close();
        reject(error);
      } else resolve(connection);
    };
    // Never removed: an error event without a listener would crash the process.
    connection.on('error', finish);
    // A server that sends its greeting byte by byte never looks idle, so each step has its own deadline.
    allow(limits.connectionTimeoutMs);
    connection.connect((error) => {
      // The last reply before the login is the reply to EHLO.
      if (!error && namesUtf8(connection.lastServerResponse || '')) utf8Connections.add(connection);
      if (error || target.auth === undefined || !connection.allowsAuth) return finish(error);
      allow(limits.replyTimeoutMs);
      connection.login({ ...target.auth }, finish);
    });
  });
}

/** Whether a reply to EHLO has the keyword. The first line is a greeting. */
function namesUtf8(reply: string): boolean {
  return reply
    .split('\n')
    .slice(1)
    .some((line) => /^250[ -]SMTPUTF8(?:\s|$)/i.test(line));
}

/** Whether the server of an open connection offers SMTPUTF8 (RFC 6531). */
export function offersUtf8(connection: SMTPConnection): boolean {
  return utf8Connections.has(connection);
}
