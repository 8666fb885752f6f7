import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLogger } from '../../src/shared/logger.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import type { DirectPool } from '../../src/worker/pdf/direct-process/direct-pool.ts';
import type { OfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { descendants, residentBytes } from '../../test/faults/harness/measure.ts';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';
import { ensureProgramsBuilt } from '../../tools/local/build.ts';
import { documentOf, type ExampleName } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import { processorSeconds } from '../harness/processor-time.ts';
import { atLeast, atMost, closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { byRound, median } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { measureHttp } from './measure-http.ts';
import { measureVolumes } from './measure-volumes.ts';

/** Documents from one template, each for a different recipient, and the work of filling one. */
interface BenchDocument {
  readonly name: string;
  readonly docx: readonly Uint8Array[];
  /** The document for the recipient with this number. All of them differ. */
  readonly docxFor: (recipient: number) => Uint8Array;
  readonly fill: () => unknown;
}

const root = join(import.meta.dirname, '../..');
await ensureProgramsBuilt(root);
const built = (module: string): string => pathToFileURL(join(root, 'dist/worker/pdf', module)).href;
// Processes from source would run through a loader that production does not use.
const { createDirectPool }: typeof import('../../src/worker/pdf/direct-process/direct-pool.ts') = await import(
  built('direct-process/direct-pool.js')
);
const { startOfficePool }: typeof import('../../src/worker/pdf/office/office-pool.ts') = await import(
  built('office/office-pool.js')
);

const options = readOptions({
  rounds: 7,
  quickRounds: 3,
  values: ['conversions', 'documents', 'letters', 'parts'],
});
const conversions = Number(options.values.conversions ?? (options.quick ? 10 : 40));
/** The number of documents for the memory measurement. */
const documents = Number(options.values.documents ?? (options.quick ? 2_000 : 100_000));
/** The number of letters that are merged into one PDF. */
const letters = Number(options.values.letters ?? (options.quick ? 2_000 : 20_000));
const parts = new Set((options.values.parts ?? 'processor,table,memory,http,volumes').split(','));
/** Direct layout may use at most this fraction of LibreOffice's processor time for a PDF. */
const goal = atLeast(15);
const recipients = 50;
const warmUps = 400;
const memorySteps = 20;
const tableRows = [1_000, 10_000] as const;
/** Longer than in production, so that a busy machine does not prevent the measurement. */
const timeLimitMs = 120_000;
const logger = createLogger('silent', 'bench');

/** A letter made of paragraphs, and the examples with their data; the invoice has 10 rows. */
function benchDocuments(): BenchDocument[] {
  const text = 'We thank you for your order, which will be delivered to your house within ten working days. ';
  const plain = buildDocx({ body: paragraph(text.repeat(5)).repeat(8) });
  return [
    { name: 'letter of paragraphs', docx: [plain], docxFor: () => plain, fill: () => undefined },
    filled('letter', 8),
    filled('invoice', 10),
  ];
}

function filled(example: ExampleName, rows: number): BenchDocument {
  const { template, data } = documentOf(example, rows);
  const prepared = prepareTemplate(template, 'pdf');
  const json = JSON.stringify(data);
  const dataOf = (index: number): Buffer =>
    Buffer.from(json.replaceAll(/\p{Lu}\p{Ll}+ /gu, (word) => `${wordOf(index)} ${word}`));
  const fillFor = (index: number): Uint8Array => renderTemplate(prepared, dataOf(index)).file;
  let next = 0;
  return {
    name: `${example}${example === 'invoice' ? ` of ${rows} rows` : ''}`,
    docx: Array.from({ length: recipients }, (_, index) => fillFor(index)),
    docxFor: fillFor,
    fill: () => fillFor(next++ % recipients),
  };
}

/** A word that differs for each recipient. */
function wordOf(index: number): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  return `${letters.at(index % 26)?.toUpperCase()}${letters.at((index * 7) % 26)}${index}`;
}

/** The milliseconds of processor time that one document takes in this process and in those that lay it out. */
async function processorMsOf(convert: (index: number) => unknown): Promise<number> {
  const used = (): number =>
    [process.pid, ...descendants(process.pid)].reduce((seconds, pid) => seconds + processorSeconds(pid), 0);
  const before = used();
  for (let index = 0; index < conversions; index++) await convert(index);
  return ((used() - before) * 1_000) / conversions;
}

function nth(docx: readonly Uint8Array[], index: number): Uint8Array {
  const found = docx[index % docx.length];
  if (found === undefined) throw new Error('no document');
  return found;
}

/** Throws if a document is not laid out directly, because there would be nothing to compare. */
async function layOut(direct: DirectPool, name: string, docx: Uint8Array): Promise<void> {
  const made = await direct.convert({ docx });
  if (made.kind !== 'made') throw new Error(`${name}: not laid out directly: ${made.reasons.join(', ')}`);
}

async function measureProcessor({ name, docx, fill }: BenchDocument, office: OfficePool, direct: DirectPool) {
  for (let index = 0; index < warmUps; index++) await layOut(direct, name, nth(docx, index));
  for (let index = 0; index < warmUps; index++) fill();
  await office.convert({ docx: nth(docx, 0) });
  const samples = await alternate(
    [
      { name: 'office', run: () => processorMsOf((index) => office.convert({ docx: nth(docx, index) })) },
      { name: 'direct', run: () => processorMsOf((index) => layOut(direct, name, nth(docx, index))) },
      { name: 'fill', run: () => processorMsOf(fill) },
    ],
    options.rounds,
  );
  const [officeMs, directMs, fillMs] = ['office', 'direct', 'fill'].map((one) => samplesOf(samples, one));
  if (officeMs === undefined || directMs === undefined || fillMs === undefined) throw new Error('nothing measured');
  const whole = (times: readonly number[]) => byRound(times, fillMs, (ms, fillingMs) => ms + fillingMs);
  const ratio = (ours: number, theirs: number): number => ours / theirs;
  return {
    figures: [
      figure(
        `${name}: processor time of LibreOffice / direct layout`,
        'times',
        byRound(officeMs, directMs, ratio),
        goal,
      ),
      figure(`${name}: the same, with filling the template`, 'times', byRound(whole(officeMs), whole(directMs), ratio)),
      figure(`${name}: processor time of direct layout`, 'ms', directMs),
    ],
    raw: { name, officeMs, directMs, fillMs },
  };
}

function tableOf(rows: number): Uint8Array {
  const cell = (text: string): string =>
    `<w:tc><w:tcPr><w:tcW w:w="3000" w:type="dxa"/></w:tcPr>${paragraph(text)}</w:tc>`;
  const row = (index: number): string =>
    `<w:tr>${cell(`Row ${index}`)}${cell('Oak shelf, oiled')}${cell(`${index * 7}.00`)}</w:tr>`;
  const grid = '<w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>';
  const properties = '<w:tblPr><w:tblW w:w="9000" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr>';
  const body = Array.from({ length: rows }, (_, index) => row(index)).join('');
  return buildDocx({ body: `<w:tbl>${properties}${grid}${body}</w:tbl>${paragraph('End')}` });
}

/** Measures the time for a long table, and the time per row compared with a shorter table. */
async function measureTables(direct: DirectPool) {
  const [short, long] = tableRows;
  const timed = (rows: number, docx: Uint8Array) => async (): Promise<number> => {
    const startedAt = performance.now();
    await layOut(direct, `table of ${rows} rows`, docx);
    return performance.now() - startedAt;
  };
  const contenders = tableRows.map((rows) => ({ name: String(rows), run: timed(rows, tableOf(rows)) }));
  for (const { run } of contenders) await run();
  const samples = await alternate(contenders, options.rounds);
  const [shortMs, longMs] = [samplesOf(samples, String(short)), samplesOf(samples, String(long))];
  const perRow = byRound(longMs, shortMs, (longer, shorter) => longer / long / (shorter / short));
  return {
    figures: [
      figure(`table of ${long} rows: direct layout`, 'ms', longMs, atMost(2_000)),
      figure(`time of a row in a table of ${long} rows / of ${short} rows`, 'times', perRow, atMost(1.5)),
    ],
    raw: { shortMs, longMs },
  };
}

/**
 * Measures the resident memory of a direct layout process over many different letters. The first quarter fills its
 * caches.
 */
async function measureMemory({ name, docxFor }: BenchDocument, direct: DirectPool) {
  const residentMb: number[] = [];
  for (let index = 0; residentMb.length < memorySteps; ) {
    const end = ((residentMb.length + 1) * documents) / memorySteps;
    for (; index < end; index++) await layOut(direct, name, docxFor(index));
    const bytes = descendants(process.pid).reduce((sum, pid) => sum + residentBytes(pid), 0);
    residentMb.push(bytes / 1024 / 1024);
  }
  const [second, last] = [residentMb.slice(memorySteps / 4, memorySteps / 2), residentMb.slice((memorySteps * 3) / 4)];
  const growth = median(last) / median(second);
  return {
    figures: [
      figure(`resident memory, last quarter of ${documents} letters / second quarter`, 'times', [growth], atMost(1.1)),
      figure('resident memory of a process, last quarter', 'MB', last),
    ],
    raw: { residentMb },
  };
}

async function withDirectPool<T>(work: (direct: DirectPool) => Promise<T>): Promise<T> {
  const direct = await createDirectPool({ processes: 1, timeLimitMs, logger });
  try {
    return await work(direct);
  } finally {
    await direct.close();
  }
}

const frame = openFrame('pdf', ['LibreOffice'], ['harfbuzzjs']);
const results: { readonly figures: readonly Figure[]; readonly raw: object }[] = [];
const made = benchDocuments();
if (parts.has('table')) results.push(await withDirectPool(measureTables));
const [, letter] = made;
if (parts.has('memory') && letter !== undefined)
  results.push(await withDirectPool((direct) => measureMemory(letter, direct)));
if (parts.has('processor')) {
  await withTemporaryFolder(async (folder) => {
    const office = await startOfficePool({
      keepsSlotFree: false,
      slots: 1,
      tempDir: join(folder, 'office'),
      convertTimeoutMs: 120_000,
      startTimeoutMs: 240_000,
      recycleAfter: 100_000,
      memoryLimitBytes: 4 * 1024 ** 3,
      logger,
    });
    try {
      await withDirectPool(async (direct) => {
        for (const document of made) results.push(await measureProcessor(document, office, direct));
      });
    } finally {
      await office.close();
    }
  });
}
if (parts.has('http')) results.push(await measureHttp(options.rounds));
if (parts.has('volumes')) results.push(await measureVolumes(options.rounds, letters));
const figures = results.flatMap((result) => result.figures);
const raw = results.map((result) => result.raw);
publish(
  closeFrame(frame, { rounds: options.rounds, conversions, documents, letters, parts: [...parts] }, figures, raw),
  options,
);
