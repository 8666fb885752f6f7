import fc from 'fast-check';
import type { Email } from 'postal-mime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultText } from '../../../src/worker/mail/default-text.ts';
import { createMailer, type Mailer, type MailMessage } from '../../../src/worker/mail/mailer.ts';
import { oneLine } from '../../../src/worker/mail/one-line.ts';
import '../../support/property-seed.ts';
import { mailerOptions, mailMessage, pdfBytes, peerAndMailer } from './mail-fixtures.ts';
import { type Arrived, type MailSink, onlyOne, startMailSink } from './mail-sink.ts';

async function sinkAndMailer(): Promise<{ sink: MailSink; mailer: Mailer }> {
  const sink = await startMailSink({ disabledCommands: ['STARTTLS', 'AUTH'] });
  const mailer = createMailer(mailerOptions(`smtp://127.0.0.1:${sink.port}`));
  onTestFinished(() => mailer.close());
  return { sink, mailer };
}

async function deliver(changes: Partial<MailMessage>): Promise<Arrived> {
  const { sink, mailer } = await sinkAndMailer();
  expect((await mailer.send(mailMessage(changes))).status).toBe('sent');
  return onlyOne(sink);
}

function attachedBytes(email: Email): Buffer {
  const content = email.attachments[0]?.content;
  if (!(content instanceof ArrayBuffer)) throw new Error('no attachment arrived');
  return Buffer.from(content);
}

const headerNames = (arrived: Arrived): string[] => arrived.email.headers.map(({ key }) => key).sort();
const plainHeaders = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'];

