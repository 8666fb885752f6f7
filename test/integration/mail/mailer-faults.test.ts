import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createMailer } from '../../../src/worker/mail/mailer.ts';
import { mailerOptions, mailMessage, peerAndMailer, threeRecipients } from './mail-fixtures.ts';

describe('an unusable server', () => {
  it('defers when the connection is refused (M1)', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await new Promise((resolve) => server.close(resolve));
    const mailer = createMailer(mailerOptions(`smtp://127.0.0.1:${port}`));
    expect(await mailer.verify()).toBe(false);
    expect(await mailer.send(mailMessage(threeRecipients))).toEqual({
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

  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'] as const)(
    'defers when the server never replies to %s',
    async (silent) => {
      const { peer, mailer } = await peerAndMailer(
        ({ verb }) => (verb === silent ? { instead: 'silence' } : undefined),
        {
          connectionTimeoutMs: 200,
          socketTimeoutMs: 200,
        },
      );
      expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'timeout' });
      await peer.whenDisconnected();
      expect(peer.messages).toEqual([]);
    },
  );

  it.each(['CONNECT', 'EHLO', 'AUTH', 'MAIL', 'DATA'] as const)(
    'frees the slot when the reply to %s trickles in (M5)',
    async (drip) => {
      const limits = { connectionTimeoutMs: 1_500, socketTimeoutMs: 1_500, maxConnections: 1, login: 'jane:secret' };
      const { peer, mailer } = await peerAndMailer(
        ({ verb, session }) =>
          verb === drip && session === 1 ? { reply: `220-${'x'.repeat(500)}`, dripMs: 50 } : undefined,
        limits,
        { extensions: ['AUTH PLAIN'] },
      );
      const [dripped, next] = await Promise.all([mailer.send(mailMessage()), mailer.send(mailMessage())]);
      expect(dripped).toMatchObject({ status: 'deferred', reason: 'timeout' });
      expect(next.status).toBe('sent');
      expect(peer.messages).toHaveLength(1);
    },
  );
});

describe('credentials', () => {
  it('may take longer to check than a connection to open', async () => {
    const { mailer } = await peerAndMailer(
      ({ verb }) => (verb === 'AUTH' ? { delayMs: 2_000 } : undefined),
      { login: 'jane:secret', connectionTimeoutMs: 1_500 },
      { extensions: ['AUTH PLAIN'] },
    );
    expect((await mailer.send(mailMessage())).status).toBe('sent');
  });

  it('are refused once, then logins pause, and the password is in no log (M4)', async () => {
    const { peer, mailer, logs } = await peerAndMailer(
      ({ verb }) => (verb === 'AUTH' ? '535 5.7.8 Error: authentication failed for user "jane"' : undefined),
      { login: 'jane:s3cret-pass', maxConnections: 1, authPauseMs: 60_000 },
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
      { login: 'jane:secret', authPauseMs: 0 },
      { extensions: ['AUTH PLAIN'] },
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.events.find(({ verb }) => verb === 'AUTH')?.line).toBe('AUTH PLAIN AGphbmUAc2VjcmV0');
  });

  it('defer when the server cannot check them now', async () => {
    const { mailer } = await peerAndMailer(
      ({ verb }) => (verb === 'AUTH' ? '454 4.7.0 later' : undefined),
      { login: 'jane:secret' },
      { extensions: ['AUTH PLAIN'] },
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'temporary' });
  });

  it('are missing for a server that requires them', async () => {
    const { mailer } = await peerAndMailer(({ verb }) =>
      verb === 'MAIL' ? '530 5.7.0 Authentication required' : undefined,
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
  });
});

describe('a message that is too large (M8)', () => {
  it('fails before connecting when it exceeds our own limit', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined, { maxMessageBytes: 90_000 });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'too_large' });
    expect(peer.count('CONNECT')).toBe(0);
  });

  it('counts the whole encoded message and not only the attachment', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined, { maxMessageBytes: 100_000 });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(await mailer.send(mailMessage({ body: 'x'.repeat(10_000) }))).toMatchObject({
      status: 'failed',
      reason: 'too_large',
    });
    expect(peer.messages).toHaveLength(1);
  });

  it('fails before a byte is sent when it exceeds the SIZE the server announced', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined, {}, { extensions: ['SIZE 50000'] });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'too_large' });
    expect(peer.count('MAIL')).toBe(0);
  });

  it.each(['MAIL', 'DOT'] as const)('fails when the server replies 552 to %s', async (at) => {
    const { mailer } = await peerAndMailer(({ verb }) => (verb === at ? '552 5.3.4 message too big' : undefined));
    expect(await mailer.send(mailMessage(threeRecipients))).toMatchObject({
      status: 'failed',
      reason: 'too_large',
      reply: '552 5.3.4 message too big',
    });
  });

  it('announces the exact size to the server', async () => {
    const { peer, mailer } = await peerAndMailer(() => undefined);
    await mailer.send(mailMessage());
    const announced = Number(/SIZE=(\d+)/.exec(peer.events.find(({ verb }) => verb === 'MAIL')?.line ?? '')?.[1]);
    const received = peer.messages[0]?.raw.byteLength ?? 0;
    expect(announced).toBe(received);
    expect(announced).toBeGreaterThan(93_000);
  });
});
