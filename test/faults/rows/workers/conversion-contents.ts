import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import PizZip from 'pizzip';
import { attacks, harmlessDocx, png } from '../../../integration/pdf/office/hostile-docx.ts';
import { imagesOf, textOf } from '../../../integration/pdf/office/office-fixture.ts';
import { buildDocx, paragraph } from '../../../support/documents/docx-builder.ts';
import { nestedTables, svgNs, withBody, withPart } from '../../../unit/docx/package/xml-attacks.ts';
import type { Answer, Client } from '../../client/client.ts';
import { items, letter, list } from '../../client/templates.ts';
import { type Harness, tally } from '../../harness/harness.ts';
import { officesOf, openFiles, percentile, residentBytes } from '../../harness/measure.ts';
import { expect, expectEqual, until } from '../../harness/until.ts';
import type { Row } from '../../row.ts';

const megabyte = 1024 * 1024;
const convertTimeoutMs = 4_000;
/** One attempt with its limit plus two seconds, and a LibreOffice start. */
const worstMs = convertTimeoutMs + 2_000 + 5_000;

type Endless = readonly [what: string, template: Buffer, data: () => Readonly<Record<string, unknown>>];

const endless: readonly Endless[] = [
  ['a table of 20 000 rows', list, () => ({ items: items(20_000) })],
  ['20 000 page breaks', buildDocx({ body: pageBreaks() }), () => ({ items: items(20_000) })],
  ['a word of 5 million letters', buildDocx({ body: paragraph('{word}') }), () => ({ word: 'w'.repeat(5_000_000) })],
];

function pageBreaks(): string {
  const page = '<w:p><w:r><w:t>{name}</w:t></w:r><w:r><w:br w:type="page"/></w:r></w:p>';
  return `${paragraph('{#items}')}${page}${paragraph('{/items}')}`;
}

/** The same document with tags instead of text. */
function asTemplate(docx: Buffer): Buffer {
  const zip = new PizZip(docx);
  const xml = zip.file('word/document.xml')?.asText() ?? '';
  zip.file('word/document.xml', xml.replace('visible', '{canary} {order} visible'));
  return zip.generate({ type: 'nodebuffer', compression: 'DEFLATE' });
}

/** A field whose address comes from the data. */
function fieldOfData(): Buffer {
  const piece = (xml: string): string => `<w:r>${xml}</w:r>`;
  const code = ['INCLUDEPICTURE "', '{address}', '" \\d'].map((text) =>
    piece(`<w:instrText xml:space="preserve">${text}</w:instrText>`),
  );
  const field = [
    piece('<w:fldChar w:fldCharType="begin"/>'),
    ...code,
    piece('<w:fldChar w:fldCharType="separate"/>'),
    piece('<w:t>visible {address}</w:t>'),
    piece('<w:fldChar w:fldCharType="end"/>'),
  ];
  return buildDocx({ body: `${paragraph('{canary} {order}')}<w:p>${field.join('')}</w:p>` });
}

async function listen(onConnection: () => void): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

function filesOf(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}

/** Resources that must not grow over 500 conversions. */
function footprint(h: Harness, workerPid: number) {
  const [office = 0] = officesOf(workerPid);
  return {
    workerBytes: residentBytes(workerPid),
    officeBytes: residentBytes(office),
    workerFiles: openFiles(workerPid),
    officeFiles: openFiles(office),
    temporaryFiles: filesOf(h.officeFolder) + filesOf(h.tempFolder),
  };
}

