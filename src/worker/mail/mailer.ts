import { createAuthPause } from './auth-pause.ts';
import { composeMessage, minEncodedBytes } from './compose-message.ts';
import { createConnectionPool } from './connection-pool.ts';
import type { Mailer, MailerOptions, MailMessage, SendHooks } from './contract.ts';
import { invalidOutcome } from './invalid-outcome.ts';
import { logOutcome, logUnusable } from './log-outcome.ts';
import type { ConnectionLimits } from './open-connection.ts';
import { parseSender } from './parse-sender.ts';
import { type PreparedEnvelope, prepareEnvelope } from './prepare-envelope.ts';
import { createSlots } from './slots.ts';
import { isSmtpError, smtpError } from './smtp-error.ts';
import { parseSmtpUrl } from './smtp-url.ts';
import { toOutcome } from './to-outcome.ts';
import { notSent, type Transmission, type TransmitLimits, transmit } from './transmit.ts';

export type { Mailer, MailerOptions, MailMessage, RecipientOutcome, SendHooks, SendOutcome } from './contract.ts';

const defaultAuthPauseMs = 60_000;
const defaultIdleTimeoutMs = 10_000;
const defaultMinBytesPerSecond = 64 * 1024;

/** Throws an Error when the URL or the sender cannot be used. Nothing is opened before the first message. */
export function createMailer(options: MailerOptions): Mailer {
  const { logger, maxMessageBytes } = options;
  const from = parseSender(options.from);
  const target = parseSmtpUrl(options.smtpUrl);
  const limits = toLimits(options);
  const pool = createConnectionPool(target, limits, options.idleTimeoutMs ?? defaultIdleTimeoutMs);
  const slots = createSlots(options.maxConnections);
  const authPause = createAuthPause(options.authPauseMs ?? defaultAuthPauseMs);
  let isClosing = false;

  const attempt = async (mail: MailMessage, envelope: PreparedEnvelope, hooks: SendHooks): Promise<Transmission> => {
    if (isClosing) return notSent(smtpError('EABORT', 'The mailer is closing'));
    if (authPause.isActive()) return notSent(smtpError('EAUTH', 'The server refused our credentials a moment ago'));
    if (minEncodedBytes(mail.attachment.content.byteLength) > maxMessageBytes) return notSent(tooLarge());
    const message = await composeMessage(mail, { from, ...envelope });
    if (message.byteLength > maxMessageBytes) return notSent(tooLarge());
    const outgoing = { from: from.address, to: envelope.recipients.map(({ wire }) => wire), message };
    const beforeFinalDot = hooks.beforeFinalDot ?? (() => Promise.resolve());
    return pool.transmit((connection) => transmit(connection, outgoing, limits, beforeFinalDot)).catch(notOpened);
  };

  return {
    async send(message, hooks = {}) {
      const envelope = prepareEnvelope(message, from.address);
      if (envelope === undefined) return invalidOutcome(message);
      const startMs = performance.now();
      const transmission = await slots.run(async () => authPause.note(await attempt(message, envelope, hooks)));
      const outcome = toOutcome(transmission, envelope.recipients);
      logOutcome(logger, envelope, transmission, outcome, performance.now() - startMs);
      return outcome;
    },
    verify() {
      return slots.run(async () => {
        if (isClosing || authPause.isActive()) return false;
        const failure = await pool.probe().then(() => undefined, notOpened);
        if (failure === undefined) return true;
        logUnusable(logger, authPause.note(failure));
        return false;
      });
    },
    async close() {
      isClosing = true;
      await slots.whenIdle();
      await pool.close();
    },
  };
}

function toLimits(options: MailerOptions): ConnectionLimits & TransmitLimits {
  const { connectionTimeoutMs, socketTimeoutMs: replyTimeoutMs, maxMessageBytes } = options;
  const minBytesPerSecond = options.minBytesPerSecond ?? defaultMinBytesPerSecond;
  const longestSilenceMs = (replyTimeoutMs + (maxMessageBytes / minBytesPerSecond) * 1_000) * 2;
  return { connectionTimeoutMs, replyTimeoutMs, minBytesPerSecond, longestSilenceMs };
}

const tooLarge = () => smtpError('EMESSAGE', 'The message is larger than we send');

function notOpened(error: unknown): Transmission {
  if (!isSmtpError(error)) throw error;
  return notSent(error);
}
