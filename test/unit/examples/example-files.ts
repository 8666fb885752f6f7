import { readFileSync } from 'node:fs';
import PizZip from 'pizzip';

export const exampleNames = ['certificate', 'contract', 'invoice', 'letter', 'report'] as const;
export type ExampleName = (typeof exampleNames)[number];

const folder = new URL('../../../examples/', import.meta.url);

export const templateBytes = (name: ExampleName): Buffer => readFileSync(new URL(`${name}.docx`, folder));

export const exampleData = (name: ExampleName): unknown =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));

const storyPart = /^word\/(document|header\d+|footer\d+|footnotes)\.xml$/;

/** The visible text of each story (body, header, footer), paragraph by paragraph. */
export function visibleText(docx: Buffer): string {
  const zip = new PizZip(docx);
  return Object.keys(zip.files)
    .filter((name) => storyPart.test(name))
    .map((name) => paragraphsOf(zip.file(name)?.asText() ?? ''))
    .join('\n');
}

const paragraphsOf = (xml: string): string =>
  xml
    .split('</w:p>')
    .map((paragraph) => [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)<\/w:t>/g)].map(([, text]) => text).join(''))
    .map((text) =>
      text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
    )
    .join('\n');
