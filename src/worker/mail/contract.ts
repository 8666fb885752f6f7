import type { Logger } from '../../shared/logger.ts';

export interface MailerOptions {
  /** `smtp://` or `smtps://`, user and password inside; see `parseSmtpUrl` for the options it takes. */
  readonly smtpUrl: string;
  /** `address` or `Name <address>`. */
  readonly from: string;
  readonly maxConnections: number;
  /** From the DNS lookup to the end of STARTTLS. */
  readonly connectionTimeoutMs: number;
  /**
   * For each reply of the server, and for each piece of the message to be taken. A server that scans mail may need a
   * minute to answer the final dot, and running out of time there makes the outcome `unknown`: be generous.
   */
  readonly socketTimeoutMs: number;
  /** Of the whole encoded message, attachment in base64 included. */
  readonly maxMessageBytes: number;
  readonly logger: Logger;
  /** How long nothing is sent after the server refused our credentials; 60 seconds when not given. */
  readonly authPauseMs?: number | undefined;
  /** A server that takes a message more slowly than this is given up; 64 KiB/s when not given. */
  readonly minBytesPerSecond?: number | undefined;
  /** How long an unused connection stays open; 10 seconds when not given. */
  readonly idleTimeoutMs?: number | undefined;
}

export interface MailMessage {
  /** Stable per delivery, so that receivers can recognise a repeat: `id` or `id@domain`, without brackets. */
  readonly messageId: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /** Who gets it this time, when that is not everybody; the To and Cc headers stay the same. */
  readonly envelopeTo?: readonly string[] | undefined;
  readonly subject: string;
  /** Text or HTML, see `isHtml`. */
  readonly body: string;
  readonly attachment: { readonly filename: string; readonly contentType: string; readonly content: Uint8Array };
}

/** `reply` is what the server said about this recipient. `unknown` occurs only in an `unknown` outcome. */
export interface RecipientOutcome {
  readonly address: string;
  readonly status: 'sent' | 'failed' | 'deferred' | 'unknown';
  readonly reply?: string | undefined;
}

/** `auth`: the server refuses our credentials, so every message will fail until an operator acts. */
export type FailureReason = 'rejected' | 'too_large' | 'auth' | 'invalid';
export type DeferralReason = 'temporary' | 'unreachable' | 'timeout' | 'tls' | 'interrupted';

/**
 * `deferred`: nobody got it and it is safe to try again for the recipients marked so. `partial`: some got it; those
 * marked `deferred` may be tried again. `unknown`: the connection was lost between the final dot and the reply, so the
 * recipients marked so may or may not get it; never resend by itself.
 */
export type SendOutcome =
  | {
      readonly status: 'sent' | 'partial' | 'failed';
      readonly recipients: readonly RecipientOutcome[];
      readonly reply?: string | undefined;
      readonly reason?: FailureReason | undefined;
    }
  | {
      readonly status: 'deferred';
      readonly recipients: readonly RecipientOutcome[];
      readonly reply?: string | undefined;
      readonly reason?: DeferralReason | undefined;
    }
  | {
      readonly status: 'unknown';
      readonly recipients: readonly RecipientOutcome[];
      readonly reply?: string | undefined;
    };

export interface SendHooks {
  /**
   * Awaited after all bytes of the message and before the terminating dot. A rejection drops the connection with the
   * message incomplete. `send` never settles before this promise does.
   */
  readonly beforeFinalDot?: (() => Promise<void>) | undefined;
}

export interface Mailer {
  /** Never rejects for what a server or a network does: that is in the outcome. */
  send(message: MailMessage, hooks?: SendHooks): Promise<SendOutcome>;
  /** Can we connect and log in now? */
  verify(): Promise<boolean>;
  /** Lets messages under way end, refuses new ones as deferred, and closes all connections. */
  close(): Promise<void>;
}
