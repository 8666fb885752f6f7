import { readFileSync } from 'node:fs';
import { prepareTemplate, renderTemplate } from '../../src/worker/docx/render-template.ts';
import { buildDocx, paragraph, table } from '../../test/support/documents/docx-builder.ts';

export interface BenchDocument {
  readonly name: string;
  readonly docx: Buffer;
  /** How many of it one contender converts in one round. */
  readonly perRound: number;
}

const examples = ['invoice', 'contract', 'letter', 'report'];

/** What is measured: one page of text, the examples filled with their data, and tables. */
export function benchDocuments(): BenchDocument[] {
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
  const cells = Array.from({ length: rows }, (_unused, i) => [`${i + 1}`, `Item ${i}`, '2', '19.90', '39.80']);
  return buildDocx({ body: table([['No.', 'Item', 'Quantity', 'Price', 'Sum'], ...cells]) });
}
