import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { longCell, longUpload } from '../../../support/documents/slow-documents.ts';
import type { Answer } from '../../client/client.ts';
import { items, letter, list, nestedSections } from '../../client/templates.ts';
import { type Harness, type Owner, tally } from '../../harness/harness.ts';
import { percentile } from '../../harness/measure.ts';
import { expect, expectEqual } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

/** Two slots of each kind. The limits are short, so that the busy account's documents end soon after the row. */
const twoSlots = { RENDER_PROCESSES: '2', OFFICE_SLOTS: '2', CONVERT_TIMEOUT_MS: '4000', RENDER_TIMEOUT_MS: '4000' };
const calls = 25;
/** Added to three times the duration alone, because tests run beside each other. */
const toleranceMs = 500;

type Call = (caller: Owner) => Promise<Answer>;

const docx: Call = ({ client, templateId }) => client.generate({ templateId });
const pdf: Call = ({ client, templateId }) => client.generate({ templateId, format: 'pdf' });
const upload: Call = ({ client }) => client.upload('other.docx', letter);

/** The calls in turns, one after the other. Returns the 95th percentile of each in milliseconds. */
async function measure(caller: Owner, kinds: readonly Call[], count = calls): Promise<readonly number[]> {
  const answers = kinds.map((): Answer[] => []);
  for (let call = 0; call < count; call++) {
    for (const [kind, send] of kinds.entries()) answers[kind]?.push(await send(caller));
  }
  const all = answers.flat();
  const good = all.filter(({ status }) => status === 200 || status === 201);
  expect(good.length === all.length, `calls of the other account were answered ${JSON.stringify(tally(all))}`);
  return answers.map((each) =>
    percentile(
      each.map(({ durationMs }) => durationMs),
      0.95,
    ),
  );
}

/** Calls of one account alone, then while `sendWork` of another one is served. Returns the answers of the busy one. */
async function besideWork(
  h: Harness,
  sendWork: () => readonly Promise<Answer>[],
  kinds: readonly Call[] = [docx, pdf],
): Promise<readonly Answer[]> {
  const caller = await h.owner(letter, { credits: 1_000, templates: 1_000 });
  await measure(caller, kinds, 5);
  const alone = await measure(caller, kinds);
  const work = Promise.all(sendWork());
  const beside = await measure(caller, kinds);
  for (const [kind, duration] of beside.entries()) {
    const limit = 3 * (alone[kind] ?? 0) + toleranceMs;
    const figures = `${Math.round(duration)} ms beside the other account, ${Math.round(alone[kind] ?? 0)} ms alone`;
    expect(duration <= limit, `the 95th percentile is ${figures}`);
  }
  return work;
}

function repeat(count: number, send: (index: number) => Promise<Answer>): readonly Promise<Answer>[] {
  return Array.from({ length: count }, (_, index) => send(index));
}

