import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';

/** Returns whether a level of the template's lists has numbers rather than bullets. */
export function numberedLevels(source: DocxPackage): (list: string, level: number) => boolean {
  const name = source.partNames.find((part) => source.contentType(part)?.endsWith('.numbering+xml'));
  const xml = (name === undefined ? undefined : source.readText(name)) ?? '';
  const unnumbered = new Set<string>();
  const definitionOf = new Map<string, string>();
  let definition = '';
  let level = '';
  let list: string | undefined;
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    const value = (attribute: string) => attributeOf(xml, tag, attribute) ?? '';
    if (tag.local === 'abstractNum') definition = value('abstractNumId');
    else if (tag.local === 'num') list = value('numId');
    else if (tag.local === 'lvl') level = value('ilvl');
    else if (tag.local === 'abstractNumId' && list !== undefined) definitionOf.set(list, value('val'));
    else if (tag.local === 'numFmt' && list === undefined && ['bullet', 'none'].includes(value('val')))
      unnumbered.add(`${definition} ${level}`);
  });
  return (id, at) => {
    const own = definitionOf.get(id);
    return own !== undefined && !unnumbered.has(`${own} ${at}`);
  };
}
