import type { IncomingMessage } from 'node:http';

/** Does this request bring a batch? Its body may be 1 GB. */
export function isBatchUpload({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return method === 'POST' && /^\/v1\/templates\/[^/?]+\/batches\/?(\?|$)/.test(url ?? '');
}