export const busyAccountRows: readonly Row[] = [
  {
    id: 'F1',
    title: 'conversions of one account that hang',
    story:
      'Eight PDFs of other data that LibreOffice does not finish: the .docx and PDFs of another account take at most three times as long as alone, and none fails',
    async run(h) {
      await h.start({ pdf: true, worker: { env: twoSlots } });
      const endless = longCell(20_000);
      const { client, templateId } = await h.owner(endless.template);
      const answers = await besideWork(h, () =>
        repeat(8, (index) => client.generate({ templateId, format: 'pdf', data: endless.data(index) })),
      );
      expect(
        answers.every(({ status }) => status !== 200),
        'a PDF that takes too long was delivered',
      );
      expectEqual((await client.quotas()).docs, 1_000, 'the credits of the busy account');
    },
  },
  {
    id: 'F2',
    title: 'renders of one account that take their whole limit',
    story: 'Sixteen documents that never end: as in F1',
    isQuick: true,
    async run(h) {
      await h.start({ pdf: true, worker: { env: { ...twoSlots, RENDER_TIMEOUT_MS: '2000' } } });
      const { client, templateId } = await h.owner(nestedSections(8));
      const a = Array.from({ length: 20 }, (_, n) => ({ n }));
      const answers = await besideWork(h, () =>
        repeat(16, (index) => client.generate({ templateId, data: { a, order: `endless-${index}` } })),
      );
      expectEqual(tally(answers), { 400: 16 }, 'the answers of the busy account');
      expectEqual((await client.quotas()).docs, 1_000, 'the credits of the busy account');
    },
  },
  {
    id: 'F3',
    title: 'more honest work of one account than the slots can do',
    story: '300 .docx and 100 PDFs at once: as in F1, and every document of the busy account is delivered',
    async run(h) {
      await h.start({ pdf: true, worker: { env: twoSlots } });
      const { client, templateId } = await h.owner(list);
      const data = { items: items(300) };
      const answers = await besideWork(h, () => [
        ...repeat(300, () => client.generate({ templateId, data })),
        ...repeat(100, () => client.generate({ templateId, data: { items: items(20) }, format: 'pdf' })),
      ]);
      expectEqual(tally(answers), { 200: 400 }, 'the answers of the busy account');
    },
  },
  {
    id: 'F4',
    title: 'quick documents of a template, then endless ones',
    story: 'Fifty quick PDFs make the template known as quick, then six of the same template hang: as in F1',
    async run(h) {
      await h.start({ pdf: true, worker: { env: twoSlots } });
      const [quick, endless] = [longCell(2), longCell(20_000)];
      const { client, templateId } = await h.owner(quick.template);
      const convert = (data: Readonly<Record<string, unknown>>): Promise<Answer> =>
        client.generate({ templateId, format: 'pdf', data });
      const honest = await Promise.all(repeat(50, (index) => convert(quick.data(index))));
      expectEqual(tally(honest), { 200: 50 }, 'the quick documents');
      await besideWork(h, () => repeat(6, (index) => convert(endless.data(index))));
    },
  },
  {
    id: 'F5',
    title: 'uploads of one account that take seconds to check',
    story: 'Eight templates with a million elements: the uploads and .docx of another account as in F1',
    async run(h) {
      await h.start({ worker: { env: { ...twoSlots, RENDER_TIMEOUT_MS: '20000' } } });
      const client = await h.account();
      const files = Array.from({ length: 8 }, (_, index) => longUpload(300_000, index));
      const answers = await besideWork(h, () => files.map((file) => client.upload('long.docx', file)), [docx, upload]);
      expectEqual(tally(answers), { 201: 8 }, 'the answers of the busy account');
    },
  },
  {
    id: 'F6',
    title: 'one account on a service with one slot of each kind',
    story: 'Endless renders and conversions of one account: no call of another one waits for longer than one limit',
    async run(h) {
      const env = { ...twoSlots, RENDER_PROCESSES: '1', OFFICE_SLOTS: '1' };
      await h.start({ pdf: true, worker: { env } });
      const endless = longCell(20_000);
      const { client, templateId } = await h.owner(endless.template);
      const loops = await h.template(client, nestedSections(8));
      const caller = await h.owner(buildDocx({ body: paragraph('{canary} {order}') }));
      await Promise.all([docx(caller), pdf(caller)]);
      const a = Array.from({ length: 20 }, (_, n) => ({ n }));
      const busy = [
        ...repeat(4, (index) => client.generate({ templateId, format: 'pdf', data: endless.data(index) })),
        ...repeat(4, (index) => client.generate({ templateId: loops, data: { a, order: `endless-${index}` } })),
      ];
      for (const call of [docx, pdf, docx, pdf]) {
        const { status, durationMs } = await call(caller);
        expectEqual(status, 200, 'the answer beside the busy account');
        // One limit of a render and, for a PDF, one of a conversion.
        const limitMs = call === pdf ? 8_000 : 4_000;
        expect(durationMs <= limitMs + 2_000, `a call took ${Math.round(durationMs)} ms`);
      }
      await Promise.all(busy);
    },
  },
];
