import type { RenderContext } from '../../render-context.ts';

interface Section {
  readonly before: string;
  readonly after: string;
  /** The placeholders of the digits before and after the decimal separator. */
  readonly whole: string;
  readonly fraction: string;
  readonly isGrouped: boolean;
}

/** An apostrophe between digits, as in `#'##0.00`, is a separator of thousands. Others enclose literal text. */
const quoted = /'(?!(?<=[#0]')[#0]{3})([^']*)'/g;
const placeholders = /(?:[.,](?=[#0x]))?[#0x](?:[#0x.,]|[ \u00a0\u202f’'](?=[#0x]))*/;

/**
 * A number in the form of a numeric picture such as `$#,##0.00;($#,##0.00)` (ECMA-376 part 1, 17.16.4.2), with the
 * separators of the language. A missing digit of `#` is a space, but no result begins with such spaces.
 */
export function formatPicture(value: number, picture: string, context: RenderContext): string {
  const [positive = '', negative, zero] = splitSections(picture);
  const own = value === 0 ? (zero ?? positive) : value < 0 ? negative : positive;
  const section = readSection(own ?? positive, context);
  const isNegative = value < 0 && own === undefined;
  if (section === undefined) return `${isNegative ? '-' : ''}${literal(own ?? positive)}`;
  const digits = printDigits(Math.abs(value), section, context);
  const isZero = !/[1-9]/.test(digits);
  const sign = value < 0 && !isZero ? '-' : '';
  const { before, after } = section;
  const masked = mask(before);
  const signAt = masked.search(/[-+]/);
  if (signAt === -1) {
    const shown = before === '' ? digits.trimStart() : digits;
    return `${isNegative ? sign : ''}${literal(before)}${shown}${literal(after)}`;
  }
  const shownSign = sign || (masked[signAt] === '+' && !isZero ? '+' : ' ');
  const text = literal(before.slice(0, signAt)) + shownSign + literal(before.slice(signAt + 1)) + digits;
  return (before.length === 1 ? text.trimStart().replace(/^([-+]) +/, '$1') : text) + literal(after);
}

function splitSections(picture: string): readonly string[] {
  let start = 0;
  return mask(picture)
    .split(';')
    .map(({ length }) => {
      const section = picture.slice(start, start + length);
      start += length + 1;
      return section;
    });
}

const mask = (section: string): string => section.replace(quoted, (text) => '_'.repeat(text.length));
const literal = (section: string): string => section.replace(quoted, '$1');

/** Undefined for a section without a place for digits. */
function readSection(section: string, context: RenderContext): Section | undefined {
  const found = placeholders.exec(mask(section));
  if (found === null) return undefined;
  // A separator at the end of the digits, as in `0 .`, is text.
  const number = found[0].replace(/[.,]+$/, '');
  const at = decimalAt(number, context);
  const whole = at === -1 ? number : number.slice(0, at);
  return {
    before: section.slice(0, found.index),
    after: section.slice(found.index + number.length),
    whole: whole.replace(/[^#0x]/g, ''),
    fraction: at === -1 ? '' : number.slice(at + 1).replace(/[^#0x]/g, ''),
    isGrouped: /[^#0x]/.test(whole),
  };
}

/** Pictures are written with the separators of their author: of two, the last is the decimal one. */
function decimalAt(number: string, context: RenderContext): number {
  const point = number.lastIndexOf('.');
  const comma = number.lastIndexOf(',');
  const last = Math.max(point, comma);
  if (last === -1 || (point !== -1 && comma !== -1)) return last;
  const mark = number.charAt(last);
  if (number.indexOf(mark) !== last) return -1;
  const decimal = context.cached(
    'decimal separator',
    () =>
      new Intl.NumberFormat(context.locale, { numberingSystem: 'latn' })
        .formatToParts(1.5)
        .find(({ type }) => type === 'decimal')?.value ?? '.',
  );
  return mark === decimal || number.length - last - 1 !== 3 ? last : -1;
}

function printDigits(size: number, { whole, fraction, isGrouped }: Section, context: RenderContext): string {
  const firstZero = whole.indexOf('0');
  // `x` drops the digits to the left of it.
  const isCut = whole.startsWith('x') && size >= 10 ** whole.length;
  const required = isCut ? whole.length : firstZero === -1 ? 0 : whole.length - firstZero;
  const options = {
    minimumIntegerDigits: Math.min(21, Math.max(1, required)),
    minimumFractionDigits: Math.min(20, fraction.replace(/#+$/, '').length),
    maximumFractionDigits: Math.min(20, fraction.length),
    useGrouping: isGrouped,
    // Fields read numbers in these digits.
    numberingSystem: 'latn',
  };
  const key = `picture ${Object.values(options).join(' ')}`;
  const format = context.cached(key, () => new Intl.NumberFormat(context.locale, options));
  const parts = format.formatToParts(isCut ? size % 10 ** whole.length : size);
  const integers = parts.filter(({ type }) => type === 'integer').map((part) => part.value);
  const text = parts.map((part) => part.value).join('');
  // A zero that the format does not require is printed only if there are no decimals, so that every result has a digit.
  const isHidden = firstZero === -1 && /^0\D/.test(text);
  const missing = whole.length - (isHidden ? 0 : integers.join('').length);
  return ' '.repeat(Math.max(0, missing)) + text.slice(isHidden ? 1 : 0);
}
