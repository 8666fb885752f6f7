import { describe, expect, it } from 'vitest';
import type { PeerAction, PeerScript } from '../../support/faults/smtp-peer-script.ts';
import { at, attachmentOf, countingHook, mailMessage, peerAndMailer, threeRecipients } from './mail-fixtures.ts';

describe('the final dot', () => {
  it('is sent only after the hook has settled, when the server has all other bytes', async () => {
    const { peer, mailer } = await peerAndMailer();
    const seen: string[] = [];
    let release = (): void => undefined;
    const beforeFinalDot = (): Promise<void> =>
      new Promise((resolve) => {
        seen.push('hook');
        release = resolve;
      });
    const sending = mailer.send(mailMessage(), { beforeFinalDot });
    await peer.waitFor('BODY');
    await expect.poll(() => seen).toEqual(['hook']);
    expect(peer.count('DOT')).toBe(0);
    release();
    expect((await sending).status).toBe('sent');
    expect(peer.count('DOT')).toBe(1);
    expect(seen).toEqual(['hook']);
  });

  it('is never sent when the hook rejects, so the message does not exist (crash before the dot)', async () => {
    const { peer, mailer } = await peerAndMailer();
    const beforeFinalDot = () => Promise.reject(new Error('row is gone'));
    const outcome = await mailer.send(mailMessage(threeRecipients), { beforeFinalDot });
    expect(outcome).toMatchObject({ status: 'deferred', reason: 'interrupted' });
    await peer.whenDisconnected();
    expect(peer.messages).toEqual([]);
    expect(peer.unfinishedBytes).toBeGreaterThan(90_000);
  });

  it.each(['close', 'reset', 'silence'] as const)(
    'ends as unknown when the server then sends no reply: %s (M6)',
    async (way) => {
      const script: PeerScript = ({ verb, line }) => {
        if (verb === 'DOT') return { instead: way };
        return verb === 'RCPT' && line.includes('bob@') ? '550 5.1.1 no such user' : undefined;
      };
      const { peer, mailer } = await peerAndMailer(script, { socketTimeoutMs: 3_000 });
      expect(await mailer.send(mailMessage(threeRecipients))).toEqual({
        status: 'unknown',
        recipients: [
          { address: 'ann@customer.example', status: 'unknown' },
          { address: 'bob@customer.example', status: 'failed', reply: '550 5.1.1 no such user' },
          { address: 'cid@customer.example', status: 'unknown' },
        ],
      });
      expect(peer.messages).toHaveLength(1);
      expect(peer.count('CONNECT')).toBe(1);
    },
  );

  it('is never sent again over another connection, even when a reused one was lost', async () => {
    const { peer, mailer } = await peerAndMailer(at('DOT', { instead: 'reset' }, ({ nth }) => nth === 2));
    expect((await mailer.send(mailMessage({ messageId: 'one' }))).status).toBe('sent');
    expect((await mailer.send(mailMessage({ messageId: 'two' }))).status).toBe('unknown');
    expect(peer.messages).toHaveLength(2);
    expect(peer.count('CONNECT')).toBe(1);
  });

  it.each<[how: string, answer: string | PeerAction]>([
    ['arrives too slowly', { reply: `250-${'x'.repeat(500)}`, dripMs: 50 }],
    ['is not a valid reply', 'what?'],
    ['asks for data', '354 go on'],
    ['is cut off', { instead: 'close', before: '550 5.7.1 cut o' }],
  ])('ends as unknown when the reply %s', async (_, answer) => {
    const { mailer } = await peerAndMailer(at('DOT', answer), { socketTimeoutMs: 3_000 });
    expect((await mailer.send(mailMessage())).status).toBe('unknown');
  });

  it.each([
    ['421 4.3.2 going down', 'deferred'],
    ['451 4.3.0 later', 'deferred'],
    ['554 5.7.1 looks like spam', 'failed'],
  ])('trusts %s', async (reply, status) => {
    const { peer, mailer } = await peerAndMailer(at('DOT', reply, ({ session }) => session === 1));
    expect(await mailer.send(mailMessage(threeRecipients))).toMatchObject({ status, reply });
    expect((await mailer.send(mailMessage(threeRecipients))).status).toBe('sent');
    expect(peer.messages.filter((message) => message.reply?.startsWith('250'))).toHaveLength(1);
  });
});

describe('a connection that ends during the data', () => {
  it.each(['close', 'reset'] as const)('leaves nothing behind and is safe to retry: %s', async (way) => {
    const { peer, mailer } = await peerAndMailer(at('BODY', { instead: way }, ({ session }) => session === 1));
    const hook = countingHook();
    const big = mailMessage(attachmentOf(6_000_000));
    expect(await mailer.send(big, hook)).toMatchObject({ status: 'deferred', reason: 'unreachable' });
    expect(hook.hooks).toBe(0);
    expect(peer.messages).toEqual([]);
    expect((await mailer.send(big, hook)).status).toBe('sent');
    expect(hook.hooks).toBe(1);
  });

  it('gives up on a server that stops reading, before the hook is called', async () => {
    const limits = { socketTimeoutMs: 300, maxMessageBytes: 60_000_000 };
    const { peer, mailer } = await peerAndMailer(at('BODY', { instead: 'stall' }), limits);
    const hook = countingHook();
    const outcome = await mailer.send(mailMessage(attachmentOf(30_000_000)), hook);
    expect(outcome).toMatchObject({ status: 'deferred', reason: 'timeout' });
    expect(hook.hooks).toBe(0);
    expect(peer.messages).toEqual([]);
  });

  it('is not completed by a hook that settles late, and nothing is reported before that', async () => {
    let drop = (): void => undefined;
    const dropped = new Promise<void>((resolve) => {
      drop = resolve;
    });
    const { peer, mailer } = await peerAndMailer(async ({ verb }) => {
      if (verb !== 'BODY') return undefined;
      await dropped;
      return { instead: 'reset' };
    });
    const order: string[] = [];
    const beforeFinalDot = async (): Promise<void> => {
      drop();
      await peer.whenDisconnected();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      order.push('row written');
    };
    const outcome = await mailer.send(mailMessage(), { beforeFinalDot });
    order.push('outcome reported');
    expect(outcome).toMatchObject({ status: 'deferred', reason: 'unreachable' });
    expect(order).toEqual(['row written', 'outcome reported']);
    expect(peer.messages).toEqual([]);
  });

  it.each([
    ['552 5.3.4 too much already', 'failed'],
    ['421 4.4.2 too slow', 'deferred'],
    ['250 2.0.0 fine', 'deferred'],
  ])('is not completed when the server replies %s too early', async (early, status) => {
    const { peer, mailer } = await peerAndMailer(at('BODY', early));
    const outcome = await mailer.send(mailMessage(), { beforeFinalDot: () => peer.whenDisconnected() });
    expect(outcome.status).toBe(status);
    expect(peer.messages).toEqual([]);
  });
});
