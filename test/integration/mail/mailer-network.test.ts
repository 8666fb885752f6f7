import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailer, type Mailer, type MailerOptions } from '../../../src/worker/mail/mailer.ts';
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts';
import { type SmtpPeer, startSmtpPeer } from '../../support/faults/smtp-peer.ts';
import { mailerOptions, mailMessage } from './mail-fixtures.ts';

async function peerBehindProxy(
  changes: Partial<MailerOptions> = {},
): Promise<{ peer: SmtpPeer; proxy: FaultProxy; mailer: Mailer }> {
  const peer = await startSmtpPeer();
  const proxy = await startFaultProxy(peer);
  const mailer = createMailer(mailerOptions(`smtp://127.0.0.1:${proxy.port}`, { socketTimeoutMs: 1_500, ...changes }));
  onTestFinished(async () => {
    await mailer.close();
    await proxy.close();
    await peer.close();
  });
  return { peer, proxy, mailer };
}

describe('a bad network in front of the mail server', () => {
  it('with high latency only delays the message', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    proxy.set({ delayMs: 60 });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.messages).toHaveLength(1);
  });

  it('with little bandwidth gets the time a large message needs', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy({ socketTimeoutMs: 2_000, maxMessageBytes: 20_000_000 });
    proxy.set({ bytesPerSecond: 4_000_000 });
    const content = new Uint8Array(12_000_000);
    const attachment = { filename: 'a.pdf', contentType: 'application/pdf', content };
    const startMs = performance.now();
    expect((await mailer.send(mailMessage({ attachment }))).status).toBe('sent');
    expect(performance.now() - startMs).toBeGreaterThan(3_000);
    expect(peer.messages).toHaveLength(1);
  });

  it('that swallows the reply to the final dot leaves one message and the outcome unknown (M6)', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    proxy.set({
      intercept: ({ direction, bytes }) => (direction === 'down' && bytes.includes('queued') ? 'freeze' : 'pass'),
    });
    expect((await mailer.send(mailMessage())).status).toBe('unknown');
    expect(peer.messages).toHaveLength(1);
  });

  it('that resets the connection at the same time has the same result', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    proxy.set({
      intercept: ({ direction, bytes }) => (direction === 'down' && bytes.includes('queued') ? 'reset' : 'pass'),
    });
    expect((await mailer.send(mailMessage())).status).toBe('unknown');
    expect(peer.messages).toHaveLength(1);
  });

  it('that breaks before the dot leaves no message, and a retry is safe', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    proxy.set({
      intercept: ({ direction, bytes }) => (direction === 'up' && bytes.byteLength > 10_000 ? 'reset' : 'pass'),
    });
    expect(await mailer.send(mailMessage(), { beforeFinalDot: () => peer.whenDisconnected() })).toMatchObject({
      status: 'deferred',
      reason: 'unreachable',
    });
    expect(peer.messages).toEqual([]);
    await proxy.heal();
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.messages).toHaveLength(1);
  });

  it('that dies during the data gives the same outcome as one that dies after the dot', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    proxy.set({
      intercept: ({ direction, bytes }) => (direction === 'up' && bytes.byteLength > 10_000 ? 'freeze' : 'pass'),
    });
    expect((await mailer.send(mailMessage())).status).toBe('unknown');
    expect(peer.messages).toEqual([]);
  });

  it('that lost the server of an idle connection costs one timeout and no message', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    proxy.halfOpenAll();
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'timeout' });
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.messages).toHaveLength(2);
  });

  it('that is too slow for the data is aborted before the hook is called', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy({
      socketTimeoutMs: 2_000,
      minBytesPerSecond: 100_000_000,
      maxMessageBytes: 50_000_000,
    });
    proxy.set({ bytesPerSecond: 5_000_000 });
    const content = new Uint8Array(30_000_000);
    let hooks = 0;
    const outcome = await mailer.send(
      mailMessage({ attachment: { filename: 'a.pdf', contentType: 'application/pdf', content } }),
      {
        beforeFinalDot: async () => {
          hooks += 1;
        },
      },
    );
    expect(outcome).toMatchObject({ status: 'deferred', reason: 'timeout' });
    expect(hooks).toBe(0);
    expect(peer.messages).toEqual([]);
  });

  it('that fails and recovers needs no restart', async () => {
    const { peer, proxy, mailer } = await peerBehindProxy();
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    await proxy.refuse();
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'unreachable' });
    await proxy.heal();
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.messages).toHaveLength(2);
  });
});
