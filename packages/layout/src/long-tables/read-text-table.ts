import type { WordPackage } from '@docmill/word/word-package';
import { scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import type { DocumentReader } from '../document/open-reader.ts';
import { parseElement } from '../document/parse-element.ts';
import { readGeometry } from '../document/read-section.ts';
import type { PageGeometry, Row, Table } from '../document/tree.ts';
import { childOf, type XmlElement } from '../document/xml-element.ts';
import { UnknownFeature } from '../unknown-feature.ts';

/** The location of a table in a document. */
export interface TablePlace {
  /** Byte offsets in the main part. */
  readonly start: number;
  readonly end: number;
  readonly headerRows: number;
  /** The `w:sectPr` element of its section, including inherited headers and footers. */
  readonly section: string;
}

/** A table that is only text, and its page. */
export interface TextTable {
  readonly table: Table;
  readonly geometry: PageGeometry;
  /** The relationships of the headers and footers of its section. */
  readonly headers: readonly string[];
  readonly footers: readonly string[];
}

/** A table of 10,000 rows is about 5 MB and takes about 1.5 s of CPU time. */
const mostBytes = 64 * 1024 * 1024;
const longestRootTag = 64 * 1024;
/** Properties that do not affect heights and therefore need no support. */
export const looks: ReadonlySet<string> = new Set(
  'w:jc w:shd w:color w:highlight w:u w:strike w:dstrike w:textAlignment w:tblInd'.split(' '),
);

/**
 * Reads a table and its section, but nothing else of the main part, because the rest of the document may have
 * unsupported features. Throws UnknownFeature if the table has more than text, or has rows for which page ends are
 * unknown.
 */
export function readTextTable(source: WordPackage, reader: DocumentReader, place: TablePlace): TextTable {
  if (place.end - place.start > mostBytes) throw new UnknownFeature('a very large table');
  const [element, section] = parsePlace(source.read(source.mainPart) ?? Buffer.alloc(0), place);
  const [table, ...others] = element === undefined ? [] : reader.readBlock(element);
  if (table?.kind !== 'table' || others.length > 0 || section === undefined) throw new UnknownFeature('no table');
  if (element?.children.some(leavesOutColumns)) throw new UnknownFeature('a row that leaves out columns');
  table.rows.forEach(requireKnownHeight);
  if (section.children.some(hasGridOfLines)) throw new UnknownFeature('a grid of lines');
  const idsOf = (name: string): string[] =>
    section.children.filter((child) => child.name === name).map(({ attributes }) => attributes.get('r:id') ?? '');
  return {
    table,
    geometry: readGeometry(section),
    headers: idsOf('w:headerReference'),
    footers: idsOf('w:footerReference'),
  };
}

/** The table and the section as children of the part's root, which declares their prefixes. */
function parsePlace(part: Buffer, { start, end, section }: TablePlace): readonly XmlElement[] {
  const head = part.toString('utf8', 0, Math.min(start, longestRootTag));
  let root: XmlTag | undefined;
  scanXmlTags(head, (tag) => {
    root ??= tag;
  });
  if (root === undefined) throw new UnknownFeature('a document without a root');
  return parseElement(`${head.slice(root.start, root.end)}${part.toString('utf8', start, end)}${section}`, looks)
    .children;
}

function leavesOutColumns(row: XmlElement): boolean {
  const properties = childOf(row, 'w:trPr');
  return properties?.children.some(({ name }) => name === 'w:gridBefore' || name === 'w:gridAfter') ?? false;
}

/** It is not known where LibreOffice ends a page in other rows. */
function requireKnownHeight({ height, isExact, cells }: Row): void {
  if (height > 0 && !isExact) throw new UnknownFeature('a row with a minimum height');
  if (cells.some(({ alignment }) => alignment !== 'top')) throw new UnknownFeature('text in the middle of a cell');
  if (cells.some(({ rowSpan }) => rowSpan !== 1)) throw new UnknownFeature('a cell of several rows');
}

function hasGridOfLines({ name, attributes }: XmlElement): boolean {
  return name === 'w:docGrid' && /lines|snap/i.test(attributes.get('w:type') ?? '');
}
