import { readThemeFonts, type ThemeFonts } from '@docmill/word/theme-fonts';
import { attributeOf, readAttributes, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../package/open-package.ts';

const storyTypes = ['document.main', 'header', 'footer', 'footnotes', 'endnotes', 'comments', 'numbering'].map(
  (kind) => `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
);
const eastAsian = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const complexScript = /[\u0590-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]/;
const wordDefault = 'Times New Roman';

/** The font slots of a run (ECMA-376 part 1, 17.3.2.26) that the document's text needs besides the Latin ones. */
interface Scripts {
  readonly eastAsian: boolean;
  readonly complex: boolean;
}

/**
 * The fonts named by a document's runs, numberings and used styles, with theme fonts resolved, sorted. Fonts for East Asian
 * and complex scripts count only if the document has such text.
 */
export function usedFonts(source: DocxPackage): string[] {
  const stories = source.partNames.filter((name) => storyTypes.includes(source.contentType(name) ?? ''));
  const texts = stories.map((name) => source.readText(name) ?? '');
  const scripts: Scripts = {
    eastAsian: texts.some((xml) => eastAsian.test(xml)),
    complex: texts.some((xml) => complexScript.test(xml)),
  };
  const theme = readThemeFonts(source);
  const fonts = new Set<string>();
  const usedStyles = new Set<string>();
  for (const xml of texts) {
    for (const font of namedFonts(xml, theme, scripts)) fonts.add(font);
    for (const style of namedStyles(xml)) usedStyles.add(style);
  }
  const styles = readStyles(source, usedStyles);
  const defaults = namedFonts(styles.defaults, theme, scripts);
  for (const font of defaults.length > 0 ? defaults : [wordDefault]) fonts.add(font);
  for (const xml of styles.used) for (const font of namedFonts(xml, theme, scripts)) fonts.add(font);
  return [...fonts].sort();
}

function namedFonts(xml: string, theme: ThemeFonts, scripts: Scripts): string[] {
  const found: string[] = [];
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    if (tag.local === 'sym') found.push(attributeOf(xml, tag, 'font') ?? '');
    if (tag.local !== 'rFonts') return;
    const values = new Map(readAttributes(xml, tag).map(({ local, value }) => [local, value]));
    const slot = (name: string, themeName: string) => theme.get(values.get(themeName) ?? '') ?? values.get(name) ?? '';
    found.push(slot('ascii', 'asciiTheme'), slot('hAnsi', 'hAnsiTheme'));
    if (scripts.eastAsian) found.push(slot('eastAsia', 'eastAsiaTheme'));
    if (scripts.complex) found.push(slot('cs', 'cstheme'));
  });
  return found.filter((font) => font !== '');
}

function namedStyles(xml: string): string[] {
  const found: string[] = [];
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close' || !['pStyle', 'rStyle', 'tblStyle'].includes(tag.local)) return;
    found.push(attributeOf(xml, tag, 'val') ?? '');
  });
  return found;
}

const stylesType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml';

interface Style {
  readonly start: number;
  readonly isDefault: boolean;
  basedOn: string | undefined;
  xml: string;
}

/** The XML of the document defaults, and of each style that is used, a default, or a base of such a style. */
function readStyles(
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
  scanXmlTags(xml, (tag) => {
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
