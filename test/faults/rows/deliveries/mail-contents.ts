import PostalMime from 'postal-mime';
import type { PeerMessage } from '../../../support/faults/smtp-peer-script.ts';
import { letter } from '../../client/templates.ts';
import type { Owner } from '../../harness/harness.ts';
import { expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const ada = 'ada@sink.test';
const people = (count: number): string[] => Array.from({ length: count }, (_, index) => `p${index}@sink.test`);

const refusedEmails: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['a line break in the subject', { to: [ada], subject: 'Hi\r\nBcc: eve@sink.test' }],
  ['a line break in an address', { to: ['ada@sink.test\r\nBcc: eve@sink.test'] }],
  ['two addresses in one', { to: ['ada@sink.test,eve@sink.test'] }],
  ['an SMTP option in an address', { to: ['ada@sink.test> ORCPT=rfc822;eve@sink.test'] }],
  ['a quoted local part', { to: [ada], cc: ['"eve@sink.test, x"@sink.test'] }],
  ['a display name', { to: ['Ada <ada@sink.test>'] }],
  ['no recipient', { to: [], bcc: [ada] }],
  ['51 recipients', { to: people(30), cc: people(45).slice(30), bcc: people(51).slice(45) }],
];

/** Texts that must not become a header, a recipient or a command. */
const strange = {
  email: {
    to: [ada, 'ADA@sink.test', 'juergen@b\u00fccher.test'],
    cc: ['bob@sink.test', ada],
    bcc: ['eve@sink.test', 'Bob@sink.test'],
    subject: 'Gr\u00fc\u00dfe =?utf-8?Q?=0D=0ABcc:_mallory=40sink.test?= \u{1f600}',
    body: 'Bcc: mallory@sink.test\r\n.\r\nMAIL FROM:<mallory@sink.test>\r\nRCPT TO:<mallory@sink.test>\n.\nDATA\r.\r',
  },
  output: { filename: '../a"b\r\nX-Evil: 1;\u00fc.docx' },
} as const;

const headers = [
  'auto-submitted',
  'cc',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'subject',
  'to',
] as const;

async function checkMessage({ raw, to }: PeerMessage, filename: string): Promise<void> {
  expectEqual(to, [ada, 'juergen@xn--bcher-kva.test', 'bob@sink.test', 'eve@sink.test'], 'the recipients');
  const mail = await PostalMime.parse(raw);
  expectEqual(mail.headers.map(({ key }) => key).sort(), [...headers], 'the headers');
  expectEqual(mail.to?.length, 2, 'the addresses in To');
  expectEqual(mail.cc?.length, 1, 'the addresses in Cc');
  expectEqual(mail.subject, strange.email.subject, 'the subject');
  const lines = (text = ''): string[] => text.trim().split(/\r\n|\r|\n/);
  expectEqual(lines(mail.text), lines(strange.email.body), 'the body');
  expectEqual(
    mail.attachments.map((attachment) => attachment.filename),
    [filename],
    'the attachments',
  );
}

async function refuseAll({ client, templateId }: Owner): Promise<void> {
  for (const [what, email] of refusedEmails)
    expectEqual((await client.generate({ templateId, email })).status, 400, what);
  const named = await client.upload('a\r\nBcc: eve@sink.test\r\n.docx', letter);
  expectEqual(named.status, 400, "a line break in a template's name");
}

export const mailContentRows: readonly Row[] = [
  {
    id: 'M9',
    title: 'hostile subjects, bodies, names and recipients',
    story:
      'Line breaks, quoted local parts and 51 recipients are refused; duplicates, an international domain and lone dots are sent without an extra header, recipient or command',
    async run(h) {
      const peer = await h.smtpPeer({});
      await h.start({ worker: { env: { SMTP_URL: peer.url } } });
      const owner = await h.owner(letter, { credits: 5 });
      await refuseAll(owner);
      const { client, templateId } = owner;
      const answer = await client.generate({ templateId, ...strange });
      expectEqual(answer.status, 200, 'the answer');
      const id = answer.headers.get('Email-Delivery-Id') ?? '';
      await until('the mail being sent', async () => (await client.delivery(id)).status === 'sent');
      const disposition = answer.headers.get('Content-Disposition') ?? '';
      const filename = decodeURIComponent(/filename\*=UTF-8''(\S+)/.exec(disposition)?.[1] ?? '');
      expectEqual(filename, 'abX-Evil 1;\u00fc.docx', 'the name of the file');
      expectEqual([peer.count('MAIL'), peer.count('RCPT'), peer.count('DATA')], [1, 4, 1], 'the commands');
      const [message, ...others] = peer.messages;
      expectEqual(others.length, 0, 'other messages');
      if (message !== undefined) await checkMessage(message, filename);
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
    },
  },
];
