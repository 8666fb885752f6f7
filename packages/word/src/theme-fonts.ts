import type { WordPackage } from './word-package.ts';
import { attributeOf, scanXmlTags } from './xml-tokens.ts';

/** Font names by the values of ST_Theme: `minorHAnsi`, `majorEastAsia` … */
export type ThemeFonts = ReadonlyMap<string, string>;

const themeType = 'application/vnd.openxmlformats-officedocument.theme+xml';
const slots: Readonly<Record<string, readonly string[]>> = {
  latin: ['Ascii', 'HAnsi'],
  ea: ['EastAsia'],
  cs: ['Bidi'],
};

/** The name of the part with the document's theme; undefined without one. */
export function themePartOf(source: WordPackage): string | undefined {
  return source.partNames.find((part) => source.contentType(part) === themeType);
}

/** The fonts of the document's theme; empty without one. */
export function readThemeFonts(source: WordPackage): ThemeFonts {
  const name = themePartOf(source);
  const xml = name === undefined ? '' : (source.readText(name) ?? '');
  const fonts = new Map<string, string>();
  let group = '';
  scanXmlTags(xml, (tag) => {
    if (tag.local === 'majorFont' || tag.local === 'minorFont') {
      group = tag.kind === 'open' ? tag.local.slice(0, 5) : '';
    } else if (group !== '' && tag.kind !== 'close') {
      const typeface = attributeOf(xml, tag, 'typeface') ?? '';
      for (const slot of slots[tag.local] ?? []) if (typeface !== '') fonts.set(group + slot, typeface);
    }
  });
  return fonts;
}
