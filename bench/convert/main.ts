import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { inFolder } from '../harness/folder.ts';
import { readOptions } from '../harness/options.ts';
import { closeFrame, type Figure, figure, openFrame, print } from '../harness/report.ts';
import { alternate, samplesOf } from '../harness/rounds.ts';
import { byRound } from '../harness/statistics.ts';
import { type Contender, carbone, convertTo, docmill, floor } from './contenders.ts';
import { type BenchDocument, benchDocuments } from './documents.ts';
import { type Endurance, endure } from './endurance.ts';

/** Milliseconds a document, by contender and round. */
type Samples = ReadonlyMap<string, readonly number[]>;

const options = readOptions({ rounds: 7, quickRounds: 3, own: ['conversions'] });
const conversions = Number(options.own.conversions ?? (options.quick ? 100 : 2_000));
const slots = Math.max(2, availableParallelism());

async function compare(documents: readonly BenchDocument[], folder: string): Promise<Map<string, Samples>> {
  const all = [
    await docmill(1, join(folder, 'one')),
    await docmill(slots, join(folder, 'many')),
    await floor(join(folder, 'floor')),
    await convertTo(join(folder, 'single')),
    await carbone(slots, join(folder, 'carbone')),
  ];
  try {
    const found = new Map<string, Samples>();
    for (const document of documents) found.set(document.name, await measure(document, all));
    return found;
  } finally {
    for (const contender of all) await contender.close();
  }
}

async function measure(document: BenchDocument, all: readonly Contender[]): Promise<Samples> {
  for (const contender of all) await contender.convert(document, Math.min(3, document.perRound));
  const sides = all.map((contender) => ({
    name: contender.name,
    async run() {
      const count = contender.name.startsWith('soffice') ? 1 : document.perRound;
      return (await contender.convert(document, count)) / count;
    },
  }));
  return await alternate(sides, options.rounds);
}

/** What this service's slots come to against each of the others, as throughput. */
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
    figure(`descriptors more, ${after}`, '', [descriptorGrowth]),
    figure(`files more, ${after}`, '', [fileGrowth]),
  ];
}

const frame = openFrame('convert', ['LibreOffice'], ['carbone']);
const { samples, endurance } = await inFolder(async (folder) => {
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
print(closeFrame(frame, settings, [...figures, ...enduranceFigures(endurance)], raw), options);
