import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailer, type Mailer } from '../../../src/worker/mail/mailer.ts';
import { at, mailerOptions, mailMessage, pdfBytes, peerAndMailer, refusing } from './mail-fixtures.ts';
import { type Arrived, type MailSink, onlyOne, startMailSink } from './mail-sink.ts';

type SinkOptions = Parameters<typeof startMailSink>[0];

async function sinkAndMailer(options: SinkOptions = {}, url = 'smtp://'): Promise<{ sink: MailSink; mailer: Mailer }> {
  const sink = await startMailSink({ disabledCommands: ['STARTTLS', 'AUTH'], ...options });
  const [scheme = '', query = ''] = url.split('?');
  const mailer = createMailer(mailerOptions(`${scheme}127.0.0.1:${sink.port}/?${query}`));
  onTestFinished(() => mailer.close());
  return { sink, mailer };
}

/** The header of a message as it arrived. */
const headOf = ({ raw }: Arrived): string =>
  Buffer.from(raw, 'latin1').toString('utf8').split('\r\n\r\n', 1)[0]?.replaceAll('\r\n ', ' ') ?? '';

const mixed = {
  to: ['ü@exämple.com', 'ann@customer.example'],
  cc: ['info@münchen.example', '山田@例え.jp'],
  bcc: ['коля@example.com'],
};
const withoutUtf8 = 'the mail server accepts only ASCII before the @ of an address: it does not offer SMTPUTF8';
const withPeerUtf8 = { extensions: ['PIPELINING', 'SIZE 50000000', '8BITMIME', 'SMTPUTF8'] };

describe('a server with SMTPUTF8', () => {
  it('gets UTF-8 addresses in the envelope and in the headers', async () => {
    const { sink, mailer } = await sinkAndMailer();
    const outcome = await mailer.send(mailMessage(mixed));
    expect(outcome.status).toBe('sent');
    expect(outcome.recipients.map(({ address }) => address)).toEqual([...mixed.to, ...mixed.cc, ...mixed.bcc]);
    const arrived = onlyOne(sink);
    expect(arrived.isUtf8).toBe(true);
    const head = headOf(arrived);
    expect(head).toMatch(/^To: ü@exämple\.com, ann@customer\.example$/m);
    expect(head).toMatch(/^Cc: info@xn--mnchen-3ya\.example, 山田@例え\.jp$/m);
    expect(head).not.toContain('коля');
    expect(arrived.email.to?.map(({ address }) => address)).toEqual(mixed.to);
    expect(arrived.email.attachments[0]?.content).toEqual(pdfBytes.buffer);
  });

  it('gets the commands in UTF-8, with domains in A-labels', async () => {
    const { peer, mailer } = await peerAndMailer(undefined, withPeerUtf8);
    expect((await mailer.send(mailMessage(mixed))).status).toBe('sent');
    const lines = peer.events.filter(({ verb }) => verb === 'MAIL' || verb === 'RCPT').map(({ line }) => line);
    expect(lines[0]).toMatch(/^MAIL FROM:<documents@docmill\.example> SMTPUTF8 SIZE=\d+$/);
    expect(lines.slice(1)).toEqual([
      'RCPT TO:<ü@xn--exmple-cua.com>',
      'RCPT TO:<ann@customer.example>',
      'RCPT TO:<info@xn--mnchen-3ya.example>',
      'RCPT TO:<山田@xn--r8jz45g.jp>',
      'RCPT TO:<коля@example.com>',
    ]);
  });

  it.each([
    ['over TLS and with a login', {}, 'smtp://user:secret@?verify=off'],
    ['with a login', { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }, 'smtp://user:secret@'],
  ])('is recognized %s', async (_name, options, url) => {
    const onAuth = (_auth: unknown, _session: unknown, done: (error: null, value: { user: string }) => void) =>
      done(null, { user: 'user' });
    const { sink, mailer } = await sinkAndMailer({ disabledCommands: [], ...options, onAuth }, url);
    expect((await mailer.send(mailMessage(mixed))).status).toBe('sent');
    expect(sink.arrived.map(({ isUtf8 }) => isUtf8)).toEqual([true]);
  });

  it('is not asked for SMTPUTF8 when only domains are international', async () => {
    const { sink, mailer } = await sinkAndMailer();
    await mailer.send(mailMessage({ to: ['info@münchen.example'] }));
    const arrived = onlyOne(sink);
    expect(arrived.isUtf8).toBe(false);
    expect(arrived.raw).toContain('To: info@xn--mnchen-3ya.example\r\n');
  });

  it('is not asked for SMTPUTF8 for the ASCII recipients of a later attempt, whose headers name the others in ASCII', async () => {
    const { sink, mailer } = await sinkAndMailer();
    const outcome = await mailer.send(mailMessage({ ...mixed, envelopeTo: ['ann@customer.example'] }));
    expect(outcome).toMatchObject({ status: 'sent', recipients: [{ address: 'ann@customer.example' }] });
    const arrived = onlyOne(sink);
    expect(arrived.isUtf8).toBe(false);
    expect(arrived.raw).toMatch(/^[\r\n\x20-\x7e]*$/);
  });

  it('may refuse one recipient, and the others get the message', async () => {
    const { peer, mailer } = await peerAndMailer(refusing('ü@', '553 5.6.7 kein ü'), withPeerUtf8);
    const outcome = await mailer.send(mailMessage({ to: ['ü@exämple.com', 'ann@customer.example'] }));
    expect(outcome).toMatchObject({
      status: 'partial',
      recipients: [
        { address: 'ü@exämple.com', status: 'failed', reply: '553 5.6.7 kein ü' },
        { address: 'ann@customer.example', status: 'sent' },
      ],
    });
    expect(peer.messages.map(({ to }) => to)).toEqual([['ann@customer.example']]);
  });
});

