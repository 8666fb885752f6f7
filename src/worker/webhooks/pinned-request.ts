import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { SecureContext } from 'node:tls';

export interface PinnedRequest {
  readonly url: URL;
  readonly host: string;
  /** The only addresses to connect to. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** The trusted authorities. Default: those of Node.js. */
  readonly secureContext?: SecureContext | undefined;
}

const connectAttemptMs = 2_000;
const maxHeaderBytes = 16_384;

/**
 * POSTs to a host at the given addresses and resolves with the response once its headers have arrived. Makes no DNS lookup,
 * follows no redirect, uses no proxy and keeps no connection. TLS verifies the host name.
 */
export function pinnedRequest({
  url,
  host,
  addresses,
  headers,
  body,
  signal,
  secureContext,
}: PinnedRequest): Promise<IncomingMessage> {
  const options = {
    method: 'POST',
    host,
    path: url.pathname + url.search,
    headers: { Host: url.host, ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: connectAttemptMs,
    maxHeaderSize: maxHeaderBytes,
    signal,
  };
  return new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps({
            ...options,
            port: url.port || 443,
            agent: new HttpsAgent({ keepAlive: false, ...(secureContext !== undefined && { secureContext }) }),
          })
        : requestHttp({ ...options, port: url.port || 80, agent: new HttpAgent({ keepAlive: false }) });
    request.once('response', resolve);
    request.once('error', reject);
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ERR_NO_ANSWER' })));
    request.end(body);
  });
}

/** A `lookup` that returns the checked addresses. Node.js does not call it for a host that is an IP address. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, callback) => {
    const [first] = answers;
    if (first === undefined) callback(new Error('there is no address'), '', 4);
    else if (options.all === true) callback(null, answers);
    else callback(null, first.address, first.family);
  };
}
