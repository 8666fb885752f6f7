import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInRanges } from '../../shared/config/address-ranges.ts';

/** A longer header is not from a sensible chain of proxies. */
const maxHops = 20;

/**
 * The address of the client: that of the connection, or, if it is a trusted proxy, the last one in `X-Forwarded-For`
 * that is not. Anything before it may be made up by the client.
 */
export function clientAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'> | undefined,
  trustedProxies: readonly string[],
): string {
  let address = request?.socket.remoteAddress ?? 'unknown';
  const header = request?.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').slice(-maxHops);
  for (const hop of hops.reverse()) {
    if (!isInRanges(address, trustedProxies) || hop.trim() === '') break;
    address = hop.trim();
  }
  return plain(address);
}

/** An IPv4 address that arrived over an IPv6 socket, in its own notation. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '').slice(0, 64);

/** What one client has for itself: an IPv4 address, or a network of IPv6 (/64), in which it may use any address. */
export const networkOf = (address: string): string =>
  isIPv6(address) ? ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(address)}/64`).toString() : address;

const withoutZone = (address: string): string => address.replace(/%.*$/, '');
