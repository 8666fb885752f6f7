import type { IncomingMessage } from 'node:http';
import { createSecureContext, rootCertificates } from 'node:tls';
import { hostOf, isLocalhost, loopback, type TargetPolicy } from '../../shared/domain/webhooks/target-policy.ts';
import type { Logger } from '../../shared/logger.ts';
import { pinnedRequest } from './pinned-request.ts';
import { createHostResolver, type ResolveHost } from './resolve-host.ts';

/** The response, with at most 1,024 characters of its body, or the reason for its absence. */
export type WebhookReply =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly retryAfter: string | undefined }
  | { readonly kind: 'none'; readonly reason: string };

export interface WebhookSender {
  send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<WebhookReply>;
}

export interface WebhookSenderOptions {
  readonly policy: TargetPolicy;
  /** Timeout of a whole attempt, from the DNS lookup to the response. */
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly resolve?: ResolveHost | undefined;
  /** Authorities to trust in addition to the public ones, in PEM. */
  readonly ca?: string | undefined;
}

const maxReadBytes = 16 * 1_024;
const maxKeptCharacters = 1_024;
const bodyTimeoutMs = 2_000;

/** Sends to public addresses only (`createTargetPolicy`): the host is resolved once, and only checked addresses are connected to. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { policy, timeoutMs, logger, resolve = createHostResolver() } = options;
  // Created once, because reading the public authorities takes milliseconds.
  const secureContext =
    options.ca === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, options.ca] });
  return {
    async send(text, body, headers) {
      const problem = policy.problemOf(text);
      if (problem !== undefined) return { kind: 'none', reason: `not sent: the URL ${problem}` };
      const url = new URL(text);
      const host = hostOf(url);
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const addresses = isLocalhost(host) ? loopback : await within(signal, resolve(host));
        if (addresses.length === 0) return { kind: 'none', reason: 'the host has no address' };
        const allowed = addresses.filter((address) => policy.isAllowed(host, address));
        if (allowed.length < addresses.length) {
          logger.warn({ host }, 'a webhook to a private address was blocked');
          return { kind: 'none', reason: 'not sent: the host resolves to a private address' };
        }
        const answer = await pinnedRequest({ url, host, addresses: allowed, headers, body, signal, secureContext });
        return await readAnswer(answer);
      } catch (error) {
        return { kind: 'none', reason: signal.aborted ? `no response within ${timeoutMs} ms` : describeFailure(error) };
      }
    },
  };
}

/** Reads the status and, for a limited time, the beginning of the body, which the owner of the endpoint can see. */
async function readAnswer(answer: IncomingMessage): Promise<WebhookReply> {
  const timer = setTimeout(() => answer.destroy(), bodyTimeoutMs);
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      sizeBytes += chunk.length;
      if (sizeBytes >= maxReadBytes) break;
    }
  } catch {
    // An interrupted body is treated like a truncated one.
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  const text = Buffer.concat(chunks).subarray(0, maxReadBytes).toString('utf8').replaceAll('\0', '\uFFFD');
  const body = text.slice(0, maxKeptCharacters).toWellFormed();
  return { kind: 'answer', status: answer.statusCode ?? 0, body, retryAfter: answer.headers['retry-after'] };
}

async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  ENOTFOUND: 'the host has no address',
  ETIMEOUT: 'the host name could not be resolved',
  ESERVFAIL: 'the host name could not be resolved',
  ERR_NO_ANSWER: 'the connection was closed without a response',
  HPE_HEADER_OVERFLOW: 'the response headers are too large',
};

/** Explains to the owner of the endpoint why a request got no response. */
function describeFailure(error: unknown): string {
  const known = codesOf(error)
    .map((code) => texts[code])
    .find((text) => text !== undefined);
  if (known !== undefined) return known;
  const [code = ''] = codesOf(error);
  if (/^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_SSL|EPROTO)/.test(code)) {
    return `the TLS connection failed (${code})`;
  }
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  return code === '' ? 'the connection failed' : `the connection failed (${code})`;
}

/** The codes of an error, and of the errors of each address in an AggregateError. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return error instanceof AggregateError ? [...error.errors.flatMap(codesOf), ...own] : own;
}