describe('the received message', () => {
  it('is a text message with the attachment byte for byte', async () => {
    const { email, envelopeFrom, envelopeTo, raw } = await deliver({});
    expect(envelopeFrom).toBe('documents@docmill.example');
    expect(envelopeTo).toEqual(['ann@customer.example']);
    expect(email.from).toEqual({ name: 'Docmill', address: 'documents@docmill.example' });
    expect(email.subject).toBe('Invoice 7');
    expect(email.text?.trimEnd()).toBe('Hello,\n\nhere it is.');
    expect(email.html).toBeUndefined();
    expect(raw).toMatch(/^Content-Type: text\/plain/m);
    expect(email.attachments).toMatchObject([
      { filename: 'invoice.pdf', mimeType: 'application/pdf', disposition: 'attachment' },
    ]);
    expect(attachedBytes(email).equals(pdfBytes)).toBe(true);
  });

  it('has both alternatives for HTML, which is unchanged', async () => {
    const body = '<p>Dear <b>Änne</b>,</p>\n<p>see <a href="https://example.com/a?b=1">here</a>. <img src="cid:x"></p>';
    const { email } = await deliver({ body });
    expect(email.html?.trim()).toBe(body);
    expect(email.text).toContain('Dear Änne,');
    expect(email.text).toContain('here [https://example.com/a?b=1]');
    expect(email.attachments.map(({ filename }) => filename)).toEqual(['invoice.pdf']);
  });

  it('reads nothing from disk or network that an HTML body refers to', async () => {
    const body =
      '<p>x</p><img src="file:///etc/passwd"><img src="http://127.0.0.1:9/x"><img src="data:text/plain,abc">';
    const { email, raw } = await deliver({ body });
    expect(email.attachments).toHaveLength(1);
    expect(raw).not.toContain('root:');
    expect(email.html?.trim()).toBe(body);
  });

  it.each([
    'Rechnung März 2026 – größer.pdf',
    '請求書.pdf',
    'Счёт № 7.pdf',
    'quote " and \\ and ; and %41.pdf',
    "o'brien (final).pdf",
    `${'very-long-name-'.repeat(15)}ü.pdf`,
    '📄🧾.pdf',
  ])('carries the filename %s and the default subject and body made from it', async (filename) => {
    const attachment = { filename, contentType: 'application/pdf', content: pdfBytes };
    const { email } = await deliver({ attachment, ...defaultText(filename) });
    expect(email.attachments[0]?.filename).toBe(filename);
    expect(email.subject).toBe(`Your document: ${filename}`);
    expect(email.text).toContain(`"${filename}"`);
  });

  it('carries text in any script and any length of line', async () => {
    const body = `Grüße, 你好, שלום\n.\n..\n.hidden dot\nFrom the start\n${'long '.repeat(500)}\n${'x'.repeat(3_000)}\n`;
    const { email, raw } = await deliver({ body });
    expect(email.text?.trimEnd()).toBe(body.trimEnd());
    for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
    expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('keeps an empty body and an empty attachment', async () => {
    const { email } = await deliver({
      body: '',
      attachment: { filename: 'empty.docx', contentType: 'application/octet-stream', content: new Uint8Array() },
    });
    expect(email.text?.trim()).toBe('');
    expect(attachedBytes(email)).toHaveLength(0);
  });

  it('attaches the bytes of a view, not of its whole buffer', async () => {
    const view = new Uint8Array(new TextEncoder().encode('secret-DOC-secret').buffer, 7, 3);
    const { email } = await deliver({
      attachment: { filename: 'a.docx', contentType: 'application/x', content: view },
    });
    expect(attachedBytes(email).toString()).toBe('DOC');
  });

  it('lists To and Cc in its headers and Bcc nowhere', async () => {
    const { email, envelopeTo, raw } = await deliver({
      to: ['ann@customer.example', 'bob@customer.example'],
      cc: ['cid@customer.example'],
      bcc: ['secret@customer.example', 'ann@customer.example'],
    });
    expect(envelopeTo).toEqual([
      'ann@customer.example',
      'bob@customer.example',
      'cid@customer.example',
      'secret@customer.example',
    ]);
    expect(email.to?.map(({ address }) => address)).toEqual(['ann@customer.example', 'bob@customer.example']);
    expect(email.cc?.map(({ address }) => address)).toEqual(['cid@customer.example']);
    expect(raw).not.toContain('secret@');
    expect(raw).not.toMatch(/^bcc:/im);
  });

  it('reaches an international domain by its A-label', async () => {
    const { peer, mailer } = await peerAndMailer();
    expect(await mailer.send(mailMessage({ to: ['info@münchen.example'] }))).toMatchObject({
      status: 'sent',
      recipients: [{ address: 'info@münchen.example', status: 'sent' }],
    });
    expect(peer.events.find(({ verb }) => verb === 'RCPT')?.line).toBe('RCPT TO:<info@xn--mnchen-3ya.example>');
    expect(peer.messages[0]?.raw.toString()).toContain('To: info@xn--mnchen-3ya.example\r\n');
  });

  it('has the same Message-ID however often it is sent', async () => {
    const { sink, mailer } = await sinkAndMailer();
    await mailer.send(mailMessage({ messageId: 'dlv_42' }));
    await mailer.send(mailMessage({ messageId: 'dlv_42' }));
    await mailer.send(mailMessage({ messageId: 'dlv_42@files.example' }));
    const id = '<dlv_42@docmill.example>';
    expect(sink.arrived.map(({ email }) => email.messageId)).toEqual([id, id, '<dlv_42@files.example>']);
  });
});

describe('header injection (M9)', () => {
  const evil = '\r\nBcc: evil@x.example\r\nX-Evil: 1\r\n\r\n<p>body</p>';

  it.each([
    ['subject', { subject: `Hi${evil}` }],
    ['filename', { attachment: { filename: `a.pdf${evil}`, contentType: 'application/pdf', content: pdfBytes } }],
    ['content type', { attachment: { filename: 'a', contentType: `a/b${evil}`, content: pdfBytes } }],
    ['body', { body: `text${evil}`.replace('<p>body</p>', '') }],
    ['HTML body', { body: `<p>x</p>${evil}\r\n.\r\nMAIL FROM:<evil@x.example>\r\n` }],
  ])('adds no header, part, recipient or message through the %s', async (_name, changes) => {
    const arrived = await deliver(changes);
    expect(arrived.envelopeTo).toEqual(['ann@customer.example']);
    expect(headerNames(arrived)).toEqual(plainHeaders);
    expect(arrived.email.bcc).toBeUndefined();
    expect(arrived.email.attachments).toHaveLength(1);
    expect(attachedBytes(arrived.email).equals(pdfBytes)).toBe(true);
  });

  it.each([
    ['a header after the address', 'b@ex.example\r\nBcc: evil@x.example'],
    ['a second address', 'b@ex.example, evil@x.example'],
    ['a display name', 'Bob <b@ex.example>'],
    ['an SMTP parameter', 'b@ex.example> NOTIFY=SUCCESS <c@ex.example'],
    ['an empty string', ''],
  ])('refuses %s as a recipient, in every place', async (_name, address) => {
    const { sink, mailer } = await sinkAndMailer();
    for (const place of [{ to: [address] }, { cc: [address] }, { bcc: [address] }, { envelopeTo: [address] }]) {
      expect(await mailer.send(mailMessage(place))).toMatchObject({ status: 'failed', reason: 'invalid' });
    }
    expect(sink.arrived).toEqual([]);
  });

  it.each(['a\r\nX-Evil: 1', 'a b', '<a>', '', 'a@b@c'])('refuses the message id %j', async (messageId) => {
    const { sink, mailer } = await sinkAndMailer();
    expect(await mailer.send(mailMessage({ messageId }))).toMatchObject({ status: 'failed', reason: 'invalid' });
    expect(sink.arrived).toEqual([]);
  });

  it.each([
    '=?utf-8?Q?a=0D=0ABcc:_eve=40sink.test?=',
    'Re: =?utf-8?B?w6k=?= and =?iso-8859-1?Q?=E9?= in it',
    `=?utf-8?Q?${'long_'.repeat(60)}?=`,
    '=?utf-8?Q?caf=C3=A9?= \u00e9 \u{1f600}',
    '=?no end',
  ])('%s as a subject is sent literally, not decoded', async (subject) => {
    const { email, raw } = await deliver({ subject });
    expect(email.subject).toBe(subject);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(78);
  });

  it('preserves subjects and filenames, on one line', async () => {
    const { sink, mailer } = await sinkAndMailer();
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({
        unit: fc.constantFrom('"', '\\', '=?', '?=', '%', "'", ';', '*', '(', '<', '\t', '\r\n', 'é', '🧾', ' '),
        maxLength: 60,
      }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, name) => {
        const filename = `${name}.pdf`;
        const attachment = { filename, contentType: 'application/pdf', content: pdfBytes.subarray(0, 9) };
        await mailer.send(mailMessage({ subject: `x${subject}x`, attachment }));
        const email = sink.arrived.at(-1)?.email;
        expect(email?.subject).toBe(oneLine(`x${subject}x`));
        expect(email?.attachments[0]?.filename).toBe(oneLine(filename));
      }),
      { numRuns: 200 },
    );
  });

  it('is impossible with any subject, filename and body', async () => {
    const { sink, mailer } = await sinkAndMailer();
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('\r', '\n', ':', 'B', ' ', '=?') }),
    );
    await fc.assert(
      fc.asyncProperty(text, text, text, async (subject, filename, body) => {
        const attachment = {
          filename: `${filename}.pdf`,
          contentType: 'application/pdf',
          content: pdfBytes.subarray(0, 99),
        };
        await mailer.send(mailMessage({ subject, body, attachment }));
        const arrived = sink.arrived.at(-1);
        if (arrived === undefined) throw new Error('nothing arrived');
        expect(headerNames(arrived).filter((name) => name !== 'subject')).toEqual(
          plainHeaders.filter((name) => name !== 'subject'),
        );
        expect(arrived.envelopeTo).toEqual(['ann@customer.example']);
        expect(arrived.email.attachments).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
    expect(sink.arrived.length).toBeGreaterThanOrEqual(200);
  });
});
