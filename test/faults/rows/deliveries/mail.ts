import { acceptedMails } from '../../checks/mail.ts';
import { letter } from '../../client/templates.ts';
import { expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const ended = ['sent', 'partial', 'failed', 'unknown'];

export const mailRows: readonly Row[] = [
  {
    id: 'M7',
    title: 'worker killed around the final dot',
    story: 'Before the dot: sent once by another. At the dot: unknown. After 250, before the row: unknown; never twice',
    set: 'usual',
    async run(h) {
      await h.start();
      const { client, templateId } = await h.owner(letter);
      const windows = [
        ['before-final-dot', 'sent', 1],
        ['transmitting-before-dot', 'unknown', 0],
        ['after-reply-before-settle', 'unknown', 1],
      ] as const;
      for (const [window, wanted, mails] of windows) {
        const answer = await h.killIn(window, () => client.generate({ templateId, email: { to: ['ada@sink.test'] } }));
        expectEqual(answer.status, 200, 'the answer with the document');
        const id = answer.headers.get('Email-Delivery-Id') ?? '';
        await h.startWorker();
        // Ends the lease of the dead worker, instead of waiting five minutes.
        await h.query("update deliveries set locked_until = now() - interval '1 second' where id = $1", [id]);
        const status = await until('the delivery ending', async () => {
          const delivery = await client.delivery(id);
          return ended.includes(delivery.status) && delivery.status;
        });
        expectEqual(status, wanted, `the delivery after a death at ${window}`);
        const taken = acceptedMails(h).filter(({ deliveryId }) => deliveryId === id);
        expectEqual(taken.length, mails, `mails after a death at ${window}`);
      }
    },
  },
];
