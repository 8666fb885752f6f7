import type { DocxPackage } from '../package/open-package.ts';
import { attributeOf, readAttributes, scanTags } from '../package/xml-tokens.ts';
import { readStyles } from './read-styles.ts';
import { readThemeFonts, type ThemeFonts } from './theme-fonts.ts';

const storyTypes = ['document.main', 'header', 'footer', 'footnotes', 'endnotes', 'comments', 'numbering'].map(
  (kind) => `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
);
const eastAsian = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const complexScript = /[\u0590-\u109f\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufefc]/;
const wordDefault = 'Times New Roman';

/** Which of the four font slots of a run (ECMA-376 part 1, 17.3.2.26) the document's own text needs. */
interface Scripts {
  readonly eastAsian: boolean;
  readonly complex: boolean;
}

/**
 * The fonts a document's runs, numberings and used styles name, theme fonts resolved, sorted. Fonts for East Asian and
 * complex scripts count only where the document has such text.
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
  scanTags(xml, (tag) => {
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
  scanTags(xml, (tag) => {
    if (tag.kind === 'close' || !['pStyle', 'rStyle', 'tblStyle'].includes(tag.local)) return;
    found.push(attributeOf(xml, tag, 'val') ?? '');
  });
  return found;
}
