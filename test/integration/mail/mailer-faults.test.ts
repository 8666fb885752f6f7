import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createMailer, type Mailer, type MailerOptions } from '../../../src/worker/mail/mailer.ts';
import { type SmtpPeer, startSmtpPeer } from '../../support/smtp-peer.ts';
import type { PeerScript, SmtpPeerOptions } from '../../support/smtp-peer-script.ts';
import { mailerOptions, mailMessage } from './mail-fixtures.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function peerAndMailer(
  script: PeerScript,
  changes: Partial<MailerOptions> = {},
  peerOptions: SmtpPeerOptions = {},
): Promise<{ peer: SmtpPeer; mailer: Mailer; logs: ReturnType<typeof mailerOptions>['logs'] }> {
  const peer = await startSmtpPeer({ ...peerOptions, script });
  const url = peer.url.replace('//', changes.smtpUrl === undefined ? '//' : `//${changes.smtpUrl}@`);
  const { logs, ...options } = mailerOptions(url, { ...changes, smtpUrl: url });
  const mailer = createMailer(options);
  open.push(peer, mailer);
  return { peer, mailer, logs };
}

const three = { to: ['ann@customer.example', 'bob@customer.example'], cc: ['cid@customer.example'] };
const pipelining = [
  ['with pipelining', ['PIPELINING', 'SIZE 50000000']],
  ['one command at a time', ['SIZE 50000000']],
] as const;

describe('a server that cannot be used', () => {
  it('defers when the connection is refused (M1)', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const mailer = createMailer(mailerOptions(`smtp://127.0.0.1:${port}`));
    expect(await mailer.verify()).toBe(false);
    expect(await mailer.send(mailMessage(three))).toEqual({
      status: 'deferred',
      reason: 'unreachable',
      recipients: ['ann', 'bob', 'cid'].map((name) => ({ address: `${name}@customer.example`, status: 'deferred' })),
    });
    await mailer.close();
  });

  it('defers when the name does not resolve', async () => {
    const mailer = createMailer(mailerOptions('smtp://mail.invalid:25'));
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'unreachable' });
    await mailer.close();
  });

  it('defers when the server greets with 421 (M2)', async () => {
    const { mailer } = await peerAndMailer(({ verb }) => (verb === 'CONNECT' ? '421 4.3.2 too busy' : undefined));
    expect(await mailer.send(mailMessage())).toMatchObject({
      status: 'deferred',
      reason: 'temporary',
      reply: '421 4.3.2 too busy',
    });
  });

  it('defers when the server closes before its greeting', async () => {
    const { mailer } = await peerAndMailer(({ verb }) => (verb === 'CONNECT' ? { instead: 'close' } : undefined));
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'unreachable' });
  });

  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'] as const)('defers when %s is never answered', async (silent) => {
    const { peer, mailer } = await peerAndMailer(({ verb }) => (verb === silent ? { instead: 'silence' } : undefined), {
      connectionTimeoutMs: 200,
      socketTimeoutMs: 200,
    });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'timeout' });
    await peer.whenDisconnected();
    expect(peer.messages).toEqual([]);
  });

  it.each(['CONNECT', 'EHLO', 'MAIL', 'DATA'] as const)(
    'frees the slot when %s is answered in drips (M5)',
    async (drip) => {
      const limits = { connectionTimeoutMs: 300, socketTimeoutMs: 300, maxConnections: 1 };
      const { peer, mailer } = await peerAndMailer(
        ({ verb, session }) =>
          verb === drip && session === 1 ? { reply: `220-${'x'.repeat(500)}`, dripMs: 50 } : undefined,
        limits,
      );
      const startMs = performance.now();
      const [dripped, next] = await Promise.all([mailer.send(mailMessage()), mailer.send(mailMessage())]);
      expect(performance.now() - startMs).toBeLessThan(2_500);
      expect(dripped).toMatchObject({ status: 'deferred', reason: 'timeout' });
      expect(next.status).toBe('sent');
      expect(peer.messages).toHaveLength(1);
    },
  );
});

