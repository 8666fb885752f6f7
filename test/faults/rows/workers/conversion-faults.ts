import { randomBytes } from 'node:crypto';
import { drawing, png } from '../../../integration/pdf/office/hostile-docx.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { findOrphans } from '../../checks/leftovers.ts';
import { type Answer, isPdf } from '../../client/client.ts';
import { items, letter, list } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { descendants, officesOf, processesWith } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';
import { isAlive, lyingAgent, OfficeHunt, officeWithDaemon } from './offices.ts';

/** Takes LibreOffice one or two seconds, long enough to inject a fault. */
const slow = { items: items(2_000) };
const acting = buildDocx({ body: paragraph('{canary} {order} act:{act}') });

function code(answer: Answer): readonly [number, string | null] {
  return [answer.status, answer.headers.get('Error-Code')];
}

/** A template whose conversion needs many times its five megabytes. */
function heavy(): Buffer {
  const pixels = 1_300;
  return buildDocx({
    body: paragraph('{canary} {order}') + drawing('<a:blip r:embed="rIdX"/>'),
    rels: [{ id: 'rIdX', type: 'image', target: 'media/noise.png' }],
    parts: { 'word/media/noise.png': png(pixels, pixels, randomBytes(pixels * pixels * 3)) },
  });
}

/** Runs the command with a small disk mounted at the folder; `before` runs after the mount. */
function onSmallDisk(folder: string, megabytes: number, before = ':'): readonly string[] {
  const script = `mount -t tmpfs -o size=${megabytes}m tmpfs "$0" && { ${before}; } && exec "$@"`;
  return ['unshare', '-Urm', 'sh', '-c', script, folder];
}

async function expectRefused(h: Harness, owner: Owner, act: string, expected: readonly [number, string]) {
  const answer = await owner.client.generate({ templateId: owner.templateId, format: 'pdf', data: { act } });
  expectEqual(code(answer), expected, `the answer to an agent that does: ${act}`);
  expect(!answer.body.includes('%PDF'), `an answer to ${act} holds a PDF`);
  expectEqual((await h.statuses(owner.account.accountId)).succeeded ?? 0, 0, 'documents that were made');
}

