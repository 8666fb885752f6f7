import { escapeAttribute, escapeText } from '@docmill/word/escape-xml';
import { decodeEntities, textContent } from '@docmill/word/xml-tokens';
import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { delimiterPattern } from '../../language/delimiters.ts';
import type { DocxPackage } from '../../package/open-package.ts';
import { overlayPackage } from '../../package/overlay-package.ts';
import { isTemplatedPart } from './templated-parts.ts';

/** A path of VML (ECMA-376 part 4, 19.1.2.23) along which a text is drawn, as in the watermarks of Word. */
const path = /<((?:\w+:)?textpath)\b([^<>]*?)\bstring=(?:"([^"<]*)"|'([^'<]*)')([^<>]*?)(?:\/>|>\s*<\/\1>)/g;
/** A path with its text as content, empty where it was an attribute. */
const exposed = /<((?:\w+:)?textpath)\b([^<>]*?)\bstring=""([^<>]*?)>(<w:r>.*?)<\/\1>/gs;

/** Moves texts with tags from attributes of WordArt into runs, where tags are filled like all others. */
export function exposeWordArt(source: DocxPackage, { open }: Delimiters): DocxPackage {
  const opening = new RegExp(delimiterPattern(open));
  const changes = new Map<string, Buffer>();
  for (const name of source.partNames.filter((part) => isTemplatedPart(source, part))) {
    const xml = source.readText(name) ?? '';
    if (!xml.includes('textpath')) continue;
    const changed = xml.replace(path, (found, element, before, inDouble, inSingle, after) => {
      const text = decodeEntities(inDouble ?? inSingle ?? '');
      if (!opening.test(text)) return found;
      const run = `<w:r><w:t xml:space="preserve">${escapeText(text)}</w:t></w:r>`;
      return `<${element}${before}string=""${after}>${run}</${element}>`;
    });
    if (changed !== xml) changes.set(name, Buffer.from(changed));
  }
  return changes.size === 0 ? source : overlayPackage(source, changes);
}

/** The parts in which `exposeWordArt` moved texts. */
export function partsWithWordArt(source: DocxPackage): string[] {
  return source.partNames.filter((name) => {
    const xml = isTemplatedPart(source, name) ? (source.readText(name) ?? '') : '';
    return xml.includes('textpath') && xml.search(exposed) >= 0;
  });
}

/** The filled parts with the texts of WordArt as attributes again. */
export function restoreWordArt(
  source: DocxPackage,
  filled: ReadonlyMap<string, Buffer>,
  names: readonly string[],
): ReadonlyMap<string, Buffer> {
  if (names.length === 0) return filled;
  const changed = new Map(filled);
  for (const name of names) {
    const xml = filled.get(name)?.toString('utf8') ?? source.readText(name) ?? '';
    const restored = xml.replace(exposed, (_found, element, before, after, content: string) => {
      const text = textContent(content.replace(/<w:(?:br|tab)\/>/g, ' '));
      return `<${element}${before}string="${escapeAttribute(text)}"${after}/>`;
    });
    changed.set(name, Buffer.from(restored, 'utf8'));
  }
  return changed;
}
