import { buildDocx, paragraph, run, table } from './docx-builder.ts';

/**
 * A template whose data keeps a render process or LibreOffice busy for long, although every request is small and valid.
 */
export interface SlowDocument {
  readonly template: Buffer;
  /** Other data for each `index`, all of it equally slow. */
  data(index: number): Readonly<Record<string, unknown>>;
}

const head = paragraph('{canary} {order}');

/** One table cell. LibreOffice's time grows with the square of its paragraphs: 20,000 take 14 s, a few are quick. */
export function longCell(paragraphs: number): SlowDocument {
  return {
    template: buildDocx({ body: head + table([[['{#items}', '{.}', '{/items}'].map(paragraph).join('')]]) }),
    data: (index) => ({ order: `cell-${index}`, items: Array.from({ length: paragraphs }, (_, each) => each % 10) }),
  };
}

/** Short paragraphs: LibreOffice takes 12 s for 100,000 of them, 24 s for 190,000. */
export function manyParagraphs(count: number): SlowDocument {
  return {
    template: buildDocx({ body: head + ['{#items}', '{.}', '{/items}'].map(paragraph).join('') }),
    data: (index) => ({ order: `paragraphs-${index}`, items: Array.from({ length: count }, (_, each) => each % 10) }),
  };
}

/**
 * Compares two strings that differ in their last character, once for each item. With 3 MB and 150,000 items, this takes
 * more than the limit of 10 s.
 */
export function longComparison(items: number, textBytes: number): SlowDocument {
  const text = 'x'.repeat(textBytes);
  return {
    template: buildDocx({ body: head + paragraph('{#items}{s == t}{/items}') }),
    data: (index) => ({
      order: `comparison-${index}`,
      items: Array.from({ length: items }, () => 0),
      s: `${text}a`,
      t: `${text}b`,
    }),
  };
}

/** A small template with three elements for each paragraph; 600,000 paragraphs take two to three seconds to check. */
export function longUpload(paragraphs: number, index: number): Buffer {
  return buildDocx({ body: paragraph(`{canary} {order} ${index}`) + `<w:p>${run('a')}</w:p>`.repeat(paragraphs) });
}
