import type { Logger } from '../../shared/logger.ts';

export interface MailerOptions {
  /** `smtp://` or `smtps://` URL with user and password; see `parseSmtpUrl` for its options. */
  readonly smtpUrl: string;
  /** Authorities to trust instead of the public ones, in PEM. */
  readonly ca?: string | undefined;
  /** The sender: `address` or `Name <address>`. */
  readonly from: string;
  readonly maxConnections: number;
  /** Time limit from the DNS lookup to the end of STARTTLS. */
  readonly connectionTimeoutMs: number;
  /**
   * Timeout for each reply of the server, and for each chunk of the message. Be generous: a server that scans mail may
   * need a minute to reply to the final dot, and a timeout there makes the outcome `unknown`.
   */
  readonly socketTimeoutMs: number;
  /** Maximum size of the whole encoded message, including the base64 attachment. */
  readonly maxMessageBytes: number;
  readonly logger: Logger;
  /** Pause after the server rejects the credentials. Default: 60 seconds. */
  readonly authPauseMs?: number | undefined;
  /** A slower transfer is aborted. Default: 64 KiB/s. */
  readonly minBytesPerSecond?: number | undefined;
  /** How long an unused connection stays open. Default: 10 seconds. */
  readonly idleTimeoutMs?: number | undefined;
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface MailMessage {
  /** Stable per delivery, so that receivers recognize duplicates: `id` or `id@domain`, without brackets. */
  readonly messageId: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  /** Recipients of this attempt, if not all. The To and Cc headers stay the same. */
  readonly envelopeTo?: readonly string[] | undefined;
  readonly subject: string;
  /** Plain text or HTML; see `isHtml`. */
  readonly body: string;
  readonly attachment: MailAttachment;
  /** Files in addition to the document. */
  readonly others?: readonly MailAttachment[] | undefined;
}

/** `reply` is the server's reply for this recipient. `unknown` occurs only in an `unknown` outcome. */
export interface RecipientOutcome {
  readonly address: string;
  readonly status: 'sent' | 'failed' | 'deferred' | 'unknown';
  readonly reply?: string | undefined;
}

/** `auth`: the server rejects the credentials; every message fails until an operator corrects them. */
export type FailureReason = 'rejected' | 'too_large' | 'auth' | 'invalid';
export type DeferralReason = 'temporary' | 'unreachable' | 'timeout' | 'tls' | 'interrupted';

/**
 * `deferred`: no recipient received it; retrying the recipients marked `deferred` is safe. `partial`: some received it; those
 * marked `deferred` may be retried. `unknown`: the connection was lost between the final dot and the reply, so recipients
 * marked `unknown` may have received it; never retry automatically.
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
  /** Never rejects for an error of the server or the network: the outcome contains it. */
  send(message: MailMessage, hooks?: SendHooks): Promise<SendOutcome>;
  /** Whether connecting and logging in work now. */
  verify(): Promise<boolean>;
  /** Finishes messages in progress, defers new ones, and closes all connections. */
  close(): Promise<void>;
}
