import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import PizZip from 'pizzip';
import { projectFolder } from './machine.ts';

export type Data = Readonly<Record<string, unknown>>;

/** An example template with data that has `rows` entries in its main list. */
export interface Document {
  readonly example: ExampleName;
  readonly rows: number;
  readonly template: Buffer;
  readonly data: Data;
}

export type ExampleName = 'invoice' | 'letter';

/** The list that grows with `rows`; other lists keep their length in the example. */
const mainList: Readonly<Record<ExampleName, string>> = { invoice: 'items', letter: 'paragraphs' };

export function documentOf(example: ExampleName, rows: number): Document {
  const read = (extension: string): Buffer => readFileSync(join(projectFolder, `examples/${example}.${extension}`));
  const data = JSON.parse(read('json').toString('utf8')) as Data;
  const list = data[mainList[example]];
  if (!Array.isArray(list)) throw new Error(`${example}.json has no list ${mainList[example]}`);
  const repeated = Array.from({ length: rows }, (_, index): unknown => list[index % list.length]);
  return { example, rows, template: read('docx'), data: { ...data, [mainList[example]]: repeated } };
}

/** The words of a document's body, in order. Contenders whose words differ did not do the same work. */
export function wordsOf(docx: Buffer): string {
  const xml = new PizZip(docx).file('word/document.xml')?.asText() ?? '';
  const texts = [...xml.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, text = '']) => text.trim());
  return texts.filter((text) => text !== '').join(' ');
}
