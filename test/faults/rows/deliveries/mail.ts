import { setTimeout as delay } from 'node:timers/promises';
import type { SmtpPeer } from '../../../support/faults/smtp-peer.ts';
import type { PeerScript } from '../../../support/faults/smtp-peer-script.ts';
import { acceptedMails } from '../../checks/mail.ts';
import { letter } from '../../client/templates.ts';
import type { Harness, Owner, StartOptions } from '../../harness/harness.ts';
import { deliveryIdOf } from '../../harness/sink.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const ended = ['sent', 'partial', 'failed', 'unknown'];
const ada = 'ada@sink.test';

interface MailStage {
  readonly owner: Owner;
  readonly peer: SmtpPeer;
}

/** A service that sends mail to a scripted peer. */
async function startWithPeer(h: Harness, script: PeerScript, worker: StartOptions = {}): Promise<MailStage> {
  const peer = await h.smtpPeer({ script });
  await h.start({ worker: { ...worker, env: { SMTP_URL: peer.url, ...worker.env } } });
  return { owner: await h.owner(letter, { credits: 20 }), peer };
}

/** Requests a document with mail, expects it in the answer and returns the id of the delivery. */
async function send({ client, templateId }: Owner, to: readonly string[] = [ada]): Promise<string> {
  const answer = await client.generate({ templateId, email: { to } });
  expectEqual(answer.status, 200, 'the answer with the document');
  expect(answer.durationMs < 5_000, `the document took ${Math.round(answer.durationMs)} ms`);
  return answer.headers.get('Email-Delivery-Id') ?? '';
}

async function outcome({ client }: Owner, id: string) {
  return until('the delivery ending', async () => {
    const delivery = await client.delivery(id);
    return ended.includes(delivery.status) ? delivery : undefined;
  });
}

async function resend({ client }: Owner, id: string): Promise<void> {
  expectEqual((await client.call('POST', `/v1/deliveries/${id}/resend`)).status, 202, 'the resend');
}

/** Ends the lease of a delivery whose worker died, instead of waiting five minutes. */
async function endLease(h: Harness, id: string): Promise<void> {
  await h.query(
    "update deliveries set locked_until = now() - interval '1 second' where id = $1 and locked_until > now()",
    [id],
  );
}

function takenOf(h: Harness, id: string): number {
  return acceptedMails(h).filter(({ deliveryId }) => deliveryId === id).length;
}

