import { join } from 'node:path';
import { createLogger } from '../../src/shared/logger.ts';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { createDirectPool, type DirectPool } from '../../src/worker/pdf/direct-process/direct-pool.ts';
import { type OfficePool, startOfficePool } from '../../src/worker/pdf/office/office-pool.ts';
import { descendants } from '../../test/faults/harness/measure.ts';
import { buildDocx, paragraph } from '../../test/support/documents/docx-builder.ts';
import { documentOf, type ExampleName } from '../harness/documents.ts';
import { readOptions } from '../harness/options.ts';
import { processorSeconds } from '../harness/processor-time.ts';
import { atLeast, closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';

interface BenchDocument {
  readonly name: string;
  readonly docx: Uint8Array;
}

const options = readOptions({ rounds: 7, quickRounds: 3, values: ['conversions'] });
const conversions = Number(options.values.conversions ?? (options.quick ? 10 : 40));
/** Of the processor time of a PDF by LibreOffice, direct layout may need one part in so many. */
const goal = atLeast(15);
const logger = createLogger('silent', 'bench');

/** A letter of paragraphs, and the examples with their data; the invoice has 10 rows. */
function benchDocuments(): BenchDocument[] {
  const text = 'We thank you for your order, which will be delivered to your house within ten working days. ';
  return [
    { name: 'letter of paragraphs', docx: buildDocx({ body: paragraph(text.repeat(5)).repeat(8) }) },
    { name: 'letter', docx: filled('letter', 8) },
    { name: 'invoice of 10 rows', docx: filled('invoice', 10) },
  ];
}

function filled(example: ExampleName, rows: number): Uint8Array {
  const { template, data } = documentOf(example, rows);
  return renderTemplate(prepareTemplate(template, 'pdf'), Buffer.from(JSON.stringify(data))).file;
}

/** Milliseconds of processor time of one document: of the processes that lay it out and of this one. */
async function processorMsOf(convert: () => Promise<unknown>): Promise<number> {
  const used = (): number =>
    [process.pid, ...descendants(process.pid)].reduce((seconds, pid) => seconds + processorSeconds(pid), 0);
  const before = used();
  for (let count = 0; count < conversions; count++) await convert();
  return ((used() - before) * 1_000) / conversions;
}

interface Measured {
  readonly document: string;
  readonly officeMs: readonly number[];
  readonly directMs: readonly number[];
  /** Why direct layout leaves the document to LibreOffice. */
  readonly unknown?: string | undefined;
}

async function measure({ name, docx }: BenchDocument, office: OfficePool, direct: DirectPool): Promise<Measured> {
  const first = await direct.convert({ docx });
  if (first.kind !== 'made') return { document: name, officeMs: [], directMs: [], unknown: first.reason };
  await office.convert({ docx });
  const [officeMs, directMs]: [number[], number[]] = [[], []];
  for (let round = 0; round < options.rounds; round++) {
    officeMs.push(await processorMsOf(() => office.convert({ docx })));
    directMs.push(await processorMsOf(() => direct.convert({ docx })));
  }
  return { document: name, officeMs, directMs };
}

/** 0 for a document that LibreOffice has to lay out. */
function figureOf({ document, officeMs, directMs, unknown }: Measured): Figure {
  const times = unknown === undefined ? officeMs.map((ms, round) => ms / (directMs[round] ?? Number.NaN)) : [0];
  return figure(`${document}: processor time of LibreOffice / direct layout`, 'times', times, goal);
}

const frame = openFrame('pdf', ['LibreOffice'], ['harfbuzzjs']);
const measured = await withTemporaryFolder(async (folder) => {
  const direct = await createDirectPool({ processes: 1, logger });
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
    const results: Measured[] = [];
    for (const document of benchDocuments()) results.push(await measure(document, office, direct));
    return results;
  } finally {
    await Promise.all([direct.close(), office.close()]);
  }
});
publish(closeFrame(frame, { rounds: options.rounds, conversions }, measured.map(figureOf), measured), options);
