import { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';
import { isSvgPart, isXmlPart } from '../package/part-kind.ts';
import { type AccountFamily, toFontKey } from './account-family.ts';
import { declareFonts } from './declare-fonts.ts';

export interface AccountFontUse {
  /** Changed and new parts. The converter also needs a part for each font: see `fontPartName`. */
  readonly changes: ReadonlyMap<string, Uint8Array>;
  /** The aliases of the families that the document names. */
  readonly aliases: readonly string[];
}

/** Elements that name fonts in WordprocessingML, DrawingML and Office Math. */
const namingElements = new Set(['rFonts', 'sym', 'latin', 'ea', 'cs', 'font', 'buFont', 'mathFont']);
const namingAttributes = new Set(['ascii', 'hAnsi', 'eastAsia', 'cs', 'font', 'typeface', 'val']);
const dataFolder = /^(?:customxml|docprops)\//i;

/**
 * Lets a document use fonts of the account in the converter: replaces the names of the families by their aliases, and
 * declares the aliases as embedded fonts (ECMA-376 part 1, 17.8.1). Leaves a document unchanged if it names none of
 * them.
 */
export function useAccountFonts(docx: DocxPackage, families: readonly AccountFamily[]): AccountFontUse {
  const byName = new Map(families.flatMap((family) => family.names.map((name) => [name, family] as const)));
  const mention = toPattern([...byName.keys()]);
  const changes = new Map<string, Uint8Array>();
  const used = new Set<AccountFamily>();
  for (const name of docx.partNames) {
    if (!isXmlPart(docx, name) || isSvgPart(docx, name) || /\.rels$/i.test(name) || dataFolder.test(name)) continue;
    const xml = docx.readText(name) ?? '';
    if (!mention.test(xml)) continue;
    const edits = new TextEdits();
    scanXmlTags(xml, (tag) => {
      if (tag.kind === 'close' || !namingElements.has(tag.local)) return;
      for (const { local, value, valueStart, end } of readAttributes(xml, tag)) {
        const family = namingAttributes.has(local) ? byName.get(toFontKey(value)) : undefined;
        if (family === undefined) continue;
        used.add(family);
        edits.replace(valueStart, end - 1, family.alias);
      }
    });
    if (!edits.isEmpty) changes.set(name, Buffer.from(edits.apply(xml)));
  }
  if (used.size === 0) return { changes, aliases: [] };
  for (const [name, content] of declareFonts(docx, [...used])) changes.set(name, content);
  return { changes, aliases: Array.from(used, ({ alias }) => alias) };
}

/** A pattern for the parts that may name a font. Names that XML can spell in several ways match every part. */
function toPattern(names: readonly string[]): RegExp {
  const isPlain = names.every((name) => /^[\w .-]+$/.test(name));
  return isPlain ? new RegExp(names.map((name) => name.replaceAll('.', '\\.')).join('|'), 'i') : /(?:)/;
}
