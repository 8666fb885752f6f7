import type { Logger } from '../../shared/logger.ts';
import { composeMessage, minEncodedBytes } from './compose-message.ts';
import { createConnectionPool } from './connection-pool.ts';
import type { Mailer, MailerOptions, MailMessage, SendHooks, SendOutcome } from './contract.ts';
import { type PreparedEnvelope, parseSender, prepareEnvelope } from './envelope.ts';
import { createLimiter } from './limiter.ts';
import type { ConnectionLimits } from './open-connection.ts';
import { needsUtf8 } from './recipient.ts';
import { sendAsOffered } from './send-as-offered.ts';
import { classifyError, isSmtpError, smtpError } from './smtp-error.ts';
import { parseSmtpUrl, withAuthorities } from './smtp-url.ts';
import { toOutcome } from './to-outcome.ts';
import { notSent, type Transmission, type TransmitLimits } from './transmit.ts';

export type { Mailer, MailerOptions, MailMessage, SendOutcome } from './contract.ts';

const defaultAuthPauseMs = 60_000;
const defaultIdleTimeoutMs = 10_000;
const defaultMinBytesPerSecond = 64 * 1024;

/** Throws an Error when the URL or the sender is invalid. Opens no connection before the first message. */
export function createMailer(options: MailerOptions): Mailer {
  const { logger, maxMessageBytes } = options;
  const from = parseSender(options.from);
  const target = withAuthorities(parseSmtpUrl(options.smtpUrl), options.ca);
  const limits = toLimits(options);
  const pool = createConnectionPool(target, limits, options.idleTimeoutMs ?? defaultIdleTimeoutMs);
  const limiter = createLimiter(options.maxConnections);
  const authPause = createAuthPause(options.authPauseMs ?? defaultAuthPauseMs);
  let isClosing = false;

  const attempt = async (mail: MailMessage, envelope: PreparedEnvelope, hooks: SendHooks): Promise<Transmission> => {
    if (isClosing) return notSent(smtpError('EABORT', 'The mailer is closing'));
    if (authPause.isActive()) return notSent(smtpError('EAUTH', 'The server recently rejected the credentials'));
    if (minEncodedBytes(mail) > maxMessageBytes) return notSent(tooLarge());
    const compose = (isUtf8: boolean) => composeMessage(mail, { from, ...envelope, isUtf8 });
    const { recipients } = envelope;
    const message = await compose(recipients.some(needsUtf8));
    if (message.byteLength > maxMessageBytes) return notSent(tooLarge());
    const outgoing = { from: from.address, recipients, message, composeAscii: () => compose(false) };
    const beforeFinalDot = hooks.beforeFinalDot ?? (() => Promise.resolve());
    return pool.transmit((connection) => sendAsOffered(connection, outgoing, limits, beforeFinalDot)).catch(notOpened);
  };

  return {
    async send(message, hooks = {}) {
      const envelope = prepareEnvelope(message, from.address);
      if (envelope === undefined) return invalidOutcome(message);
      const startMs = performance.now();
      const transmission = await limiter.run(async () => authPause.note(await attempt(message, envelope, hooks)));
      const outcome = toOutcome(transmission, envelope.recipients);
      logOutcome(logger, envelope, transmission, outcome, performance.now() - startMs);
      return outcome;
    },
    verify() {
      return limiter.run(async () => {
        if (isClosing || authPause.isActive()) return false;
        const failure = await pool.probe().then(() => undefined, notOpened);
        if (failure === undefined) return true;
        logUnusable(logger, authPause.note(failure));
        return false;
      });
    },
    async close() {
      isClosing = true;
      await limiter.whenIdle();
      await pool.close();
    },
  };
}

function toLimits(options: MailerOptions): ConnectionLimits & TransmitLimits {
  const { connectionTimeoutMs, socketTimeoutMs: replyTimeoutMs, maxMessageBytes } = options;
  const minBytesPerSecond = options.minBytesPerSecond ?? defaultMinBytesPerSecond;
  const maxSilenceMs = (replyTimeoutMs + (maxMessageBytes / minBytesPerSecond) * 1_000) * 2;
  return { connectionTimeoutMs, replyTimeoutMs, minBytesPerSecond, maxSilenceMs };
}

const tooLarge = () => smtpError('EMESSAGE', 'The message exceeds the size limit');

function notOpened(error: unknown): Transmission {
  if (!isSmtpError(error)) throw error;
  return notSent(error);
}

/** Pauses sending after rejected credentials, so that a full queue does not flood the server with logins. */
interface AuthPause {
  isActive(): boolean;
  /** Starts the pause if the credentials were rejected; returns the transmission. */
  note(transmission: Transmission): Transmission;
}

function createAuthPause(pauseMs: number): AuthPause {
  let untilMs = 0;
  const isActive = (): boolean => performance.now() < untilMs;
  return {
    isActive,
    note(transmission) {
      const { error, stage } = transmission;
      if (error === undefined || isActive()) return transmission;
      const verdict = classifyError(error, stage);
      if (verdict.status === 'failed' && verdict.reason === 'auth') untilMs = performance.now() + pauseMs;
      return transmission;
    },
  };
}

/** The outcome of a message that was refused before it reached a server. */
function invalidOutcome({ envelopeTo, to, cc, bcc }: MailMessage): SendOutcome {
  const recipients = (envelopeTo ?? [...to, ...cc, ...bcc]).map((address) => ({ address, status: 'failed' as const }));
  return { status: 'failed', reason: 'invalid', recipients };
}

/** Logs codes and counts only: never an address, and never the server's text, which may contain one. */
function logOutcome(
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
  else if (reason === 'auth' && error?.responseCode)
    logger.error(entry, 'the mail server rejected the credentials; check SMTP_URL');
  else logger.warn(entry, 'mail not sent to all recipients');
}

function logUnusable(logger: Logger, { error }: Transmission): void {
  logger.warn({ code: error?.code, smtpCode: error?.responseCode }, 'the mail server cannot be used');
}
