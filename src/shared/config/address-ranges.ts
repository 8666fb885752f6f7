import ipaddr from 'ipaddr.js';

type Range = [ReturnType<typeof ipaddr.parse>, number];

/** Whether a text is an IP address or a CIDR range. */
export const isAddressRange = (text: string): boolean => parseRange(text) !== undefined;

/** Whether an address is one of `ranges`, which are valid. An IPv4 address embedded in IPv6 counts as IPv4. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((text) => {
    const range = parseRange(text);
    return range !== undefined && range[0].kind() === parsed.kind() && parsed.match(range);
  });
}

/** Whether every address of the range `text` is in one of `ranges`. All are valid. */
export function isRangeWithin(text: string, ranges: readonly string[]): boolean {
  const inner = parseRange(text);
  return ranges.some((each) => {
    const outer = parseRange(each);
    if (inner === undefined || outer === undefined || inner[0].kind() !== outer[0].kind()) return false;
    return inner[1] >= outer[1] && inner[0].match(outer);
  });
}

function parseRange(text: string): Range | undefined {
  // The library also accepts numbers in octal and addresses with fewer than four parts.
  if (!/^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)(?:\/\d{1,3})?$/.test(text)) return undefined;
  if (/(?:^|\.)0\d/.test(text)) return undefined;
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  } catch {
    return undefined;
  }
}
