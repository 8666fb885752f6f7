import type { TemplateSyntax } from '../../../../shared/template-syntax.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import type { DelimitedPart } from './delimit-tags.ts';
import { withPlainTags } from './plain-tags.ts';

export interface TemplatedPart extends DelimitedPart {
  readonly name: string;
  readonly contentType: string;
  /** The name by which authors know the part: `body`, `header 1`, `footnotes`, `chart 1`. */
  readonly label: string;
  /** Whether the part is filled where another part shows it, once per place, like a chart or a footnote. */
  readonly isEmbedded: boolean;
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const office = 'application/vnd.openxmlformats-officedocument';

/** Content types whose text is filled, in the order in which errors are listed. */
const labels: readonly (readonly [contentType: string, label: string, isNumbered: boolean])[] = [
  [`${word}.document.main+xml`, 'body', false],
  [`${word}.header+xml`, 'header', true],
  [`${word}.footer+xml`, 'footer', true],
  [`${word}.footnotes+xml`, 'footnotes', false],
  [`${word}.endnotes+xml`, 'endnotes', false],
  [`${word}.comments+xml`, 'comments', false],
  [`${office}.drawingml.diagramData+xml`, 'diagram', true],
  ['application/vnd.ms-office.drawingml.diagramDrawing+xml', 'diagram drawing', true],
  [`${office}.drawingml.chart+xml`, 'chart', true],
  ['application/vnd.ms-office.chartex+xml', 'extended chart', true],
  ['application/vnd.openxmlformats-package.core-properties+xml', 'document properties', false],
  [`${office}.extended-properties+xml`, 'extended properties', false],
  [`${office}.custom-properties+xml`, 'custom properties', false],
];
/** Kinds of parts that another part shows, as a whole or note by note. Sections may show the same any number of times. */
const embedded: ReadonlySet<string> = new Set([
  `${word}.footnotes+xml`,
  `${word}.endnotes+xml`,
  `${word}.comments+xml`,
  `${office}.drawingml.chart+xml`,
  'application/vnd.ms-office.chartex+xml',
]);
const coverPage = 'xmlns="http://schemas.microsoft.com/office/2006/coverPageProps"';

/** Whether tags are filled in a part of this content type. */
export function isTemplatedPart(source: DocxPackage, name: string): boolean {
  return labels.some(([type]) => type.toLowerCase() === source.contentType(name));
}

/** The parts in which tags are filled: body, headers, footers, notes, comments, diagrams, charts, properties. */
export function templatedParts(source: DocxPackage, syntax: TemplateSyntax): TemplatedPart[] {
  const found: (TemplatedPart & { rank: number; number: number })[] = [];
  for (const name of source.partNames) {
    const contentType = source.contentType(name) ?? 'application/xml';
    const rank = labels.findIndex(([type]) => type.toLowerCase() === contentType);
    const isCoverPage = rank === -1 && /^customXml\/item\d+\.xml$/i.test(name);
    if (rank === -1 && !isCoverPage) continue;
    const xml = source.readText(name) ?? '';
    if (isCoverPage && !xml.includes(coverPage)) continue;
    const [, label = 'cover page', isNumbered = false] = labels[rank] ?? [];
    const number = Number(/(\d+)\.xml$/i.exec(name)?.[1] ?? 0);
    const numbered = isNumbered && number > 0 ? `${label} ${number}` : label;
    found.push({
      name,
      contentType,
      label: numbered,
      ...withPlainTags(xml, syntax),
      isEmbedded: embedded.has(contentType),
      rank: isCoverPage ? labels.length : rank,
      number,
    });
  }
  found.sort((a, b) => a.rank - b.rank || a.number - b.number || (a.name < b.name ? -1 : 1));
  return found.map(({ rank: _rank, number: _number, ...part }) => part);
}
