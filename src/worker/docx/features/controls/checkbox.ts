import { decodeEntities } from '@docmill/word/xml-tokens';
import { checkExpression, type ExpressionProblem } from '../../language/expressions/parse-tag-text.ts';
import { parseTag, type TagSyntaxes, tagProblem } from '../../language/tag.ts';

/** The symbol of a checkbox control in one of its states. */
export interface Glyph {
  readonly font: string;
  /** Hexadecimal code point, as stored by Word. */
  readonly code: string;
}

export interface Checkbox {
  /** The text between the braces of its title or tag. */
  readonly formula: string;
  readonly problem: ExpressionProblem | undefined;
  readonly checked: Glyph;
  readonly unchecked: Glyph;
}

/** Reads `w:sdtPr`; undefined unless the control is a checkbox with a template tag in its title or tag property. */
export function readCheckbox(properties: string, syntaxes: TagSyntaxes): Checkbox | undefined {
  if (!properties.includes('<w14:checkbox')) return undefined;
  const [written] = [titleOf(properties, 'alias'), titleOf(properties, 'tag')].filter((text) => /[{}]/.test(text));
  if (written === undefined) return undefined;
  const formula = /^\s*\{([^{}]*)\}\s*$/.exec(written)?.[1]?.trim();
  return {
    formula: formula ?? written,
    problem:
      formula === undefined ? { message: 'a checkbox takes one tag and nothing else' } : problemOf(formula, syntaxes),
    checked: glyphOf(properties, 'checkedState', '2612'),
    unchecked: glyphOf(properties, 'uncheckedState', '2610'),
  };
}

function problemOf(formula: string, syntaxes: TagSyntaxes): ExpressionProblem | undefined {
  const tag = parseTag(formula, syntaxes);
  if (tag.kind !== 'value') return { message: 'a checkbox takes a name or an expression' };
  const message = tagProblem(tag);
  return message === undefined ? checkExpression(tag.text) : { message };
}

function titleOf(properties: string, name: 'alias' | 'tag'): string {
  const found = new RegExp(`<w:${name}\\s[^>]*?w:val=(?:"([^"]*)"|'([^']*)')`).exec(properties);
  return decodeEntities(found?.[1] ?? found?.[2] ?? '');
}

function glyphOf(properties: string, state: string, otherwise: string): Glyph {
  const [element = ''] = new RegExp(`<w14:${state}\\b[^>]*>`).exec(properties) ?? [];
  const code = /w14:val=["']([0-9A-Fa-f]{1,6})["']/.exec(element)?.[1] ?? otherwise;
  const font = /w14:font=["']([^"'<>&]*)["']/.exec(element)?.[1] ?? 'MS Gothic';
  return { font, code: Number.parseInt(code, 16) > 0x10ffff ? otherwise : code };
}

const withTag = /(<w:(?:alias|tag)\s[^>]*?w:val=)(?:"\s*\{([^{}"]*)\}\s*"|'\s*\{([^{}']*)\}\s*')/g;

/** Removes the braces from the title: `{paid}` becomes `paid`. */
export function withoutBraces(properties: string): string {
  return properties.replace(
    withTag,
    (_, before: string, double?: string, single?: string) =>
      `${before}"${(double ?? single ?? '').trim().replaceAll('"', '&quot;')}"`,
  );
}

/** The properties in one of the two states. */
export function withState(properties: string, isChecked: boolean): string {
  const state = `<w14:checked w14:val="${isChecked ? 1 : 0}"/>`;
  const bare = properties.replace(/<w14:checked\b[^>]*?(?:\/>|>\s*<\/w14:checked>)/, '');
  return bare
    .replace(/<w14:checkbox\s*\/>/, '<w14:checkbox></w14:checkbox>')
    .replace(/<w14:checkbox(?:\s[^>]*)?>/, (open) => open + state);
}

const symbolFonts = /^(?:Wingdings|Webdings|Symbol)/i;
const fonts = /<w:rFonts\b[^>]*?(?:\/>|>\s*<\/w:rFonts>)/;

/** A run with the glyph, in the formatting (`w:rPr` or empty) of the run that it replaces. */
export function glyphRun({ font, code }: Glyph, runProperties: string): string {
  if (symbolFonts.test(font)) {
    const char = (Number.parseInt(code, 16) | 0xf000).toString(16).toUpperCase().slice(-4);
    return `<w:r>${runProperties}<w:sym w:font="${font}" w:char="${char}"/></w:r>`;
  }
  const own = `<w:rFonts w:ascii="${font}" w:eastAsia="${font}" w:hAnsi="${font}" w:hint="eastAsia"/>`;
  const properties = runProperties === '' ? '<w:rPr></w:rPr>' : runProperties.replace(fonts, '');
  const formatted = properties.replace(/^<w:rPr(?:\s[^>]*)?>(?:<w:rStyle\b[^>]*\/>)?/, (start) => start + own);
  return `<w:r>${formatted}<w:t>${String.fromCodePoint(Number.parseInt(code, 16))}</w:t></w:r>`;
}
