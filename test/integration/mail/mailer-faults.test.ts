import { describe, expect, it, onTestFinished } from 'vitest';
import { loadWorkerConfig } from '../../../src/shared/config/load-config.ts';
import { closeEngines, startEngines } from '../../../src/worker/engines.ts';
import { createMailer, type Mailer, type MailerOptions } from '../../../src/worker/mail/mailer.ts';
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { type SmtpPeer, startSmtpPeer } from '../../support/faults/smtp-peer.ts';
import { silent } from '../../support/services/redis.ts';
import { required } from '../../unit/shared/config/required-variables.ts';
import {
  at,
  attachmentOf,
  countingHook,
  mailerOptions,
  mailMessage,
  peerAndMailer,
  threeRecipients,
} from './mail-fixtures.ts';

describe('an unusable server', () => {
  it('defers when the connection is refused (M1)', async () => {
    const mailer = createMailer(mailerOptions('smtp://127.0.0.1:1'));
    expect(await mailer.verify()).toBe(false);
    expect(await mailer.send(mailMessage(threeRecipients))).toEqual({
      status: 'deferred',
      reason: 'unreachable',
      recipients: ['ann', 'bob', 'cid'].map((name) => ({ address: `${name}@customer.example`, status: 'deferred' })),
    });
    await mailer.close();
  });

  it('defers when the name does not resolve', async () => {
    // Longer than a label may be, so that no name server is asked, which might not respond.
    const mailer = createMailer(mailerOptions(`smtp://${'x'.repeat(64)}.invalid:25`));
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'unreachable' });
    await mailer.close();
  });

  it('defers when the server greets with 421 (M2)', async () => {
    const { mailer } = await peerAndMailer(at('CONNECT', '421 4.3.2 too busy'));
    const outcome = { status: 'deferred', reason: 'temporary', reply: '421 4.3.2 too busy' };
    expect(await mailer.send(mailMessage())).toMatchObject(outcome);
  });

  it('defers when the server closes before its greeting', async () => {
    const { mailer } = await peerAndMailer(at('CONNECT', { instead: 'close' }));
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'unreachable' });
  });

  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA'] as const)(
    'defers when the server never replies to %s',
    async (silent) => {
      const limits = { connectionTimeoutMs: 200, socketTimeoutMs: 200 };
      const { peer, mailer } = await peerAndMailer(at(silent, { instead: 'silence' }), limits);
      expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'timeout' });
      await peer.whenDisconnected();
      expect(peer.messages).toEqual([]);
    },
  );

  it.each(['CONNECT', 'EHLO', 'AUTH', 'MAIL', 'DATA'] as const)(
    'frees the slot when the reply to %s trickles in (M5)',
    async (drip) => {
      const limits = { connectionTimeoutMs: 3_000, socketTimeoutMs: 3_000, maxConnections: 1, login: 'jane:secret' };
      const trickle = { reply: `220-${'x'.repeat(500)}`, dripMs: 50 };
      const { peer, mailer } = await peerAndMailer(
        at(drip, trickle, ({ session }) => session === 1),
        limits,
      );
      const [dripped, next] = await Promise.all([mailer.send(mailMessage()), mailer.send(mailMessage())]);
      expect(dripped).toMatchObject({ status: 'deferred', reason: 'timeout' });
      expect(next.status).toBe('sent');
      expect(peer.messages).toHaveLength(1);
    },
  );
});

describe('credentials', () => {
  const login = 'jane:secret';

  it('may take longer to check than a connection to open', async () => {
    const { mailer } = await peerAndMailer(at('AUTH', { delayMs: 4_000 }), { login, connectionTimeoutMs: 3_000 });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
  });

  it('are refused once, then logins pause, and the password is in no log (M4)', async () => {
    const { peer, mailer, logs } = await peerAndMailer(
      at('AUTH', '535 5.7.8 Error: authentication failed for user "jane"'),
      { login: 'jane:s3cret-pass', maxConnections: 1, authPauseMs: 60_000, extensions: ['AUTH PLAIN LOGIN'] },
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
    const script = at('AUTH', '535 5.7.8 no', ({ session }) => session === 1);
    const { peer, mailer } = await peerAndMailer(script, { login, authPauseMs: 0 });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.events.find(({ verb }) => verb === 'AUTH')?.line).toBe('AUTH PLAIN AGphbmUAc2VjcmV0');
  });

  it('defer when the server cannot check them now', async () => {
    const { mailer } = await peerAndMailer(at('AUTH', '454 4.7.0 later'), { login });
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'temporary' });
  });

  it('are missing for a server that requires them', async () => {
    const { mailer } = await peerAndMailer(at('MAIL', '530 5.7.0 Authentication required'));
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'auth' });
  });
});

