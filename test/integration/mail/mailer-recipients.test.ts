import { describe, expect, it } from 'vitest';
import { at, mailMessage, peerAndMailer, refusing, threeRecipients } from './mail-fixtures.ts';

const pipelining = [
  ['with pipelining', ['PIPELINING', 'SIZE 50000000']],
  ['one command at a time', ['SIZE 50000000']],
] as const;

describe.each(pipelining)('replies to the envelope, %s', (_name, extensions) => {
  it.each(['421 4.3.2 restarting', '451 4.3.0 try later'])(
    'defer the message on %s to MAIL, which is sent once later (M2)',
    async (reply) => {
      const refusal = { reply, close: reply.startsWith('421') };
      const { peer, mailer } = await peerAndMailer(
        at('MAIL', refusal, ({ session }) => session === 1),
        { extensions },
      );
      const first = await mailer.send(mailMessage(threeRecipients));
      expect(first).toMatchObject({ status: 'deferred', reason: 'temporary', reply });
      expect((await mailer.send(mailMessage(threeRecipients))).status).toBe('sent');
      expect(peer.messages).toHaveLength(1);
    },
  );

  it('send the message to two of three recipients when one is refused permanently (M3)', async () => {
    const { peer, mailer } = await peerAndMailer(refusing('bob@', '550 5.1.1 no such user'), { extensions });
    expect(await mailer.send(mailMessage(threeRecipients))).toEqual({
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

  it('send the message to the others, and later only to the deferred one, with the same headers', async () => {
    const script = at('RCPT', '451 4.7.1 greylisted', ({ line, nth }) => line.includes('bob@') && nth < 4);
    const { peer, mailer } = await peerAndMailer(script, { extensions });
    const first = await mailer.send(mailMessage(threeRecipients));
    expect(first.status).toBe('partial');
    const deferred = first.recipients.filter(({ status }) => status === 'deferred').map(({ address }) => address);
    expect(deferred).toEqual(['bob@customer.example']);
    expect(await mailer.send(mailMessage({ ...threeRecipients, envelopeTo: deferred }))).toMatchObject({
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

  it('defer all recipients that may be retried when none is accepted', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, line }) => (verb === 'RCPT' ? (line.includes('bob@') ? '550 5.1.1 no' : '452 4.2.2 full') : undefined),
      { extensions },
    );
    expect(await mailer.send(mailMessage(threeRecipients))).toMatchObject({
      status: 'deferred',
      recipients: [{ status: 'deferred' }, { status: 'failed' }, { status: 'deferred' }],
    });
    expect(peer.messages).toEqual([]);
  });

  it('fail the message when all recipients are refused permanently', async () => {
    const { mailer } = await peerAndMailer(at('RCPT', '550 5.1.1 no'), { extensions });
    expect(await mailer.send(mailMessage(threeRecipients))).toMatchObject({
      status: 'failed',
      reason: 'rejected',
      recipients: [{ status: 'failed' }, { status: 'failed' }, { status: 'failed' }],
    });
  });

  it('drop the message when a server accepts DATA without recipients', async () => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb }) => (verb === 'DATA' ? '354 go on' : verb === 'RCPT' ? '550 5.1.1 no' : undefined),
      { extensions },
    );
    expect(await mailer.send(mailMessage())).toMatchObject({ status: 'failed', reason: 'rejected' });
    expect(peer.messages.filter(({ to }) => to.length > 0)).toEqual([]);
  });

  it.each([
    ['451 4.3.0 later', 'deferred', 'temporary'],
    ['554 5.7.1 no', 'failed', 'rejected'],
  ] as const)('apply %s to DATA to all accepted recipients', async (reply, status, reason) => {
    const { peer, mailer } = await peerAndMailer(
      ({ verb, line }) => {
        if (verb === 'DATA') return reply;
        return verb === 'RCPT' && line.includes('bob@') ? '550 5.1.1 no such user' : undefined;
      },
      { extensions },
    );
    const outcome = await mailer.send(mailMessage(threeRecipients));
    expect(outcome).toMatchObject({ status, reason });
    expect(outcome.recipients.map((recipient) => recipient.status)).toEqual([status, 'failed', status]);
    expect(peer.messages).toEqual([]);
  });
});
