import { describe, expect, it } from 'vitest';
import { parseSmtpUrl } from '../../../src/worker/mail/smtp-url.ts';

describe('parseSmtpUrl', () => {
  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false }],
    ['smtps://mail.example.com', { host: 'mail.example.com', port: 465, secure: true }],
    ['smtp://127.0.0.1:1025?tls=off', { host: '127.0.0.1', port: 1025, secure: false, ignoreTLS: true }],
    ['smtp://[::1]:25?tls=required', { host: '::1', port: 25, secure: false, requireTLS: true }],
    ['smtp://h?tls=auto&verify=off&name=app.example.com', { host: 'h', tls: { rejectUnauthorized: false } }],
    ['smtp://h?verify=on', { host: 'h', port: 587 }],
  ])('reads %s', (url, expected) => {
    const target = parseSmtpUrl(url);
    expect(target.connection).toMatchObject(expected);
    expect(target.auth).toBeUndefined();
  });

  it('decodes user and password', () => {
    expect(parseSmtpUrl('smtp://jane%40example.com:p%3Ass%2Fw@h').auth).toEqual({
      user: 'jane@example.com',
      pass: 'p:ss/w',
    });
  });

  it.each([
    'mail.example.com:25',
    'http://mail.example.com',
    'smtp://',
    'smtp://h?tls=maybe',
    'smtp://h?verify=perhaps',
    'smtp://h?name=a%0d%0ab',
    'smtp://h?pool=true',
    'smtp://user:secret%zz@h',
  ])('rejects %s without revealing the password', (url) => {
    expect(() => parseSmtpUrl(url)).toThrow(/^The SMTP URL (?!.*secret)/);
  });
});
