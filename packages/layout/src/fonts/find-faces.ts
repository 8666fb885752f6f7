import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findSubstituteRule } from '@docmill/word/font-substitutes';
import { LRUCache } from 'lru-cache';
import { UnknownFeature } from '../unknown-feature.ts';
import { type FontFace, openFontFace } from './font-face.ts';
import { type SizedFont, sizeFont } from './sized-font.ts';

const mostNames = 500;
const mostFaces = 40;
const mostSizes = 100;
const matchTimeoutMs = 10_000;
/** Fontconfig's weight for demibold. */
const leastBold = 180;

/** A family and style, without a size. */
export interface FaceChoice {
  readonly family: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
}

export type SizedFontOf = (choice: FaceChoice & { readonly halfPoints: number }) => SizedFont;

/**
 * The fonts that LibreOffice uses, found by fontconfig with LibreOffice's settings, and each opened once. Throws
 * UnknownFeature for a font whose bold or slant is synthesized, a variable font, one from a collection, and one that is
 * neither installed nor replaced by a rule: LibreOffice then falls back to the class of fonts that the document declares.
 */
export function findFonts(fontSettings: string): SizedFontOf {
  const faceOf = findFaces(fontSettings);
  const sizes = new Map<string, SizedFont>();
  const fontOf: SizedFontOf = (choice) => {
    const sizeKey = `${choice.family}\n${choice.isBold}\n${choice.isItalic}\n${choice.halfPoints}`;
    const known = sizes.get(sizeKey);
    if (known !== undefined) return known;
    if (sizes.size >= mostSizes) throw new UnknownFeature('many fonts');
    const font = sizeFont(faceOf(choice), choice.halfPoints);
    sizes.set(sizeKey, font);
    return font;
  };
  // Cached, because many runs share few formats.
  const chosen = new WeakMap<object, SizedFont>();
  return (choice) => {
    const font = chosen.get(choice) ?? fontOf(choice);
    chosen.set(choice, font);
    return font;
  };
}

/** Like `findFonts`, but without sizes. Keeps the most recently used fonts. */
export function findFaces(fontSettings: string): (choice: FaceChoice) => FontFace {
  const files = new LRUCache<string, string>({ max: mostNames });
  const faces = new LRUCache<string, FontFace>({ max: mostFaces });
  return (choice) => {
    const key = `${choice.family}\n${choice.isBold}\n${choice.isItalic}`;
    const file = files.get(key) ?? fileOf(choice, fontSettings);
    files.set(key, file);
    const face = faces.get(file) ?? openFontFace(readFileSync(file));
    faces.set(file, face);
    return face;
  };
}

function fileOf({ family: names, isBold, isItalic }: FaceChoice, fontSettings: string): string {
  // LibreOffice passes only the first name of a list to fontconfig.
  const [first = ''] = names.split(/[;,]/);
  const family = first.trim();
  // The substitution rules do not work for a name with two spaces in a row.
  if (/\s\s/.test(family)) throw new UnknownFeature('a font without a rule for its substitute');
  const name = family.replaceAll(/[\\\-:,]/g, '\\$&');
  const style = `${isBold ? ':bold' : ''}${isItalic ? ':italic' : ''}`;
  const format = '%{file}\\n%{index}\\n%{variable}\\n%{weight}\\n%{slant}\\n%{embolden}\\n%{matrix}\\n%{family}';
  const printed = execFileSync('fc-match', ['--format', format, '--', `${name}${style}`], {
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', FONTCONFIG_FILE: fontSettings },
    timeout: matchTimeoutMs,
  });
  const [file = '', index, variable, weight, slant, embolden, matrix, found = ''] = printed.split('\n');
  const isSuitable = Number(weight) >= leastBold === isBold && (slant !== '0') === isItalic;
  // Distributions have rules that make a font bold or slanted synthetically.
  const isDrawn = embolden === 'True' || matrix !== '';
  if (index !== '0' || variable === 'True' || !isSuitable || isDrawn)
    throw new UnknownFeature('a font that is not plain');
  const expected = [family, ...(findSubstituteRule(family)?.fonts ?? [])].map((font) => font.toLowerCase());
  if (
    !found
      .toLowerCase()
      .split(',')
      .some((font) => expected.includes(font))
  )
    throw new UnknownFeature('a font without a rule for its substitute');
  return file;
}
