import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../test/support/documents/docx-builder.ts';
import { installContenders } from '../contenders/packages.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, type Figure, figure, openFrame, publish } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { byRound } from '../harness/statistics.ts';
import { withTemporaryFolder } from '../harness/temporary-folder.ts';
import { type BenchDocument, bareLibreOffice, type Converter, carbone, convertTo, docmill } from './contenders.ts';
import { type Endurance, endure } from './endurance.ts';

/** Milliseconds per document, by contender and round. */
type Samples = ReadonlyMap<string, readonly number[]>;

const options = readOptions({ rounds: 7, quickRounds: 3, values: ['conversions'] });
const conversions = Number(options.values.conversions ?? (options.quick ? 100 : 2_000));
const slots = Math.max(2, availableParallelism());

/** A page of text, the examples filled with their data, and tables. */
function benchDocuments(): BenchDocument[] {
  const examples = ['invoice', 'contract', 'letter', 'report'];
  return [
    { name: 'one page', docx: buildDocx({ body: paragraph('One page of text.').repeat(20) }), perRound: 20 },
    ...examples.map((name) => ({ name, docx: filledExample(name), perRound: 10 })),
    { name: 'table of 100 rows', docx: tableOf(100), perRound: 10 },
    { name: 'table of 1000 rows', docx: tableOf(1_000), perRound: 2 },
  ];
}

function filledExample(name: string): Buffer {
  const read = (file: string): Buffer => readFileSync(new URL(`../../examples/${file}`, import.meta.url));
  const template = prepareTemplate(read(`${name}.docx`), 'pdf');
  return Buffer.from(renderTemplate(template, read(`${name}.json`)).file);
}

function tableOf(rows: number): Buffer {
  const cells = Array.from({ length: rows }, (_, index) => [`${index + 1}`, `Item ${index}`, '2', '19.90', '39.80']);
  return buildDocx({ body: table([['No.', 'Item', 'Quantity', 'Price', 'Sum'], ...cells]) });
}

async function compare(documents: readonly BenchDocument[], folder: string): Promise<Map<string, Samples>> {
  const converters = [
    await docmill(1, join(folder, 'one')),
    await docmill(slots, join(folder, 'many')),
    await bareLibreOffice(join(folder, 'floor')),
    await convertTo(join(folder, 'single')),
    await carbone(slots, join(folder, 'carbone')),
  ];
  try {
    const found = new Map<string, Samples>();
    for (const document of documents) found.set(document.name, await measure(document, converters));
    return found;
  } finally {
    for (const converter of converters) await converter.close();
  }
}

async function measure(document: BenchDocument, converters: readonly Converter[]): Promise<Samples> {
  for (const converter of converters) await converter.convert(document, Math.min(3, document.perRound));
  const contenders = converters.map((converter) => ({
    name: converter.name,
    async run() {
      const count = converter.name.startsWith('soffice') ? 1 : document.perRound;
      return (await converter.convert(document, count)) / count;
    },
  }));
  return await alternate(contenders, options.rounds);
}

/** The throughput of this service's slots relative to each other contender. */
function figuresOf(document: string, samples: Samples): Figure[] {
  const names = [...samples.keys()];
  const ours = names.filter((name) => name.startsWith('docmill'));
  const theirs = names.filter((name) => !name.startsWith('docmill'));
  return ours.flatMap((our) =>
    theirs.map((their) => {
      const times = byRound(samplesOf(samples, our), samplesOf(samples, their), (a, b) => b / a);
      return figure(`${document}: ${our} / ${their}`, 'times', times);
    }),
  );
}

function enduranceFigures({ p95Growth, residentGrowth, descriptorGrowth, fileGrowth }: Endurance): Figure[] {
  const after = `after ${conversions} conversions in a row`;
  return [
    figure(`p95, ${after}: last tenth / first`, 'times', [p95Growth]),
    figure(`memory of the slot, ${after}: last quarter / first`, 'times', [residentGrowth]),
    figure(`additional descriptors ${after}`, '', [descriptorGrowth]),
    figure(`additional files ${after}`, '', [fileGrowth]),
  ];
}

installContenders();
const frame = openFrame('convert', ['LibreOffice'], ['carbone']);
const { samples, endurance } = await withTemporaryFolder(async (folder) => {
  const documents = benchDocuments();
  return {
    samples: await compare(documents, folder),
    endurance: await endure(documents[0]?.docx ?? Buffer.alloc(0), conversions, join(folder, 'long')),
  };
});
const figures = [...samples].flatMap(([document, each]) => figuresOf(document, each));
const raw = {
  msPerDocument: Object.fromEntries(Array.from(samples, ([name, each]) => [name, Object.fromEntries(each)])),
  endurance,
};
const settings = { rounds: options.rounds, slots, conversions };
publish(closeFrame(frame, settings, [...figures, ...enduranceFigures(endurance)], raw), options);
