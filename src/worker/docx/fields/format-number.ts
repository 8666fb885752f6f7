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

/**
 * Formats a number by a numeric picture such as `$#,##0.00;($#,##0.00)` (ECMA-376 part 1, 17.16.4.2). The picture's own
 * separators are kept: the last of several kinds is the decimal separator, and a single kind is what it is in the
 * language.
 */
export function formatByPicture(value: number, picture: string, { decimal }: Separators): string {
  const [positive = '', negative, zero] = splitSections(picture);
  const size = Math.abs(value);
  if (value === 0 && zero !== undefined) return fill(size, zero, decimal, '');
  if (value >= 0) return fill(size, positive, decimal, '');
  if (negative !== undefined) return fill(size, negative, decimal, '');
  const isRoundedToZero = !/[1-9]/.test(fill(size, positive, decimal, ''));
  return fill(size, positive, decimal, isRoundedToZero ? '' : '-');
}

/** The sections of a picture. Text in apostrophes is literal. */
function splitSections(picture: string): string[] {
  return (picture.match(/(?:'[^']*'|[^';]|')+|(?<=;)(?=;|$)/g) ?? ['']).map((section) => section);
}

interface Placeholder {
  readonly before: string;
  readonly whole: string;
  readonly fraction: string;
  readonly after: string;
  readonly group: string;
  readonly point: string;
}

function fill(size: number, section: string, decimal: string, sign: string): string {
  const place = readPlaceholder(section, decimal);
  if (place === undefined) return `${sign}${literal(section)}`;
  const { before, whole, fraction, after, group, point } = place;
  const digits = roundTo(size, fraction.length).split('.');
  const fractionText = printFraction(digits[1] ?? '', fraction);
  const wholeText = printWhole(digits[0] ?? '0', whole, group);
  const separator = fractionText === '' ? '' : point;
  const hasSignPlace = /[-+]/.test(before);
  const start = hasSignPlace
    ? literal(before)
        .replace('+', sign || '+')
        .replace(/^(\W*)-/, `$1${sign || ' '}`)
    : literal(before);
  return `${hasSignPlace ? '' : sign}${start}${wholeText}${separator}${fractionText}${literal(after)}`;
}

/** The first run of digits in a section, outside apostrophes. */
function readPlaceholder(section: string, decimal: string): Placeholder | undefined {
  const masked = section.replace(/'[^']*'/g, (quoted) => '_'.repeat(quoted.length));
  const found = /[#0x][#0x.,\u00a0\u202f’]*|[.,][#0x][#0x.,]*/.exec(masked);
  if (found === null) return undefined;
  const [written] = found;
  const number = written.replace(/[.,\u00a0\u202f’]+$/, '');
  const at = found.index + number.length;
  const point = decimalPointOf(number, decimal);
  const split = point === undefined ? -1 : number.lastIndexOf(point);
  const whole = split < 0 ? number : number.slice(0, split);
  return {
    before: section.slice(0, found.index),
    whole: whole.replace(/[^#0x]/g, ''),
    fraction: split < 0 ? '' : number.slice(split + 1),
    after: section.slice(at),
    group: /[^#0x]/.exec(whole)?.[0] ?? '',
    point: point ?? '',
  };
}

function decimalPointOf(number: string, decimal: string): string | undefined {
  const kinds = new Set(number.match(/[.,]/g));
  const last = number.match(/[.,](?=[#0x]*$)/)?.[0];
  if (last === undefined) return undefined;
  if (kinds.size > 1) return last;
  const isRepeated = number.split(last).length > 2;
  return !isRepeated && last === decimal ? last : isRepeated || /^[#0x]*[.,][#0x]{3}$/.test(number) ? undefined : last;
}

/** A missing digit of `#` is a space, as in Word. */
function printWhole(digits: string, places: string, group: string): string {
  const shown = digits === '0' && !places.includes('0') ? '' : digits;
  const cut = places.startsWith('x') ? shown.slice(-places.length) : shown;
  const required = Math.max(
    cut.length,
    places.length - Math.max(0, places.indexOf('0')) * (places.includes('0') ? 1 : 0),
  );
  const padded = places.includes('0') ? cut.padStart(required, '0') : cut;
  const grouped = group === '' ? padded : padded.replace(/\B(?=(?:\d{3})+$)/g, group);
  return ' '.repeat(Math.max(0, places.length - padded.length)) + grouped;
}

function printFraction(digits: string, places: string): string {
  let text = '';
  for (let at = places.length - 1; at >= 0; at--) {
    const digit = digits[at] ?? '0';
    if (text.trim() === '' && digit === '0' && places[at] === '#') text = ` ${text}`;
    else text = digit + text;
  }
  return text.trimEnd();
}

/** Rounds half away from zero, by the decimal digits that are printed. */
function roundTo(size: number, decimals: number): string {
  const shifted = Number(
    `${size.toPrecision(15)}e${decimals}`.replace(/e([+-]?\d+)e(\d+)/, (_all, a, b) => `e${Number(a) + Number(b)}`),
  );
  const rounded = Math.round(shifted);
  if (!Number.isSafeInteger(rounded)) return size.toFixed(decimals);
  const text = String(rounded).padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

const literal = (text: string): string => text.replace(/'([^']*)'/g, '$1');

/** A result without a picture: up to ten decimals, without grouping. */
export function formatPlain(value: number, { decimal }: Separators): string {
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