describe('a message that is too large (M8)', () => {
  const tooLarge = { status: 'failed', reason: 'too_large' };

  it('fails before connecting when it exceeds MAIL_MAX_BYTES of the worker', async () => {
    const { peer } = await peerAndMailer();
    const limits = { WORKER_QUEUES: 'mail', SMTP_URL: peer.url, MAIL_MAX_BYTES: '90000' };
    const engines = await startEngines(loadWorkerConfig({ ...required, ...limits }), silent, AbortSignal.any([]));
    onTestFinished(() => closeEngines(engines));
    expect(await engines.mailer?.send(mailMessage())).toMatchObject(tooLarge);
    expect(peer.count('CONNECT')).toBe(0);
  });

  it('counts the whole encoded message and not only the attachment', async () => {
    const { peer, mailer } = await peerAndMailer(undefined, { maxMessageBytes: 100_000 });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(await mailer.send(mailMessage({ body: 'x'.repeat(10_000) }))).toMatchObject(tooLarge);
    expect(peer.messages).toHaveLength(1);
  });

  it('fails before a byte is sent when it exceeds the SIZE the server announced', async () => {
    const { peer, mailer } = await peerAndMailer(undefined, { extensions: ['SIZE 50000'] });
    expect(await mailer.send(mailMessage())).toMatchObject(tooLarge);
    expect(peer.count('MAIL')).toBe(0);
  });

  it.each(['MAIL', 'DOT'] as const)('fails when the server replies 552 to %s', async (verb) => {
    const { mailer } = await peerAndMailer(at(verb, '552 5.3.4 message too big'));
    const outcome = { ...tooLarge, reply: '552 5.3.4 message too big' };
    expect(await mailer.send(mailMessage(threeRecipients))).toMatchObject(outcome);
  });

  it('announces the exact size to the server', async () => {
    const { peer, mailer } = await peerAndMailer();
    await mailer.send(mailMessage());
    const announced = Number(/SIZE=(\d+)/.exec(peer.events.find(({ verb }) => verb === 'MAIL')?.line ?? '')?.[1]);
    expect(announced).toBe(peer.messages[0]?.raw.byteLength);
    expect(announced).toBeGreaterThan(93_000);
  });
});

describe('a bad network in front of the mail server', () => {
  async function behindProxy(
    changes: Partial<MailerOptions> = {},
  ): Promise<{ peer: SmtpPeer; proxy: FaultProxy; mailer: Mailer }> {
    const peer = await startSmtpPeer();
    const proxy = await startFaultProxy(peer);
    const url = `smtp://127.0.0.1:${proxy.port}`;
    const mailer = createMailer(
      mailerOptions(url, { socketTimeoutMs: 3_000, maxMessageBytes: 50_000_000, ...changes }),
    );
    onTestFinished(async () => {
      await mailer.close();
      await proxy.close();
      await peer.close();
    });
    return { peer, proxy, mailer };
  }

  it('gets the time that a large message needs at a low bandwidth', async () => {
    // The whole message takes longer than the limit for a chunk, and a chunk takes much less.
    const { peer, proxy, mailer } = await behindProxy({ socketTimeoutMs: 5_000 });
    proxy.set({ bytesPerSecond: 2_000_000 });
    expect((await mailer.send(mailMessage(attachmentOf(12_000_000)))).status).toBe('sent');
    expect(peer.messages).toHaveLength(1);
  });

  it('is aborted before the hook is called when it is too slow for the data', async () => {
    const { peer, proxy, mailer } = await behindProxy({ socketTimeoutMs: 2_000, minBytesPerSecond: 50_000_000 });
    proxy.set({ bytesPerSecond: 2_000_000 });
    const hook = countingHook();
    // More than the buffers of the connection hold.
    const outcome = await mailer.send(mailMessage(attachmentOf(15_000_000)), hook);
    expect(outcome).toMatchObject({ status: 'deferred', reason: 'timeout' });
    expect(hook.hooks).toBe(0);
    expect(peer.messages).toEqual([]);
  });

  it('gives the same outcome when it dies during the data as after the dot', async () => {
    const { peer, proxy, mailer } = await behindProxy();
    proxy.set({
      intercept: ({ direction, bytes }) => (direction === 'up' && bytes.byteLength > 10_000 ? 'freeze' : 'pass'),
    });
    expect((await mailer.send(mailMessage())).status).toBe('unknown');
    expect(peer.messages).toEqual([]);
  });

  it('costs one timeout and no message when it lost the server of an idle connection', async () => {
    const { peer, proxy, mailer } = await behindProxy();
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    proxy.halfOpenAll();
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'timeout' });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.messages).toHaveLength(2);
  });
});
