import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import Docxtemplater from 'docxtemplater';
import PizZip from 'pizzip';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render/render-template.ts';

interface Side {
  readonly name: string;
  readonly run: () => number;
}

const rowCounts = [10, 100, 1000, 10_000];
const rounds = 9;
const plainName = 'docxtemplater + pizzip';
const templatePath = new URL('../../examples/invoice.docx', import.meta.url);
const dataPath = new URL('../../examples/invoice.json', import.meta.url);

/** Renders the invoice with n rows on one core: this service's renderer, cold and warm, and docxtemplater with pizzip. */
function main(): void {
  const template = readFileSync(templatePath);
  const data = JSON.parse(readFileSync(dataPath, 'utf8')) as Record<string, unknown>;
  const results = rowCounts.map((rows) => {
    const samples = measure(sides(template, Buffer.from(JSON.stringify(withRows(data, rows)))), rows);
    const plainMs = median(samples.get(plainName) ?? []);
    const byName = Array.from(samples, ([name, all]) => {
      return { name, medianMs: median(all), timesPlain: plainMs / median(all), samplesMs: all };
    });
    return { rows, sides: byName };
  });
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ node: process.version, cpu: cpus()[0]?.model, rounds, results })}\n`);
    return;
  }
  for (const { rows, sides: all } of results) {
    const times = all.map((side) => `${side.name} ${side.medianMs.toFixed(2)} ms (${side.timesPlain.toFixed(1)}x)`);
    process.stdout.write(`${rows} rows: ${times.join(', ')}\n`);
  }
}

function sides(template: Buffer, data: Buffer): Side[] {
  const prepared = prepareTemplate(template, 'docx');
  return [
    { name: 'warm', run: () => renderTemplate(prepared, data).file.length },
    { name: 'cold', run: () => renderTemplate(prepareTemplate(template, 'docx'), data).file.length },
    { name: plainName, run: () => renderPlain(template, data) },
  ];
}

function renderPlain(template: Buffer, data: Buffer): number {
  const options = {
    paragraphLoop: true,
    linebreaks: true,
    errorLogging: false,
    nullGetter: () => '',
    parser: dottedPath,
  };
  return new Docxtemplater(new PizZip(template), options).render(JSON.parse(data.toString('utf8'))).toBuffer().length;
}

/** The least a docxtemplater user writes to have dotted paths. */
function dottedPath(tag: string): { get: (scope: unknown) => unknown } {
  const keys = tag.split('.');
  const step = (value: unknown, key: string) => (value as Record<string, unknown> | undefined)?.[key];
  return { get: (scope) => (tag === '.' ? scope : keys.reduce(step, scope)) };
}

function withRows(data: Record<string, unknown>, rows: number): Record<string, unknown> {
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  const repeated = lists.map(([key, list]) => [key, Array.from({ length: rows }, (_, i) => list[i % list.length])]);
  return { ...data, ...Object.fromEntries(repeated) };
}

function measure(all: readonly Side[], rows: number): Map<string, number[]> {
  const samples = new Map<string, number[]>(all.map(({ name }) => [name, []]));
  const repeats = Math.max(1, Math.floor(1000 / rows));
  for (const side of all) for (let i = 0; i < repeats; i++) side.run();
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of all) {
      const startMs = performance.now();
      for (let i = 0; i < repeats; i++) run();
      samples.get(name)?.push((performance.now() - startMs) / repeats);
    }
  }
  return samples;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

main();