describe.each(pipelining)('replies to the envelope, %s', (_name, extensions) => {
  it.each(['421 4.3.2 restarting', '451 4.3.0 try later'])(
    'defers on %s to MAIL and sends it once later (M2)',
    async (reply) => {
      const { peer, mailer } = await peerAndMailer(
        ({ verb, session }) =>
          verb === 'MAIL' && session === 1 ? { reply, close: reply.startsWith('421') } : undefined,
        {},
        { extensions },
      );
      expect(await mailer.send(mailMessage(three))).toMatchObject({ status: 'deferred', reason: 'temporary', reply });
      expect((await mailer.send(mailMessage(three))).status).toBe('sent');
      expect(peer.messages).toHaveLength(1);
    },
  );

  it('sends to two of three when one is refused for good (M3)', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, line }) => (verb === 'RCPT' && line.includes('bob@') ? '550 5.1.1 no such user' : undefined),
      {},
      { extensions },
    );
    expect(await mailer.send(mailMessage(three))).toEqual({
      status: 'partial',
      reply: '250 2.0.0 queued',
      recipients: [
        { address: 'ann@customer.example', status: 'sent', reply: '250 2.0.0 queued' },
        { address: 'bob@customer.example', status: 'failed', reply: '550 5.1.1 no such user' },
        { address: 'cid@customer.example', status: 'sent', reply: '250 2.0.0 queued' },
      ],
    });
    expect(peer.messages.map(({ to }) => to)).toEqual([['ann@customer.example', 'cid@customer.example']]);
  });

  it('sends to the others and then again only to the deferred one, with the same headers', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, line, nth }) =>
        verb === 'RCPT' && line.includes('bob@') && nth < 4 ? '451 4.7.1 greylisted' : undefined,
      {},
      { extensions },
    );
    const first = await mailer.send(mailMessage(three));
    expect(first.status).toBe('partial');
    const deferred = first.recipients.filter(({ status }) => status === 'deferred').map(({ address }) => address);
    expect(deferred).toEqual(['bob@customer.example']);
    expect(await mailer.send(mailMessage({ ...three, envelopeTo: deferred }))).toMatchObject({
      status: 'sent',
      recipients: [{ address: 'bob@customer.example', status: 'sent' }],
    });
    expect(peer.messages.map(({ to }) => to)).toEqual([
      ['ann@customer.example', 'cid@customer.example'],
      ['bob@customer.example'],
    ]);
    for (const text of peer.messages.map(({ raw }) => raw.toString())) {
      expect(text).toContain('To: ann@customer.example, bob@customer.example\r\n');
      expect(text).toContain('Cc: cid@customer.example\r\n');
      expect(text).toContain('Message-ID: <dlv_01@docmill.example>\r\n');
    }
  });

  it('defers all who may be tried again when nobody is accepted', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, line }) => (verb === 'RCPT' ? (line.includes('bob@') ? '550 5.1.1 no' : '452 4.2.2 full') : undefined),
      {},
      { extensions },
    );
    expect(await mailer.send(mailMessage(three))).toMatchObject({
      status: 'deferred',
      recipients: [{ status: 'deferred' }, { status: 'failed' }, { status: 'deferred' }],
    });
    expect(peer.messages).toEqual([]);
  });

  it('fails when everybody is refused for good', async () => {
    const { mailer } = await peerAndMailer(
      ({ verb }) => (verb === 'RCPT' ? '550 5.1.1 no' : undefined),
      {},
      { extensions },
    );
    expect(await mailer.send(mailMessage(three))).toMatchObject({
      status: 'failed',
      reason: 'rejected',
      recipients: [{ status: 'failed' }, { status: 'failed' }, { status: 'failed' }],
    });
  });

  it('drops an empty message when a server takes DATA without recipients', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb }) => (verb === 'DATA' ? '354 go on' : verb === 'RCPT' ? '550 5.1.1 no' : undefined),
      {},
      { extensions },
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'rejected' });
    expect(peer.messages.filter(({ to }) => to.length > 0)).toEqual([]);
  });

  it.each([
    ['451 4.3.0 later', 'deferred', 'temporary'],
    ['554 5.7.1 no', 'failed', 'rejected'],
  ] as const)('takes %s to DATA for all who were accepted', async (reply, status, reason) => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, line }) => {
        if (verb === 'DATA') return reply;
        return verb === 'RCPT' && line.includes('bob@') ? '550 5.1.1 no such user' : undefined;
      },
      {},
      { extensions },
    );
    const outcome = await mailer.send(mailMessage(three));
    expect(outcome).toMatchObject({ status, reason });
    expect(outcome.recipients.map((recipient) => recipient.status)).toEqual([status, 'failed', status]);
    expect(peer.messages).toEqual([]);
  });
});

