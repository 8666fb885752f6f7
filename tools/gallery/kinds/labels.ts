import type { Texts } from '../texts/en.ts';
import { type Page, paragraph, section, table } from '../word.ts';

/** A sheet of 21 labels of 63.5 × 38.1 mm, as sold under L7160: three in a row, with gaps between the columns. */
const [labelWidth, labelHeight, space, rows] = [3600, 2160, 142, 7];

export function labels(texts: Texts): Page {
  const columns = [labelWidth, space, labelWidth, space, labelWidth].map((width) => ({ width }));
  const lines = ['{street}', ...texts.cityLines()];
  const last = lines.length - 1;
  const label = [
    paragraph('LabelName', '{#recipients | grid}{name}'),
    section('#company', paragraph('LabelLine', '{company}'), 'LabelLine'),
    ...lines.map((line, at) => paragraph('LabelLine', at === last ? `${line}{/}` : line)),
  ].join('');
  const empty = paragraph('Gap', '');
  const cells = (row: number): string[] => columns.map((_, column) => (row + column === 0 ? label : empty));
  const sheet = Array.from({ length: rows }, (_, row) => ({ cells: cells(row), heightTwips: labelHeight }));
  return {
    body: table('Columns', columns, texts.labels.caption, sheet, 'center') + paragraph('Gap', ''),
    margins: [856, 408, 567, 408],
  };
}
