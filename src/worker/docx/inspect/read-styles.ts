import type { DocxPackage } from '../package/open-package.ts';
import { attributeOf, scanTags } from '../package/xml-tokens.ts';

const stylesType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml';

interface Style {
  readonly start: number;
  readonly isDefault: boolean;
  basedOn: string | undefined;
  xml: string;
}

/** The XML of the document defaults, and of each style that is used, is a default, or is the base of one that is. */
export function readStyles(
  source: DocxPackage,
  usedIds: ReadonlySet<string>,
): { readonly defaults: string; readonly used: readonly string[] } {
  const name = source.partNames.find((part) => source.contentType(part) === stylesType);
  const { defaults, styles } = parseStyles(name === undefined ? '' : (source.readText(name) ?? ''));
  const pending = [...usedIds];
  for (const [id, style] of styles) if (style.isDefault) pending.push(id);
  const used = new Set<Style>();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const style = styles.get(id);
    if (style === undefined || used.has(style)) continue;
    used.add(style);
    if (style.basedOn !== undefined) pending.push(style.basedOn);
  }
  return { defaults, used: Array.from(used, (style) => style.xml) };
}

function parseStyles(xml: string): { defaults: string; styles: ReadonlyMap<string, Style> } {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  let defaults = '';
  let defaultsStart = 0;
  scanTags(xml, (tag) => {
    if (tag.local === 'docDefaults') {
      if (tag.kind === 'open') defaultsStart = tag.start;
      if (tag.kind === 'close') defaults = xml.slice(defaultsStart, tag.end);
    } else if (tag.local === 'style' && tag.kind === 'open') {
      const isDefault = ['1', 'true', 'on'].includes(attributeOf(xml, tag, 'default') ?? '');
      style = { start: tag.start, isDefault, basedOn: undefined, xml: '' };
      styles.set(attributeOf(xml, tag, 'styleId') ?? '', style);
    } else if (tag.local === 'style' && style !== undefined) {
      style.xml = xml.slice(style.start, tag.end);
      style = undefined;
    } else if (tag.local === 'basedOn' && style !== undefined) {
      style.basedOn = attributeOf(xml, tag, 'val');
    }
  });
  return { defaults, styles };
}
