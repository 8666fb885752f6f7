import { setTimeout as delay } from 'node:timers/promises';
import { buildDocx, paragraph, table } from '../../../support/documents/docx-builder.ts';
import { archiveAttacks, unsafeNames, withEntry } from '../../../unit/docx/package/archive-attacks.ts';
import { disguisedFiles } from '../../../unit/docx/package/disguised-files.ts';
import { xmlAttacks } from '../../../unit/docx/package/xml-attacks.ts';
import type { Answer, Client } from '../../client/client.ts';
import { items, letter, nestedSections, textOfDocx } from '../../client/templates.ts';
import type { Harness, Owner } from '../../harness/harness.ts';
import { descendants, peakBytes, percentile } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const megabyte = 1024 * 1024;
/** RENDER_TIMEOUT_MS of production. */
const renderTimeoutMs = 10_000;
const limitMs = renderTimeoutMs + 2_000;

type Attack = readonly [what: string, build: () => Uint8Array, refusedFor: RegExp];

const packageAttacks: readonly Attack[] = [
  ...archiveAttacks,
  // The error contains the name, which must not look like a path of the machine.
  ...unsafeNames
    .map(([name]) => name.replace('/var/', '/elsewhere/'))
    .map((name): Attack => [`named ${JSON.stringify(name)}`, () => withEntry({ name }), /unsafe name/]),
  ...xmlAttacks.map(([what, , build, refusedFor]): Attack => [what, build, refusedFor]),
  // An empty file is refused before it is opened.
  ...disguisedFiles
    .filter(([, { length }]) => length > 0)
    .map(([what, bytes, refusedFor]): Attack => [what, () => bytes, refusedFor]),
];

const tagAttacks: readonly Attack[] = [
  ['30 sections inside one another', () => nestedSections(30), /8/],
  ['3000 sections inside one another', () => nestedSections(3_000), /8/],
  ['100 000 tags', () => lines('{x}'.repeat(1_000), 100), /20,?000 tags/],
  ['10 000 tags that never end', () => lines('{x '.repeat(100), 100), /./],
  ['10 000 sections that never end', () => lines('{#x}'.repeat(100), 100), /./],
  ['raw XML', () => lines('{@x}'), /./],
  ['other delimiters', () => lines('{=[[ ]]=}[[x]]'), /./],
  ['a call', () => lines("{constructor.constructor('return process')()}"), /called/],
  ['a call on a text', () => lines('{"a".constructor.constructor("return 1")()}'), /./],
  ['an assignment', () => lines('{#a = 1}x{/}'), /not allowed in an expression/],
  ['a formula of 300 000 characters', () => lines(`{1${'+1'.repeat(150_000)}}`), /./],
  ['a formula 900 brackets deep', () => lines(`{${'('.repeat(900)}1${')'.repeat(900)}}`), /./],
];

interface Bomb {
  readonly what: string;
  readonly template: () => Buffer;
  readonly data: () => Readonly<Record<string, unknown>>;
  /** Only some errors name the data at fault. */
  readonly code?: string;
}

const renderBombs: readonly Bomb[] = [
  { what: '20^8 repetitions', template: () => nestedSections(8), data: () => ({ a: counted(20) }) },
  {
    what: '10 000 times 10 000',
    template: () => lines('{#a}{#b}x{/b}{/a}'),
    data: () => ({ a: counted(10_000), b: counted(10_000) }),
  },
  {
    what: 'a table of 1000 times 1000',
    template: () => buildDocx({ body: table([['{#a}', '{#b}{n}{/b}{/a}']]) }),
    data: () => ({ a: counted(1_000), b: counted(1_000) }),
  },
  {
    what: 'a megabyte, 300 times',
    template: () => lines('{#a}{text}{/a}'),
    data: () => ({ a: counted(300), text: 'x'.repeat(megabyte) }),
  },
  {
    what: 'a formula that makes eight megabytes of one',
    template: () => lines(`{#a}{${Array(8).fill('text').join('+')}}{/a}`),
    data: () => ({ a: counted(300), text: 'x'.repeat(megabyte) }),
    code: 'data_invalid',
  },
  {
    what: 'a list sorted for each of its items',
    template: () => lines('{#a}{a | sort:"n" | sum:"n"}{/a}'),
    data: () => ({ a: counted(20_000) }),
  },
];

const prototypes = ['constructor', '__proto__', 'toString', 'a.__proto__.x', 'a.constructor.name', 'x'].concat([
  'a["constructor"]',
  'a["__proto__"]["x"]',
  'hasOwnProperty',
  'valueOf',
]);

const loops = ['{#constructor}LOOP{/}', '{#__proto__}LOOP{/}'];

/** Every tag prints nothing with this data. */
async function expectNothing(h: Harness, client: Client, tags: readonly string[], json: string): Promise<void> {
  const templateId = await h.template(client, lines(tags.map((tag) => `[${tag}]`).join('')));
  const answer = await client.generate({ templateId, data: JSON.parse(json) as Record<string, unknown> });
  expectEqual(answer.status, 200, `the answer to ${json}`);
  const text = textOfDocx(answer.body) ?? '';
  expect(text.includes('[]'.repeat(tags.length)), `with ${json} the tags print ${text.slice(0, 300)}`);
}

