import type { DocxPackage } from '../../../docx/package/open-package.ts';
import { readRelationships, relationshipsPartOf, resolveTarget } from '../../../docx/package/relationships.ts';
import { UnknownFeature } from '../unknown-feature.ts';
import type { FontOf } from './break-lines.ts';
import { layOutRow } from './lay-out-row.ts';
import type { PageSize } from './read-page.ts';
import { readTable, type TextContext } from './read-table.ts';

/** A header that fills its margin to less than this moves the text below it, or nearly so. */
const leastFreeTwips = 100;
const root = /^[\s\S]*?<([\w.-]+:)?(?:hdr|ftr)\b[^>]*>([\s\S]*)<\/\1?(?:hdr|ftr)\s*>\s*$/;
/** What has no height of its own: codes of fields, whose results are text, and places of tabs. */
const fields = /<([\w.-]+:)?(?:fldChar|fldSimple|tab|ptab)\b[^>]*>|<\/(?:[\w.-]+:)?fldSimple\s*>/g;
const codes = /<([\w.-]+:)?(instrText|tabs)\b[^>]*>[^<]*(?:<(?!\/\1?\2)[^>]*>[^<]*)*<\/\1?\2\s*>/g;

/**
 * Throws UnknownFeature unless all headers and footers of a section fit into the margins: then they do not change the height of
 * its pages.
 */
export function requireSpace(source: DocxPackage, page: PageSize, context: TextContext, fontOf: FontOf): void {
  const relations = readRelationships(source.readText(relationshipsPartOf(source.mainPart)) ?? '');
  for (const [ids, free] of [[page.headers, page.headerSpace] as const, [page.footers, page.footerSpace] as const]) {
    for (const id of ids) {
      const found = relations.find((relation) => relation.id === id && !relation.isExternal);
      const xml = found && source.readText(resolveTarget(source.mainPart, found.target));
      const height = heightOfStory(xml ?? '', page.textWidth, context, fontOf);
      if (height + leastFreeTwips > free) throw new UnknownFeature('a header or footer that fills its margin');
    }
  }
}

/** The height of paragraphs, as if they were those of a cell. */
function heightOfStory(xml: string, width: number, context: TextContext, fontOf: FontOf): number {
  const [, prefix = '', content] = root.exec(xml) ?? [];
  if (content === undefined) throw new UnknownFeature('a header that is not readable');
  const text = content.replaceAll(codes, '').replaceAll(fields, '');
  const tag = (name: string, inner: string): string => `<${prefix}${name}>${inner}</${prefix}${name}>`;
  const cell = tag('tr', tag('tc', text));
  const grid = `<${prefix}tblGrid><${prefix}gridCol ${prefix}w="${width}"/></${prefix}tblGrid>`;
  const { rows } = readTable(tag('tbl', `${tag('tblPr', '')}${grid}${cell}`), context);
  const frame = { top: 0, bottom: 0, border: 0 };
  return rows.reduce((sum, row) => sum + layOutRow(row, frame, fontOf).height, 0);
}
