import ipaddr from 'ipaddr.js';

export interface TargetPolicy {
  /**
   * Why this URL is rejected, as a predicate ("must be a URL"). Undefined if it is allowed, subject to `isAllowed` for
   * its addresses.
   */
  problemOf(url: string): string | undefined;
  /** True if connections to this address of this host are allowed. */
  isAllowed(host: string, address: string): boolean;
}

export interface TargetRules {
  readonly allowHttp: boolean;
  /** Private hosts, addresses and CIDR ranges that are allowed. */
  readonly allowPrivate: readonly string[];
}

type Address = ReturnType<typeof ipaddr.parse>;

const maxUrlLength = 2_048;
const publicIpv6: [Address, number] = [ipaddr.parse('2000::'), 3];

/**
 * Decides which URLs clients may make this service send requests to. Only public unicast addresses are allowed: no
 * loopback, private, link-local (cloud metadata), shared, multicast or documentation addresses, and none that embeds an
 * IPv4 address (mapped, NAT64, 6to4, Teredo). Throws for an invalid range.
 */
export function createTargetPolicy({ allowHttp, allowPrivate }: TargetRules): TargetPolicy {
  const ranges = allowPrivate.filter(isRange).map(parseRange);
  const hosts = new Set(allowPrivate.filter((entry) => !isRange(entry)).map(plainHost));
  const isAllowed = (host: string, address: string): boolean => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return hosts.has(plainHost(host)) || ranges.some((range) => contains(range, parsed)) || isPublic(parsed);
  };
  return {
    isAllowed,
    problemOf(text) {
      if (text.length > maxUrlLength) return `must have at most ${maxUrlLength} characters`;
      if (!URL.canParse(text)) return 'must be a URL';
      const url = new URL(text);
      const isHttp = url.protocol === 'http:' && allowHttp;
      if (url.protocol !== 'https:' && !isHttp) return `must begin with https://${allowHttp ? ' or http://' : ''}`;
      if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
      if (url.hash !== '') return 'must not contain a fragment';
      const port = Number(url.port);
      if (url.port !== '' && port < 1_024 && port !== 80 && port !== 443)
        return 'must have port 80, 443, or 1024 or above';
      const host = hostOf(url);
      const addresses = ipaddr.isValid(host) ? [host] : isLocalhost(host) ? loopback : [];
      if (addresses.some((address) => !isAllowed(host, address))) return 'must not lead to a private address';
      return undefined;
    },
  };
}

/** The name or address to connect to, without the brackets of IPv6 or the trailing dot of a fully qualified name. */
export function hostOf(url: URL): string {
  return plainHost(url.hostname.replace(/^\[(.*)\]$/, '$1'));
}

export const loopback: readonly string[] = ['127.0.0.1', '::1'];

/** True for names that always resolve to this machine (RFC 6761). */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(publicIpv6);
}

function isRange(entry: string): boolean {
  return ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
}

function parseRange(entry: string): [Address, number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = ipaddr.parse(entry);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

function contains(range: [Address, number], address: Address): boolean {
  return range[0].kind() === address.kind() && address.match(range);
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}
