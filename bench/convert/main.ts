import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Contender, carbone, convertTo, docmill, floor } from './contenders.ts';
import { type BenchDocument, benchDocuments } from './documents.ts';
import { type Endurance, endure } from './endurance.ts';

interface Row {
  readonly document: string;
  readonly contender: string;
  /** Milliseconds a document, the median over the rounds. */
  readonly msPerDocument: number;
  /** How many times the throughput of the reference. */
  readonly timesFloor: number;
  readonly timesConvertTo: number;
  readonly timesCarbone: number;
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '7' },
    conversions: { type: 'string', default: '2000' },
  },
});
const rounds = Number(values.rounds);
const slots = Math.max(2, availableParallelism());
const folder = await mkdtemp(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'docmill-bench-'));

try {
  const documents = benchDocuments();
  const rows = await compare(documents);
  const endurance = await endure(
    documents[0]?.docx ?? Buffer.alloc(0),
    Number(values.conversions),
    join(folder, 'long'),
  );
  report(rows, endurance);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compare(documents: readonly BenchDocument[]): Promise<Row[]> {
  const one = await docmill(1, join(folder, 'one'));
  const many = await docmill(slots, join(folder, 'many'));
  const bare = await floor(join(folder, 'floor'));
  const single = await convertTo(join(folder, 'single'));
  const other = await carbone(slots, join(folder, 'carbone'));
  const all = [one, many, bare, single, other];
  try {
    const rows: Row[] = [];
    for (const document of documents) {
      const ms = await measure(document, all);
      const of = (contender: Contender): number => ms.get(contender) ?? Number.NaN;
      for (const contender of all) {
        rows.push({
          document: document.name,
          contender: contender.name,
          msPerDocument: of(contender),
          timesFloor: of(bare) / of(contender),
          timesConvertTo: of(single) / of(contender),
          timesCarbone: of(other) / of(contender),
        });
      }
    }
    return rows;
  } finally {
    for (const contender of all) await contender.close();
  }
}

/** The contenders take turns, so that what else the machine does falls on all of them alike. */
async function measure(document: BenchDocument, all: readonly Contender[]): Promise<Map<Contender, number>> {
  const samples = new Map<Contender, number[]>(all.map((contender) => [contender, []]));
  for (const contender of all) await contender.convert(document, Math.min(3, document.perRound));
  for (let round = 0; round < rounds; round++) {
    for (const contender of all) {
      const count = contender.name.startsWith('soffice') ? 1 : document.perRound;
      samples.get(contender)?.push((await contender.convert(document, count)) / count);
    }
  }
  return new Map([...samples].map(([contender, times]) => [contender, median(times)]));
}

function report(rows: readonly Row[], endurance: Endurance): void {
  if (values.json) {
    process.stdout.write(
      `${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, rounds, slots, rows, endurance })}\n`,
    );
    return;
  }
  for (const row of rows) {
    const ratios = [`${row.timesFloor.toFixed(2)}x floor`, `${row.timesConvertTo.toFixed(1)}x convert-to`];
    process.stdout.write(
      `${row.document}, ${row.contender}: ${ratios.join(', ')}, ${row.timesCarbone.toFixed(2)}x carbone\n`,
    );
  }
  const { conversions, p95Growth, residentGrowth, descriptorGrowth, fileGrowth } = endurance;
  process.stdout.write(
    `${conversions} in a row: p95 x${p95Growth.toFixed(2)}, memory x${residentGrowth.toFixed(2)}, ` +
      `descriptors ${descriptorGrowth >= 0 ? '+' : ''}${descriptorGrowth}, files ${fileGrowth >= 0 ? '+' : ''}${fileGrowth}\n`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
