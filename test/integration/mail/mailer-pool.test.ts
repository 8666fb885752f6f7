import { describe, expect, it } from 'vitest';
import { createMailer } from '../../../src/worker/mail/mailer.ts';
import { findFreePort } from '../../../tools/local/ports.ts';
import { startSmtpPeer } from '../../support/faults/smtp-peer.ts';
import type { PeerAction } from '../../support/faults/smtp-peer-script.ts';
import { at, countingHook, mailerOptions, mailMessage, peerAndMailer, refusing } from './mail-fixtures.ts';

describe('connections', () => {
  it('are shared by many messages and never more than allowed', async () => {
    let most = 0;
    const { peer, mailer } = await peerAndMailer(
      ({ verb }) => {
        if (verb === 'MAIL') most = Math.max(most, peer.openConnections);
        return undefined;
      },
      { maxConnections: 3 },
    );
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, index) => mailer.send(mailMessage({ messageId: `dlv_${index}` }))),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['sent']));
    expect(new Set(peer.messages.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw.toString())?.[1])).size).toBe(60);
    expect(peer.messages).toHaveLength(60);
    expect(most).toBeLessThanOrEqual(3);
    expect(peer.count('CONNECT')).toBe(3);
  });

  it('are closed with QUIT when they are idle', async () => {
    const { peer, mailer } = await peerAndMailer(undefined, { idleTimeoutMs: 50 });
    await mailer.send(mailMessage());
    await peer.waitFor('QUIT');
    await peer.whenDisconnected();
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    expect(peer.count('CONNECT')).toBe(2);
  });

  const lost: readonly (readonly [how: string, atDot: PeerAction | undefined, atMail: PeerAction | undefined])[] = [
    ['was closed by the server', { reply: '250 2.0.0 queued', close: true }, undefined],
    ['gets 421 at the next message', undefined, { reply: '421 4.4.2 idle too long', close: true }],
    ['is reset at the next message', undefined, { instead: 'reset' }],
  ];
  it.each(lost)('are replaced at once when a reused one %s, and the message is sent once', async (_, atDot, atMail) => {
    const { peer, mailer } = await peerAndMailer(({ verb, session, nth }) => {
      if (verb === 'DOT' && session === 1) return atDot;
      return verb === 'MAIL' && nth === 2 ? atMail : undefined;
    });
    expect((await mailer.send(mailMessage({ messageId: 'one' }))).status).toBe('sent');
    const hook = countingHook();
    expect((await mailer.send(mailMessage({ messageId: 'two' }), hook)).status).toBe('sent');
    expect(hook.hooks).toBe(1);
    expect(peer.count('CONNECT')).toBe(2);
    expect(peer.messages).toHaveLength(2);
  });

  it('are replaced only once: a server that refuses the new one too defers the message', async () => {
    const down = { reply: '421 4.3.2 going down', close: true };
    const { peer, mailer } = await peerAndMailer(at('MAIL', down, ({ session, nth }) => session > 1 || nth > 1));
    await mailer.send(mailMessage());
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'temporary' });
    expect(peer.count('CONNECT')).toBe(2);
  });

  it('recover when a server is restarted', async () => {
    const first = await startSmtpPeer({ port: await findFreePort() });
    const mailer = createMailer(mailerOptions(first.url));
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    await first.close();
    expect((await mailer.send(mailMessage())).status).toBe('deferred');
    expect(await mailer.verify()).toBe(false);
    const second = await startSmtpPeer({ port: first.port });
    expect(await mailer.verify()).toBe(true);
    expect((await mailer.send(mailMessage())).status).toBe('sent');
    await mailer.close();
    await second.close();
  });

  it('carry nothing of a refused message over to the next one', async () => {
    const { peer, mailer } = await peerAndMailer(refusing('ghost@', '550 5.1.1 no such user'), { maxConnections: 1 });
    const [ghost, ann] = await Promise.all([
      mailer.send(mailMessage({ to: ['ghost@customer.example'] })),
      mailer.send(mailMessage()),
    ]);
    expect([ghost.status, ann.status]).toEqual(['failed', 'sent']);
    expect(peer.messages.map(({ to }) => to)).toEqual([['ann@customer.example']]);
  });
});

describe('closing', () => {
  it('finishes the current message, defers waiting ones, and leaves no connection', async () => {
    let closing: Promise<void> | undefined;
    const { peer, mailer } = await peerAndMailer(undefined, { maxConnections: 1 });
    const first = mailer.send(mailMessage(), {
      beforeFinalDot: async () => {
        closing = mailer.close();
      },
    });
    const second = mailer.send(mailMessage());
    expect((await first).status).toBe('sent');
    expect(await second).toMatchObject({ status: 'deferred', reason: 'interrupted' });
    await closing;
    await peer.whenDisconnected();
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'deferred', reason: 'interrupted' });
    expect(await mailer.verify()).toBe(false);
    expect(peer.count('CONNECT')).toBe(1);
    expect(peer.messages).toHaveLength(1);
  });

  it('does not wait for a server that never replies to QUIT', async () => {
    const { peer, mailer } = await peerAndMailer(at('QUIT', { instead: 'silence' }), { socketTimeoutMs: 500_000 });
    await mailer.send(mailMessage());
    await mailer.close();
    await peer.whenDisconnected();
  });
});

describe('verify', () => {
  it('connects, logs in and sends nothing', async () => {
    const { peer, mailer } = await peerAndMailer(undefined, { login: 'jane:secret' });
    expect(await mailer.verify()).toBe(true);
    expect([peer.count('AUTH'), peer.count('MAIL')]).toEqual([1, 0]);
  });

  it('returns false when the credentials are refused', async () => {
    const { mailer, logs } = await peerAndMailer(at('AUTH', '535 5.7.8 jane is unknown'), { login: 'jane:secret' });
    expect(await mailer.verify()).toBe(false);
    expect(logs.text).not.toMatch(/jane|secret/);
  });
});

it("logs are counts and codes, never an address, a subject or a server's text", async () => {
  const { mailer, logs } = await peerAndMailer(refusing('bob@', '550 5.1.1 <bob@customer.example> unknown'));
  await mailer.send(mailMessage({ cc: ['bob@customer.example'], messageId: 'dlv_77' }));
  expect(logs.lines).toMatchObject([
    { messageId: 'dlv_77@docmill.example', status: 'partial', recipients: 2, sent: 1 },
  ]);
  expect(logs.text).not.toMatch(/customer\.example|Invoice|unknown/);
});