describe('credentials', () => {
  it('are refused once, then nobody logs in for a while, and the password is in no log (M4)', async () => {
    const { peer, mailer, logs } = await peerAndMailer(
      ({ verb }) => (verb === 'AUTH' ? '535 5.7.8 Error: authentication failed for user "jane"' : undefined),
      { smtpUrl: 'jane:s3cret-pass', maxConnections: 1, authPauseMs: 60_000 },
      { extensions: ['AUTH PLAIN LOGIN'] },
    );
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => mailer.send(mailMessage())));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'failed', reason: 'auth' });
    expect(outcomes[0]?.reply).toBe('535 5.7.8');
    expect(peer.count('AUTH')).toBe(1);
    expect(await mailer.verify()).toBe(false);
    expect(peer.count('CONNECT')).toBe(1);
    expect(logs.lines.filter(({ level }) => level === 50)).toHaveLength(1);
    expect(logs.text).not.toMatch(/s3cret|jane|amFuZ/);
  });

  it('are tried again after the pause', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, session }) => (verb === 'AUTH' && session === 1 ? '535 5.7.8 no' : undefined),
      { smtpUrl: 'jane:secret', authPauseMs: 0 },
      { extensions: ['AUTH PLAIN'] },
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.events.find(({ verb }) => verb === 'AUTH')?.line).toBe('AUTH PLAIN AGphbmUAc2VjcmV0');
  });

  it('defer when the server cannot check them now', async () => {
    const { mailer } = await peerAndMailer(
      ({ verb }) => (verb === 'AUTH' ? '454 4.7.0 later' : undefined),
      { smtpUrl: 'jane:secret' },
      { extensions: ['AUTH PLAIN'] },
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'temporary' });
  });

  it('are asked for by a server we have none for', async () => {
    const { mailer } = await peerAndMailer(({ verb }) =>
      verb === 'MAIL' ? '530 5.7.0 Authentication required' : undefined,
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
  });
});

describe('a message that is too large (M8)', () => {
  it('fails before anything is opened when it is above our own limit', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined, { maxMessageBytes: 90_000 });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'too_large' });
    expect(peer.count('CONNECT')).toBe(0);
  });

  it('fails without a byte of it sent when it is above the SIZE the server announced', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined, {}, { extensions: ['SIZE 50000'] });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'too_large' });
    expect(peer.count('MAIL')).toBe(0);
  });

  it.each(['MAIL', 'DOT'] as const)('fails when the server says 552 to %s', async (at) => {
    const { mailer } = await peerAndMailer(({ verb }) => (verb === at ? '552 5.3.4 message too big' : undefined));
    expect(await mailer.send(mailMessage(three))).toMatchObject({
      status: 'failed',
      reason: 'too_large',
      reply: '552 5.3.4 message too big',
    });
  });

  it('tells the server the size it will really get', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined);
    await mailer.send(mailMessage());
    const announced = Number(/SIZE=(\d+)/.exec(peer.events.find(({ verb }) => verb === 'MAIL')?.line ?? '')?.[1]);
    const received = peer.messages[0]?.raw.byteLength ?? 0;
    expect(announced).toBe(received);
    expect(announced).toBeGreaterThan(93_000);
  });
});
