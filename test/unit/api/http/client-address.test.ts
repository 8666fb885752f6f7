import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { clientAddress, networkOf } from '../../../../src/api/http/client-address.ts';
import { isAddressRange, isInRanges } from '../../../../src/shared/config/address-ranges.ts';

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test.each<[string, string, string | undefined, readonly string[], string]>([
  ['without a trusted proxy: the connection', '10.0.0.1', '203.0.113.7', [], '10.0.0.1'],
  ['behind a proxy that is not trusted', '192.0.2.1', '203.0.113.7', ['10.0.0.0/8'], '192.0.2.1'],
  ['behind a trusted proxy', '10.0.0.1', '203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
  ['behind two trusted proxies', '10.0.0.1', '203.0.113.7, 10.0.0.2', ['10.0.0.0/8'], '203.0.113.7'],
  ['what the client made up', '10.0.0.1', '198.51.100.1, 203.0.113.7', ['10.0.0.0/8'], '203.0.113.7'],
  ['a trusted proxy without the header', '10.0.0.1', undefined, ['10.0.0.0/8'], '10.0.0.1'],
  ['an IPv4 address of an IPv6 socket', '::ffff:10.0.0.1', '::ffff:203.0.113.7', ['10.0.0.1'], '203.0.113.7'],
  ['an IPv6 proxy', '2001:db8::1', '2001:db8:1::7', ['2001:db8::1'], '2001:db8:1::7'],
  ['no address at all', '10.0.0.1', 'nobody', ['10.0.0.0/8'], 'nobody'],
])('the address of a client: %s', (_what, connection, forwarded, trusted, address) => {
  expect(clientAddress(request(connection, forwarded), trusted)).toBe(address);
});

test.each(['1.2.3.4', '1.2.3.0/24', '0.0.0.0/0', '::1', '2001:db8::/32'])('%s is a range', (range) => {
  expect(isAddressRange(range)).toBe(true);
});

test.each([
  '',
  '1.2.3',
  '1.2.3.4/33',
  '01.2.3.4',
  '1.2.3.4/',
  '256.1.1.1',
  '::1/129',
  'example.com',
  '1.2.3.4\0',
  '0x7f.1',
])('%j is no range', (range) => {
  expect(isAddressRange(range)).toBe(false);
});

test('an address is compared with ranges of its own kind', () => {
  expect(isInRanges('203.0.113.255', ['203.0.113.0/24'])).toBe(true);
  expect(isInRanges('203.0.114.0', ['203.0.113.0/24'])).toBe(false);
  expect(isInRanges('::ffff:203.0.113.7', ['203.0.113.0/24'])).toBe(true);
  expect(isInRanges('2001:db8::1', ['203.0.113.0/24', '2001:db8::/32'])).toBe(true);
  expect(isInRanges('unknown', ['0.0.0.0/0'])).toBe(false);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['2001:db8:1:2::7', '2001:db8:1:2::'],
  ['fe80::1%eth0', 'fe80::'],
  ['unknown', 'unknown'],
])('the network of %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