export const conversionContentRows: readonly Row[] = [
  {
    id: 'C6',
    title: '8 conversions at once, of 8 accounts',
    story: 'Two slots, five rounds: eight complete PDFs each time, each with only the data of its account',
    isQuick: true,
    async run(h) {
      await h.start({ pdf: true, worker: { env: { OFFICE_SLOTS: '2' } } });
      const owners = await Promise.all(Array.from({ length: 8 }, () => h.owner(letter, { credits: 10 })));
      for (let round = 0; round < 5; round++) {
        const pending = owners.map(({ client, templateId }, index) =>
          client.generate({ templateId, format: 'pdf', data: { order: `round-${round}-${index}` } }),
        );
        const answers = await Promise.all(pending);
        expectEqual(tally(answers), { 200: 8 }, 'the answers');
        for (const [index, { body }] of answers.entries()) {
          const text = await textOf(body);
          const expected = [owners[index]?.account.canary, `round-${round}-${index}`];
          const found = [...(text.match(/canary[0-9a-f]{24}/g) ?? []), ...(text.match(/round-\d+-\d+/g) ?? [])];
          expectEqual(found, expected, 'the data in a PDF');
        }
      }
    },
  },
  {
    id: 'C7',
    title: 'documents that never finish',
    story:
      'Deep tables and SVG entity-expansion bombs are rejected at upload; 20 000 rows, 20 000 pages, a word of 5 MB are aborted at the limit, once, and not charged; the next document succeeds',
    async run(h) {
      await h.start({ pdf: true, worker: { env: { CONVERT_TIMEOUT_MS: `${convertTimeoutMs}` } } });
      const { client, templateId } = await h.owner(letter, { credits: 10 });
      const laughs = `<!DOCTYPE s [<!ENTITY a "ha">${'<!ENTITY b "&a;&a;">'}]><svg ${svgNs}>&b;</svg>`;
      for (const hostile of [withBody(paragraph('{x}') + nestedTables(2_000)), withPart('word/media/a.svg', laughs)])
        expectEqual((await client.upload('hostile.docx', hostile)).status, 400, 'the upload');
      for (const [what, template, data] of endless) {
        const answer = await client.generate({
          templateId: await h.template(client, template),
          format: 'pdf',
          data: data(),
        });
        expectEndless(what, answer);
        const next = await client.generate({ templateId, format: 'pdf' });
        expectEqual(next.status, 200, `the document after ${what}`);
      }
      expectEqual((await client.quotas()).docs, 10 - endless.length, 'the credits left');
    },
  },
  {
    id: 'C8',
    title: 'documents with external references',
    story:
      'Linked pictures, SVGs, fields and templates on the network and on disk: no connection, no external picture in the PDF',
    async run(h) {
      let connections = 0;
      const { server, port } = await listen(() => {
        connections += 1;
      });
      try {
        const secrets = join(h.folder, 'secrets');
        mkdirSync(secrets);
        writeFileSync(join(secrets, 'secret.png'), png(40, 30), { mode: 0o644 });
        await h.start({ pdf: true });
        const { client } = await h.owner(letter);
        const harmless = await pdfOf(h, client, asTemplate(harmlessDocx()));
        expectEqual((await imagesOf(harmless)).length, 1, 'pictures of a document that carries one');
        const vectors: [string, Buffer][] = [
          ...attacks(secrets, port).map(([what, docx]): [string, Buffer] => [what, asTemplate(docx)]),
          ['a field whose address comes with the data', fieldOfData()],
        ];
        const data = { address: `http://127.0.0.1:${port}/data.png` };
        for (const [what, template] of vectors) {
          const pdf = await pdfOf(h, client, template, data);
          expectEqual(await imagesOf(pdf), [], `foreign pictures: ${what}`);
          expect((await textOf(pdf)).includes('visible'), `${what} lost its text`);
        }
        expectEqual(connections, 0, 'connections');
        await fetch(data.address).catch(() => undefined);
        expectEqual(connections, 1, 'connections after one that is ours');
      } finally {
        server.close();
      }
    },
  },
  {
    id: 'C9',
    title: '500 conversions in a row',
    story: 'Memory, descriptors and temporary files do not grow, and the last 100 take no longer than the first',
    async run(h) {
      const { worker } = await h.start({ pdf: true, worker: { env: { OFFICE_RECYCLE_AFTER: '10000' } } });
      const { client, templateId } = await h.owner(letter, { credits: 600 });
      const times: number[] = [];
      const convert = async (count: number): Promise<void> => {
        for (let time = 0; time < count; time++) {
          const answer = await client.generate({ templateId, format: 'pdf' });
          expectEqual(answer.status, 200, 'the answer');
          times.push(answer.durationMs);
        }
      };
      await convert(100);
      const before = footprint(h, worker.pid);
      await convert(400);
      const after = await until('the temporary files of the last one being removed', () => {
        const now = footprint(h, worker.pid);
        return now.temporaryFiles <= before.temporaryFiles + 2 && now;
      });
      expect(after.workerBytes < before.workerBytes * 1.2 + 40 * megabyte, 'the worker grew');
      expect(after.officeBytes < before.officeBytes * 1.2, 'LibreOffice grew');
      expect(after.officeFiles <= before.officeFiles + 4, `LibreOffice has ${after.officeFiles} files open`);
      expect(after.workerFiles <= before.workerFiles + 10, `the worker has ${after.workerFiles} files open`);
      const [first, last] = [percentile(times.slice(0, 100), 0.5), percentile(times.slice(-100), 0.5)];
      expect(last < first * 1.5, `from ${Math.round(first)} ms to ${Math.round(last)} ms`);
    },
  },
];

function expectEndless(what: string, answer: Answer): void {
  const code = [answer.status, answer.headers.get('Error-Code')];
  expectEqual(code, [400, 'conversion_timeout'], what);
  expect(answer.durationMs < worstMs, `${what} took ${Math.round(answer.durationMs)} ms`);
}

async function pdfOf(
  h: Harness,
  client: Client,
  template: Buffer,
  data: Readonly<Record<string, unknown>> = {},
): Promise<Buffer> {
  const answer = await client.generate({ templateId: await h.template(client, template), format: 'pdf', data });
  expectEqual(answer.status, 200, 'the PDF');
  return answer.body;
}