export const conversionFaultRows: readonly Row[] = [
  {
    id: 'C1',
    title: 'LibreOffice killed with -9 during a conversion',
    story:
      'Killed once: produced on the second attempt. Killed twice: quarantined, the credit is refunded, and later requests are refused at once',
    async run(h) {
      const { worker } = await h.start({ pdf: true, worker: { env: { CONVERT_TIMEOUT_MS: '60000' } } });
      const { client, account, templateId } = await h.owner(list, { credits: 5 });
      const once = client.generate({ templateId, format: 'pdf', data: slow });
      const hunt = new OfficeHunt(h, worker);
      process.kill(await hunt.next(), 'SIGKILL');
      expectEqual((await once).status, 200, 'the answer after one kill');
      const data = { ...slow, order: 'hunted' };
      const twice = client.generate({ templateId, format: 'pdf', data });
      for (let kill = 0; kill < 2; kill++) process.kill(await hunt.next(), 'SIGKILL');
      expectEqual(code(await twice), [400, 'document_quarantined'], 'the answer after two kills');
      const again = await client.generate({ templateId, format: 'pdf', data });
      expectEqual(code(again), [400, 'document_quarantined'], 'the same document again');
      expectEqual(await h.statuses(account.accountId), { failed: 2, succeeded: 1 }, 'the documents');
      expectEqual((await client.quotas()).docs, 4, 'the credits left');
      expectEqual((await client.generate({ templateId, format: 'pdf', data: { items: [] } })).status, 200, 'the next');
    },
  },
  {
    id: 'C2',
    title: 'LibreOffice stopped with SIGSTOP',
    story:
      'Stopped during a conversion: the process group is killed at the limit, the document is refused and not charged. Stopped while idle: no effect',
    async run(h) {
      const { worker } = await h.start({ pdf: true, worker: { env: { CONVERT_TIMEOUT_MS: '10000' } } });
      const { client, templateId } = await h.owner(list, { credits: 5 });
      const pending = client.generate({ templateId, format: 'pdf', data: slow });
      const office = await new OfficeHunt(h, worker).next();
      const group = descendants(worker.pid).filter((pid) => pid === office || descendants(pid).includes(office));
      process.kill(office, 'SIGSTOP');
      const answer = await pending;
      expectEqual(code(answer), [400, 'conversion_timeout'], 'the answer');
      expect(answer.durationMs > 9_900, 'LibreOffice was not given its time');
      expect(answer.durationMs < 19_000, `the document took ${Math.round(answer.durationMs)} ms`);
      expectEqual(group.filter(isAlive), [], 'processes of the stopped slot');
      // A stop during the start of its replacement would be another fault.
      const replaced = await client.generate({ templateId, format: 'pdf', data: { items: [] } });
      expectEqual(replaced.status, 200, 'the answer of its replacement');
      const [idle = 0] = officesOf(worker.pid);
      process.kill(idle, 'SIGSTOP');
      const next = await client.generate({ templateId, format: 'pdf', data: { items: [] } });
      expectEqual(next.status, 200, 'the answer after an idle one was stopped');
      const failures = await h.query('select 1 from conversion_failures where account_id = $1', [
        client.account.accountId,
      ]);
      expectEqual(failures.length, 1, 'conversion failures');
    },
  },
  {
    id: 'C3',
    title: 'converter that reports false results, crashes or hangs',
    story:
      'A fake agent reports success without a file, with 0 bytes, half a PDF, a link, a pipe. Never delivered; the credit is refunded',
    async run(h) {
      const env = { OFFICE_PYTHON_PATH: lyingAgent(h), OFFICE_JAIL: 'off', CONVERT_TIMEOUT_MS: '1500' };
      await h.start({ pdf: true, worker: { env } });
      const owner = await h.owner(acting, { credits: 3 });
      for (const act of ['nothing', 'empty', 'half', 'cut', 'html', 'link', 'pipe', 'folder'])
        await expectRefused(h, owner, act, [500, 'internal']);
      for (const act of ['leave', 'crash']) {
        const other = { ...owner, templateId: await h.template(owner.client, acting) };
        await expectRefused(h, other, act, [400, 'document_quarantined']);
      }
      await expectRefused(h, owner, 'hang', [400, 'conversion_timeout']);
      expectEqual((await owner.client.quotas()).docs, 3, 'the credits left');
      const honest = await owner.client.generate({ ...owner, format: 'pdf', data: { act: 'honest' } });
      expectEqual(honest.status, 200, 'the answer of an honest one');
    },
  },
  {
    id: 'C4',
    title: 'LibreOffice starts a daemon that would hold its pipes',
    story: 'It may not: no daemon runs, a kill frees the slot, the document is delivered, SIGTERM stops the worker',
    async run(h) {
      const { path, daemon } = await officeWithDaemon(h);
      const env = { OFFICE_PATH: path, OFFICE_JAIL: 'off' };
      const { worker } = await h.start({ pdf: true, worker: { env } });
      const { client, templateId } = await h.owner(list, { credits: 5 });
      const pending = client.generate({ templateId, format: 'pdf', data: slow });
      const office = await new OfficeHunt(h, worker).next();
      expectEqual(processesWith(daemon), [], 'the daemons');
      process.kill(office, 'SIGKILL');
      const answer = await pending;
      expectEqual(answer.status, 200, 'the answer after the kill');
      expect(answer.durationMs < 20_000, `the document took ${Math.round(answer.durationMs)} ms`);
      const exit = await worker.stop(15_000);
      expectEqual(exit?.code, 0, 'the ending of the worker');
      await until('the end of every process', () => findOrphans(h).length === 0, 5_000);
    },
  },
  {
    id: 'C10',
    title: 'eight copies of a document that hangs LibreOffice',
    story:
      'Two are converted until the limit; those that waited for the slot are refused without a conversion. Other documents of the template are made',
    async run(h) {
      const env = {
        OFFICE_PYTHON_PATH: lyingAgent(h),
        OFFICE_JAIL: 'off',
        CONVERT_TIMEOUT_MS: '3000',
        OFFICE_SLOTS: '1',
      };
      await h.start({ pdf: true, worker: { env } });
      const { client, templateId } = await h.owner(acting, { credits: 20 });
      const copies = Array.from({ length: 8 }, () =>
        client.generate({ templateId, format: 'pdf', data: { act: 'hang', order: 'same' } }),
      );
      const answers = (await Promise.all(copies)).map((answer) => code(answer)[1]).sort();
      const quarantined = Array.from({ length: 7 }, () => 'document_quarantined');
      expectEqual(answers, ['conversion_timeout', ...quarantined], 'the answers');
      const [row] = await h.query('select failures from conversion_failures where template_id = $1', [templateId]);
      expectEqual(row?.failures, 2, 'conversions that hung');
      const other = await client.generate({ templateId, format: 'pdf', data: { act: 'honest' } });
      expectEqual(other.status, 200, 'another document of the template');
      expectEqual((await client.quotas()).docs, 19, 'the credits left');
    },
  },
  {
    id: 'C5',
    title: 'disk full while converting and while uploading',
    story:
      'The converter has 40 MB, the API no disk space, the store answers 507: 503 that clients may retry, small documents still succeed',
    async run(h) {
      const full = onSmallDisk(h.tempFolder, 1, 'dd if=/dev/zero of="$0/full" bs=1M count=2 2>/dev/null || true');
      await h.start({ pdf: true, api: { wrapper: full }, worker: { wrapper: onSmallDisk(h.officeFolder, 40) } });
      const big = await h.owner(heavy(), { credits: 5 });
      const small = await h.owner(letter, { credits: 20 });
      const pending = big.client.generate({ templateId: big.templateId, format: 'pdf' });
      for (let time = 0; time < 5; time++) {
        const answer = await small.client.generate({ templateId: small.templateId, format: 'pdf' });
        expectEqual(answer.status, 200, 'a small document beside the large one');
      }
      expectEqual(code(await pending), [503, 'unavailable'], 'the large document');
      expectEqual((await big.client.quotas()).docs, 5, 'the credits left');
      const after = await small.client.generate({ templateId: small.templateId, format: 'pdf' });
      expect(after.status === 200 && isPdf(after.body), 'no small document after the large one');
      const { gateway } = h.backing.s3;
      gateway.decide(({ method }) => (method === 'PUT' ? 'full' : 'pass'));
      expectEqual(code(await small.client.upload('a.docx', letter)), [503, 'unavailable'], 'an upload');
      expectEqual(code(await small.client.generate({ ...small, key: 'c5' })), [503, 'unavailable'], 'a kept document');
      gateway.heal();
      expectEqual((await small.client.upload('a.docx', letter)).status, 201, 'an upload when there is room');
      expectEqual((await small.client.generate({ ...small, key: 'c5' })).status, 200, 'the same order again');
      expectEqual((await small.client.quotas()).docs, 13, 'the credits left');
    },
  },
];