export const mailRows: readonly Row[] = [
  {
    id: 'M1',
    title: 'connection refused',
    story:
      'The document is delivered at once; the mail is retried, then failed; a resend works when the server is back',
    async run(h) {
      await h.start({ worker: { env: { MAIL_ATTEMPTS: '3' } } });
      const owner = await h.owner(letter);
      await h.backing.mail.proxy.refuse();
      const id = await send(owner);
      expectEqual((await outcome(owner, id)).status, 'failed', 'the delivery');
      await h.backing.mail.proxy.heal();
      await resend(owner, id);
      expectEqual((await outcome(owner, id)).status, 'sent', 'the delivery after the resend');
      expectEqual(takenOf(h, id), 1, 'mails');
    },
  },
  {
    id: 'M2',
    title: '421 and 451',
    story: 'Retried with back-off and sent once',
    async run(h) {
      let greetings = 0;
      let bodies = 0;
      const { owner } = await startWithPeer(h, ({ verb }) => {
        if (verb === 'CONNECT' && ++greetings === 1) return { reply: '421 4.3.2 busy', close: true };
        if (verb === 'DOT' && ++bodies === 1) return '451 4.3.0 later';
        return undefined;
      });
      const id = await send(owner);
      expectEqual((await outcome(owner, id)).status, 'sent', 'the delivery');
      expectEqual([takenOf(h, id), bodies], [1, 2], 'mails taken and tried');
    },
  },
  {
    id: 'M3',
    title: '550 on one of three recipients',
    story: 'Two get it once, one is failed; the status is per recipient',
    async run(h) {
      const { owner } = await startWithPeer(h, ({ verb, line }) =>
        verb === 'RCPT' && line.includes('gone@') ? '550 5.1.1 no such user' : undefined,
      );
      const id = await send(owner, [ada, 'gone@sink.test', 'bob@sink.test']);
      const { status, recipients } = await outcome(owner, id);
      const states = recipients.map((recipient) => recipient.status);
      expectEqual([status, ...states], ['partial', 'sent', 'failed', 'sent'], 'the delivery');
    },
  },
  {
    id: 'M4',
    title: '535 authentication error',
    story: 'No storm of logins for five mails; sent when the credentials work again',
    async run(h) {
      const { worker } = await h.start();
      const owner = await h.owner(letter);
      await worker.stop();
      const refused = await h.smtpPeer({
        extensions: ['AUTH PLAIN LOGIN'],
        script: ({ verb }) => (verb === 'AUTH' ? '535 5.7.8 no' : undefined),
      });
      const second = await h.startWorker({ env: { SMTP_URL: `smtp://user:secret@127.0.0.1:${refused.port}` } });
      const ids = await Promise.all(Array.from({ length: 5 }, () => send(owner)));
      await refused.waitFor('AUTH');
      await delay(3_000);
      expect(refused.count('AUTH') <= 4, `${refused.count('AUTH')} logins for five mails`);
      expect(second.log().toLowerCase().includes('auth'), 'the log does not report it');
      await second.stop();
      await h.startWorker();
      await h.query('update deliveries set next_attempt_at = now() where id = any($1)', [ids]);
      for (const id of ids) expectEqual((await outcome(owner, id)).status, 'sent', 'the delivery at last');
    },
  },
  {
    id: 'M5',
    title: 'server that sends one byte at a time',
    story: 'Aborted at the time limit, the connection is released, sent once when the server works again',
    async run(h) {
      let isWell = false;
      const { owner, peer } = await startWithPeer(
        h,
        ({ verb }) => (isWell || verb !== 'EHLO' ? undefined : { dripMs: 1_500 }),
        { env: { MAIL_CONNECTIONS: '1', MAIL_ATTEMPTS: '9' } },
      );
      const id = await send(owner);
      await peer.waitFor('EHLO');
      await peer.waitFor('EHLO', 2);
      isWell = true;
      expectEqual((await outcome(owner, id)).status, 'sent', 'the delivery');
      expectEqual(takenOf(h, id), 1, 'mails');
    },
  },
  {
    id: 'M6',
    title: 'connection dies after the final dot, before 250',
    story: 'unknown, and not resent automatically; a manual resend has the same Message-ID',
    async run(h) {
      let dots = 0;
      const { owner, peer } = await startWithPeer(h, ({ verb }) =>
        verb === 'DOT' && ++dots === 1 ? { instead: 'reset' } : undefined,
      );
      const id = await send(owner);
      expectEqual((await outcome(owner, id)).status, 'unknown', 'the delivery');
      await delay(3_000);
      expectEqual(dots, 1, 'messages that reached their end');
      await resend(owner, id);
      expectEqual((await outcome(owner, id)).status, 'sent', 'the delivery after the resend');
      const ids = peer.messages.map(({ raw }) => deliveryIdOf(raw.toString()));
      expectEqual(ids, [id, id], 'the Message-IDs');
    },
  },
  {
    id: 'M7',
    title: 'worker killed around the final dot',
    story: 'Before the dot: sent once by another. At the dot: unknown. After 250, before the row: unknown; never twice',
    isQuick: true,
    async run(h) {
      await h.start();
      const owner = await h.owner(letter);
      const windows = [
        ['mail-claimed', 'sent', 1],
        ['before-final-dot', 'sent', 1],
        ['transmitting-before-dot', 'unknown', 0],
        ['after-reply-before-settle', 'unknown', 1],
      ] as const;
      for (const [window, wanted, mails] of windows) {
        const point = h.arm(window, 'kill');
        const id = await send(owner);
        await point.reached();
        await h.startWorker();
        await endLease(h, id);
        expectEqual((await outcome(owner, id)).status, wanted, `the delivery after a death at ${window}`);
        expectEqual(takenOf(h, id), mails, `mails after a death at ${window}`);
      }
    },
  },
  {
    id: 'M8',
    title: 'too large to be sent',
    story: 'By our limit or by 552 of the server: failed at once, the document succeeds',
    async run(h) {
      const { owner, peer } = await startWithPeer(h, ({ verb }) =>
        verb === 'DOT' ? '552 5.3.4 too large' : undefined,
      );
      const id = await send(owner);
      expectEqual((await outcome(owner, id)).status, 'failed', 'the delivery that the server refused');
      expectEqual(peer.count('DOT'), 1, 'tries');
      await h.workers[0]?.stop();
      await h.startWorker({ env: { MAIL_MAX_BYTES: '1024' } });
      const large = await send(owner);
      expectEqual((await outcome(owner, large)).status, 'failed', 'the delivery beyond our limit');
    },
  },
];
