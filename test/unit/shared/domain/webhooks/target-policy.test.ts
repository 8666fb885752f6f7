import { describe, expect, it } from 'vitest';
import { createTargetPolicy } from '../../../../../src/shared/domain/webhooks/target-policy.ts';

const strict = createTargetPolicy({ allowHttp: false, allowPrivate: [] });

describe('addresses of webhooks', () => {
  it.each([
    ...['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1111'],
    ...['2a00:1450::1', '::ffff:8.8.8.8'],
  ])('accepts the public address %s', (address) => expect(strict.isAllowed('example.com', address)).toBe(true));

  it.each([
    ...['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1'],
    ...['172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '100.100.100.200'],
    ...['192.0.0.192', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '::', '::1', 'fe80::1'],
    ...['fe80::1%eth0', 'fec0::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '3fff::1'],
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::ffff:0:127.0.0.1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:7f00:1::', '2002:a00:1::1'],
    ...['2001::1', '100::1', '2001:2::1', '2001:10::1', '2001:20::1', '5f00::1', '4000::1', 'e000::1'],
    ...['no address', ''],
  ])('refuses %s', (address) => expect(strict.isAllowed('example.com', address)).toBe(false));
});

describe('URLs of webhooks', () => {
  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.COM:8443/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]:443/',
  ])('accepts %s', (url) => expect(strict.problemOf(url)).toBeUndefined());

  it.each<[string, RegExp]>([
    ['http://example.com', /^must begin with https:\/\/$/],
    ['HTTP://169.254.169.254/', /begin with https/],
    ['ftp://example.com', /begin with https/],
    ['file:///etc/passwd', /begin with https/],
    ['gopher://127.0.0.1:6379/_x', /begin with https/],
    ['javascript:alert(1)', /begin with https/],
    ['example.com', /be a URL/],
    ['https://', /be a URL/],
    ['https://user@example.com', /user name/],
    ['https://:pw@example.com', /user name/],
    ['https://example.com#x', /fragment/],
    ['https://example.com:22', /port/],
    ['https://example.com:25', /port/],
    [`https://example.com/${'a'.repeat(2_048)}`, /2048 characters/],
    ['https://localhost', /private/],
    ['https://LOCALHOST.:9200', /private/],
    ['https://a.localhost', /private/],
    ['https://127.0.0.1', /private/],
    ['https://127.1', /private/],
    ['https://0x7f000001', /private/],
    ['https://2130706433', /private/],
    ['https://0177.0.0.1', /private/],
    ['https://①②⑦.0.0.1', /private/],
    ['https://0', /private/],
    ['https://169.254.169.254/latest/meta-data', /private/],
    ['https://[::1]', /private/],
    ['https://[::ffff:127.0.0.1]', /private/],
    ['https://[::ffff:7f00:1]', /private/],
    ['https://[64:ff9b::7f00:1]', /private/],
    ['https://[fd00:ec2::254]', /private/],
  ])('refuses %s', (url, problem) => expect(strict.problemOf(url)).toMatch(problem));
});

describe('addresses that the operator allows', () => {
  const policy = createTargetPolicy({
    allowHttp: true,
    allowPrivate: ['10.1.0.0/16', '127.0.0.1', '::1', 'Hooks.Intern'],
  });

  it.each([
    ['a.example', '10.1.2.3'],
    ['a.example', '::ffff:10.1.2.3'],
    ['a.example', '127.0.0.1'],
    ['a.example', '::1'],
    ['hooks.intern', '192.168.0.7'],
    ['hooks.intern.', 'fd00::7'],
  ])('include %s at %s', (host, address) => expect(policy.isAllowed(host, address)).toBe(true));

  it.each([
    ['a.example', '10.2.0.1'],
    ['a.example', '127.0.0.2'],
    ['x.hooks.intern', '192.168.0.7'],
    ['hooks.intern.example', '192.168.0.7'],
  ])('exclude %s at %s', (host, address) => expect(policy.isAllowed(host, address)).toBe(false));

  it('may use http, and localhost by name', () => {
    expect(policy.problemOf('http://localhost:8080/')).toBeUndefined();
    expect(policy.problemOf('ftp://localhost/')).toBe('must begin with https:// or http://');
    expect(policy.problemOf('http://127.0.0.2:8080/')).toMatch(/private/);
  });
});
