import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './machine.ts';

export type Data = Readonly<Record<string, unknown>>;

/** An example as a template, with data that has so many rows in its main list. */
export interface Document {
  readonly example: ExampleName;
  readonly rows: number;
  readonly template: Buffer;
  readonly data: Data;
}

export type ExampleName = 'invoice' | 'letter';

/** The list that grows: lines of the invoice, paragraphs of the letter. The others stay as they are in the example. */
const mainList: Readonly<Record<ExampleName, string>> = { invoice: 'items', letter: 'paragraphs' };

export function documentOf(example: ExampleName, rows: number): Document {
  const read = (extension: string): Buffer => readFileSync(join(projectFolder, `examples/${example}.${extension}`));
  const data = JSON.parse(read('json').toString('utf8')) as Data;
  const list = data[mainList[example]];
  if (!Array.isArray(list)) throw new Error(`${example}.json has no list ${mainList[example]}`);
  const repeated = Array.from({ length: rows }, (_, index): unknown => list[index % list.length]);
  return { example, rows, template: read('docx'), data: { ...data, [mainList[example]]: repeated } };
}
