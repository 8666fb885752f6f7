import { formatPicture } from '../language/expressions/formatters/number-picture.ts';
import { inNumberStyle } from '../language/expressions/formatters/number-styles.ts';
import { defaultLocale, RenderContext } from '../language/render-context.ts';
import type { FieldCode } from './read-code.ts';

/** The separators of numbers in a language. */
export interface Separators {
  readonly decimal: string;
  readonly group: string;
}

export function separatorsOf(locale: string): Separators {
  const parts = new Intl.NumberFormat(locale, { useGrouping: true, numberingSystem: 'latn' }).formatToParts(1234567.8);
  const of = (type: string, usual: string): string => parts.find((part) => part.type === type)?.value ?? usual;
  return { decimal: of('decimal', '.'), group: of('group', ',') };
}

/** How fields write and read numbers. */
export interface FieldLanguage {
  readonly context: RenderContext;
  readonly separators: Separators;
}

export function fieldLanguage(locale: string): FieldLanguage {
  return { context: new RenderContext({ ...defaultLocale, locale }), separators: separatorsOf(locale) };
}

/** A number as the switches of its field write it. */
export function formatNumber(value: number, { switches }: FieldCode, { context, separators }: FieldLanguage): string {
  const picture = switches.find(({ name }) => name === '\\#')?.value;
  if (picture !== undefined) return formatPicture(value, picture, context);
  for (const { name, value: style } of switches) {
    const formatted = name === '\\*' ? inNumberStyle(value, style, context) : undefined;
    if (formatted !== undefined) return formatted;
  }
  return formatPlain(value, separators);
}

/** A result without a picture: up to ten decimals, without grouping. */
function formatPlain(value: number, { decimal }: Separators): string {
  const text = String(Number(value.toPrecision(15)));
  const plain = /e/.test(text) ? String(value) : text.replace(/(\.\d{10})\d+$/, '$1');
  return plain.replace('.', decimal);
}

const negative = /^\s*(?:\(.*\)|[^\d(]*[-−‑–][^\d]*\d.*|[^()]*\d\s*[-−])\s*$/s;

/**
 * The number that a text shows, such as 1234.5 for `$1,234.50` and `1.234,50 €`; undefined for a text without a number
 * or with several.
 */
export function readNumber(text: string, separators: Separators): number | undefined {
  const found = text.match(/[\d.,'’\u00a0\u202f]*\d[\d.,'’\u00a0\u202f]*/g) ?? text.match(/\d+/g);
  if (found === null || found.length !== 1) return undefined;
  const at = text.indexOf(found[0]);
  // A number that follows a letter is part of a name such as Q1, unless the letters are a currency.
  if (/\p{L}$/u.test(text.slice(0, at)) && !/(?<!\p{L})[A-Z]{3}$/u.test(text.slice(0, at))) return undefined;
  const value = Number(normalize(found[0], separators));
  if (!Number.isFinite(value)) return undefined;
  const signed = negative.test(text) ? -value : value;
  return /%\s*\)?\s*$/.test(text) ? signed / 100 : signed;
}

/** The digits with a decimal point and no other separators. */
function normalize(written: string, { decimal }: Separators): string {
  const digits = written.replace(/^[.,'’\u00a0\u202f]+(?=\d)|[.,'’\u00a0\u202f]+$/g, (edge) =>
    /^[.,]\d?/.test(edge) && edge === decimal ? edge : '',
  );
  const point = decimalMark(digits, decimal);
  const pieces =
    point === undefined
      ? [digits]
      : [digits.slice(0, digits.lastIndexOf(point)), digits.slice(digits.lastIndexOf(point) + 1)];
  return pieces.map((piece) => piece.replace(/\D/g, '')).join('.');
}

function decimalMark(digits: string, decimal: string): string | undefined {
  const marks = digits.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return undefined;
  if (new Set(marks).size > 1) return last;
  if (marks.length > 1) return undefined;
  if (last === decimal) return last;
  return /^\d{1,3}[.,]\d{3}$/.test(digits) ? undefined : last;
}