describe('a server without SMTPUTF8', () => {
  it('gets the message for ASCII recipients, with headers in ASCII, and the others fail with the reason', async () => {
    const { sink, mailer } = await sinkAndMailer({ hideSMTPUTF8: true });
    expect(await mailer.send(mailMessage(mixed))).toMatchObject({
      status: 'partial',
      recipients: [
        { address: 'ü@exämple.com', status: 'failed', reply: withoutUtf8 },
        { address: 'ann@customer.example', status: 'sent' },
        { address: 'info@münchen.example', status: 'sent' },
        { address: '山田@例え.jp', status: 'failed', reply: withoutUtf8 },
        { address: 'коля@example.com', status: 'failed', reply: withoutUtf8 },
      ],
    });
    const arrived = onlyOne(sink);
    expect(arrived.envelopeTo).toEqual(['ann@customer.example', 'info@münchen.example']);
    expect(arrived.isUtf8).toBe(false);
    expect(arrived.raw).toMatch(/^[\r\n\x20-\x7e]*$/);
    expect(headOf(arrived)).toMatch(/^To: =\?UTF-8\?[BQ]\?\S+\?=:;, ann@customer\.example$/m);
    expect(headOf(arrived)).toMatch(/^Cc: info@xn--mnchen-3ya\.example, =\?UTF-8\?[BQ]\?\S+\?=:;$/m);
    expect(arrived.email.to).toEqual([
      { name: 'ü@exämple.com', group: [] },
      { name: '', address: 'ann@customer.example' },
    ]);
  });

  it('gets nothing when no recipient is left, and serves the next message over the same connection', async () => {
    const { peer, mailer } = await peerAndMailer();
    expect(await mailer.send(mailMessage({ to: ['ü@exämple.com'] }))).toEqual({
      status: 'failed',
      reason: 'invalid',
      reply: withoutUtf8,
      recipients: [{ address: 'ü@exämple.com', status: 'failed', reply: withoutUtf8 }],
    });
    expect(peer.count('MAIL')).toBe(0);
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.count('CONNECT')).toBe(1);
  });

  it('leaves the other recipients failed when it defers the ASCII ones', async () => {
    const { mailer } = await peerAndMailer(at('MAIL', '451 4.3.0 later'));
    expect(await mailer.send(mailMessage({ to: ['ü@exämple.com', 'ann@customer.example'] }))).toMatchObject({
      status: 'deferred',
      reason: 'temporary',
      recipients: [{ status: 'failed', reply: withoutUtf8 }, { status: 'deferred' }],
    });
  });

  it.each([
    ['knows only HELO', ['502 5.5.1 unknown command', '250 SMTPUTF8']],
    ['is named like the extension', ['250-SMTPUTF8 at your service\r\n250 SMTPUTF8.example']],
  ])('is recognized when it %s', async (_name, greetings) => {
    const { mailer } = await peerAndMailer(({ verb, nth }) => (verb === 'EHLO' ? greetings[nth - 1] : undefined));
    expect(await mailer.send(mailMessage({ to: ['ü@exämple.com'] }))).toMatchObject({ reply: withoutUtf8 });
  });
});

it.each([
  'ü\u202e@example.com',
  'ü\u200b@example.com',
  'ü x@example.com',
  'ü\u2028@example.com',
  'ü>@example.com',
  'ü\u0085@example.com',
])('refuses %j as a recipient, whatever the API let through', async (address) => {
  const { sink, mailer } = await sinkAndMailer();
  expect(await mailer.send(mailMessage({ to: [address] }))).toMatchObject({ status: 'failed', reason: 'invalid' });
  expect(sink.arrived).toEqual([]);
});

it('a sender outside of ASCII is refused at the start', () => {
  expect(() => createMailer(mailerOptions('smtp://127.0.0.1', { from: 'Ü <ü@example.com>' }))).toThrow(
    'must be ASCII before the @',
  );
});
