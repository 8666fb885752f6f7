import { scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';
import { attributesOf, type FontNames } from './requested-font.ts';
import type { ShownText } from './scan-text.ts';

interface Level {
  text: string;
  fonts: FontNames | undefined;
}

/**
 * The bullets and texts of the numbering levels that a paragraph or style uses. Word's own templates define many more.
 */
export function numberingTexts(source: DocxPackage, xml: string): ShownText[] {
  const used = usedNumberings(source);
  const levels = new Map<string, Level[]>();
  const abstractOf = new Map<string, string>();
  let abstract: Level[] | undefined;
  let number = '';
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    const values = () => attributesOf(xml, tag);
    if (tag.local === 'abstractNum') {
      abstract = [];
      levels.set(values().get('abstractNumId') ?? '', abstract);
    } else if (tag.local === 'num') {
      number = values().get('numId') ?? '';
      abstract = [];
      levels.set(`override ${number}`, abstract);
    } else if (tag.local === 'abstractNumId') abstractOf.set(number, values().get('val') ?? '');
    else if (tag.local === 'lvl') abstract?.push({ text: '', fonts: undefined });
    else if (tag.local === 'lvlText') {
      const level = abstract?.at(-1);
      if (level !== undefined) level.text = values().get('val') ?? '';
    } else if (tag.local === 'rFonts') {
      const level = abstract?.at(-1);
      if (level !== undefined) level.fonts ??= values();
    }
  });
  const found = new Set<Level>();
  for (const id of used)
    for (const level of [...(levels.get(abstractOf.get(id) ?? '') ?? []), ...(levels.get(`override ${id}`) ?? [])])
      found.add(level);
  return Array.from(found, ({ text, fonts }) => ({
    text,
    format: { fonts, characterStyle: undefined, paragraphStyle: undefined },
  }));
}

/** The `w:numId` values in all parts with text, and in styles. */
function usedNumberings(source: DocxPackage): Set<string> {
  const used = new Set<string>();
  for (const name of source.partNames) {
    if (
      !/wordprocessingml\.(?:document\.main|header|footer|footnotes|endnotes|styles)\+xml$/.test(
        source.contentType(name) ?? '',
      )
    )
      continue;
    const xml = source.readText(name) ?? '';
    for (const [, id = ''] of xml.matchAll(/<(?:\w+:)?numId\s[^>]*?val\s*=\s*["'](\d+)["']/g)) used.add(id);
  }
  return used;
}