function lines(text: string, count = 1): Buffer {
  return buildDocx({ body: paragraph('{canary} {order}') + paragraph(text).repeat(count) });
}

function counted(count: number): readonly object[] {
  return Array.from({ length: count }, (_, n) => ({ n }));
}

function messagesOf(answer: Answer): string {
  const { error } = JSON.parse(answer.body.toString()) as { error: { details?: { message: string }[] } };
  return (error.details ?? []).map(({ message }) => message).join('\n');
}

async function expectRefusal(client: Client, [what, build, refusedFor]: Attack): Promise<void> {
  const answer = await client.upload('attack.docx', Buffer.from(build()));
  expectEqual([answer.status, answer.headers.get('Error-Code')], [400, 'template_invalid'], what);
  expect(refusedFor.test(messagesOf(answer)), `${what}: ${messagesOf(answer).slice(0, 200)}`);
  expect(answer.durationMs < limitMs, `${what} took ${Math.round(answer.durationMs)} ms`);
}

/** Generates documents one after another until `isOver`, and returns the time of each. */
async function work({ client, templateId }: Owner, isOver: (documents: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver(times.length)) {
    const answer = await client.generate({ templateId });
    expectEqual(answer.status, 200, 'a document beside the attacks');
    times.push(answer.durationMs);
    await delay(100);
  }
  return times;
}

/** Generates documents of another account beside the attacks and returns the time of each. */
async function workBeside(owner: Owner, attack: Promise<void>): Promise<number[]> {
  let isOver = false;
  const attacking = attack.finally(() => {
    isOver = true;
  });
  const [times] = await Promise.all([work(owner, () => isOver), attacking]);
  return times;
}

/** The peak memory of the workers' render processes. */
function peakOfOpeners(h: Harness): number {
  return Math.max(0, ...h.workers.flatMap(({ pid }) => descendants(pid)).map(peakBytes));
}

export const hostileUploadRows: readonly Row[] = [
  {
    id: 'A1',
    title: `${packageAttacks.length} malicious packages`,
    story:
      'Zip bombs, false headers, unsafe names, DTDs, deep XML, other formats: each gets 400 with the reason, quickly, in bounded memory, without delaying others',
    isQuick: true,
    async run(h) {
      const env = { RENDER_PROCESSES: '2', RENDER_TIMEOUT_MS: String(renderTimeoutMs) };
      const { api } = await h.start({ worker: { env } });
      const attacker = await h.account({ templates: 3 });
      const other = await h.owner(letter, { credits: 10_000 });
      const before = await until('a process that opens documents', () => peakOfOpeners(h) || undefined);
      let peak = before;
      const alone = percentile(await work(other, (documents) => documents === 20), 0.95);
      const times = await workBeside(
        other,
        (async () => {
          for (const attack of packageAttacks) {
            await expectRefusal(attacker, attack);
            peak = Math.max(peak, peakOfOpeners(h));
          }
        })(),
      );
      const grown = Math.round((peak - before) / megabyte);
      expect(grown < 300, `a process that opens documents grew by ${grown} MB`);
      const wait = Math.round(percentile(times, 0.95));
      expect(wait < Math.max(2_000, 5 * alone), `others wait ${wait} ms, and ${Math.round(alone)} ms without attacks`);
      expect(peakBytes(api.pid) < 600 * megabyte, 'the API grew');
      expectEqual((await attacker.quotas()).templates, 3, 'the places for templates');
    },
  },
  {
    id: 'A2',
    title: 'malicious tags and data',
    story:
      'Sections 3000 deep, 20^8 and 10^8 repetitions, a megabyte 300 times, expressions that access the runtime: a coded 400 within the limit, not charged',
    async run(h) {
      await h.start();
      const { client, account } = await h.owner(letter, { credits: 5 });
      for (const attack of tagAttacks) await expectRefusal(client, attack);
      for (const { what, template, data, code = 'render_limit' } of renderBombs) {
        const templateId = await h.template(client, template());
        const answer = await client.generate({ templateId, data: data() });
        expectEqual([answer.status, answer.headers.get('Error-Code')], [400, code], what);
        expect(answer.durationMs < limitMs, `${what} took ${Math.round(answer.durationMs)} ms`);
      }
      expectEqual((await client.quotas()).docs, 5, 'the credits after the bombs');
      await expectNothing(h, client, [...prototypes.map((path) => `{${path}}`), ...loops], '{"a":{}}');
      await expectNothing(
        h,
        client,
        ['{x}', '{a.x}'],
        '{"a":{},"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
      );
      await expectNothing(h, client, ['{x}', '{a.x}'], '{"a":{}}');
      expectEqual(await h.statuses(account.accountId), { failed: renderBombs.length, succeeded: 3 }, 'the documents');
      const list = await client.generate({ templateId: await h.template(client, letter), data: { a: items(3) } });
      expectEqual(list.status, 200, 'the next document');
    },
  },
];
