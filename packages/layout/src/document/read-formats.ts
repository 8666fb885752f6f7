import { createHash } from 'node:crypto';
import { readThemeFonts, themePartOf } from '@docmill/word/theme-fonts';
import type { WordPackage } from '@docmill/word/word-package';
import { LRUCache } from 'lru-cache';
import { type Attempt, strictly } from './attempt.ts';
import { parseElement } from './parse-element.ts';
import { type Numbering, readNumbering } from './read-numbering.ts';
import { readSettings, type Settings } from './read-settings.ts';
import { readStyleSheet, type StyleSheet } from './style-sheet.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/** The formats of a document apart from its text. All documents of a template share them. */
export interface Formats {
  readonly settings: Settings;
  readonly numbering: Numbering;
  readonly styles: StyleSheet;
  readonly themeFont: (name: string) => string | undefined;
  /** The default language of the text (BCP 47). */
  readonly language: string | undefined;
}

interface Kept {
  readonly formats: Formats;
  readonly bytes: number;
}

const mostKept = 100;
const mostBytes = 8 * 1024 * 1024;
/**
 * Keyed by the digest of the parts as stored in the archive. Reading the parts takes as long as reading the text of a
 * letter.
 */
const kept = new LRUCache<string, Kept>({
  max: mostKept,
  maxSize: mostBytes,
  sizeCalculation: ({ bytes }) => Math.max(1, bytes),
});

/** Reads settings, lists, styles and theme. `partNameOf` returns the part name of a kind. Throws UnknownFeature. */
export function readFormats(
  source: WordPackage,
  partNameOf: (kind: string) => string | undefined,
  attempt: Attempt,
): Formats {
  const names = [partNameOf('settings'), partNameOf('numbering'), partNameOf('styles')];
  // Incomplete formats are only for the inspection.
  if (attempt !== strictly) return toFormats(source, names, attempt);
  const digest = createHash('sha256');
  let bytes = 0;
  for (const name of [...names, themePartOf(source)]) {
    const entry = name === undefined ? undefined : source.entry(name);
    digest.update(`${entry?.method} ${entry?.sizeBytes} ${entry?.crc32} ${entry?.data.length}\n`);
    if (entry !== undefined) digest.update(entry.data);
    bytes += entry?.sizeBytes ?? 0;
  }
  const key = digest.digest('base64');
  const known = kept.get(key)?.formats;
  if (known !== undefined) return known;
  const formats = toFormats(source, names, attempt);
  kept.set(key, { formats, bytes });
  return formats;
}

function readRoot(source: WordPackage, name: string | undefined): XmlElement | undefined {
  const xml = name === undefined ? undefined : source.readText(name);
  return xml === undefined ? undefined : parseElement(xml);
}

/** `names` are the names of the parts with settings, lists and styles. */
function toFormats(source: WordPackage, names: readonly (string | undefined)[], attempt: Attempt): Formats {
  const [settingsRoot, numberingRoot, stylesRoot] = names.map((name) => readRoot(source, name));
  const themeFonts = readThemeFonts(source);
  const themeFont = (name: string): string | undefined => themeFonts.get(name);
  const context = { themeFont, attempt };
  const settings = readSettings(settingsRoot, attempt);
  const numbering = readNumbering(numberingRoot, context);
  const styles = readStyleSheet(stylesRoot, numbering, context);
  return { settings, numbering, styles, themeFont, language: languageOf(stylesRoot) };
}

const language = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** The language of the default format (ECMA-376 part 1, 17.3.2.20). */
function languageOf(styles: XmlElement | undefined): string | undefined {
  let element = styles;
  for (const name of ['w:docDefaults', 'w:rPrDefault', 'w:rPr', 'w:lang']) element = element && childOf(element, name);
  const tag = element?.attributes.get('w:val') ?? '';
  return language.test(tag) ? tag : undefined;
}
