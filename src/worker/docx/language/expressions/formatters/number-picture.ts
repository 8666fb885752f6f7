/** A numeric picture of a Word field, such as `#,##0.00 €` (ECMA-376 part 1, 17.16.4.2). */
interface Section {
  readonly before: string;
  readonly after: string;
  /** The placeholders of digits and their separators. */
  readonly mask: string;
  /** Where the picture itself writes the sign. */
  readonly sign: 'before' | 'after' | undefined;
}

const item = /'([^']*)'|([0#x.,]|[ \u00a0\u202f’'](?=[0#]))|([+-])|([\s\S])/g;

/**
 * A number in the form of a picture, with the separators of the language. As authors mean it and unlike Word, `#` prints
 * nothing for a digit that the number does not have, where Word prints a space.
 */
export function formatPicture(value: number, picture: string, locale: string): string {
  const [positive = '', negative, zero] = picture.split(/;(?=(?:[^']*'[^']*')*[^']*$)/);
  const own = value === 0 ? (zero ?? positive) : value < 0 ? negative : positive;
  const { before, mask, after, sign } = readSection(own ?? positive);
  const digits = mask === '' ? '' : new Intl.NumberFormat(locale, optionsOf(mask, locale)).format(Math.abs(value));
  const minus = value < 0 && own === undefined && /[1-9]/.test(digits) ? '-' : '';
  if (sign === 'after') return `${before}${digits}${minus}${after}`;
  return sign === 'before' ? `${before}${minus}${digits}${after}` : `${minus}${before}${digits}${after}`;
}

function readSection(section: string): Section {
  let before = '';
  let mask = '';
  let after = '';
  let sign: Section['sign'];
  for (const [, quoted, placeholder, ofSign, other = ''] of section.matchAll(item)) {
    if (ofSign !== undefined) sign = mask === '' ? 'before' : 'after';
    else if (placeholder !== undefined && after === '') mask += placeholder;
    else if (mask === '') before += quoted ?? other;
    else after += quoted ?? placeholder ?? other;
  }
  // A separator at the end of the digits, as in `0 .`, is text.
  const trailing = /[.,]+$/.exec(mask)?.[0] ?? '';
  return { before, mask: mask.slice(0, mask.length - trailing.length), after: trailing + after, sign };
}

function optionsOf(mask: string, locale: string): Intl.NumberFormatOptions {
  const at = decimalAt(mask, locale);
  const whole = at === -1 ? mask : mask.slice(0, at);
  const fraction = at === -1 ? '' : mask.slice(at + 1).replace(/[^0#x]/g, '');
  return {
    minimumIntegerDigits: Math.min(21, Math.max(1, whole.replace(/[^0]/g, '').length)),
    minimumFractionDigits: Math.min(20, fraction.replace(/[^0x]/g, '').length),
    maximumFractionDigits: Math.min(20, fraction.length),
    useGrouping: /[^0#x]/.test(whole),
  };
}

/** Pictures are written with the separators of their author: of two, the last is the decimal one. */
function decimalAt(mask: string, locale: string): number {
  const point = mask.lastIndexOf('.');
  const comma = mask.lastIndexOf(',');
  const last = Math.max(point, comma);
  if (last === -1 || (point !== -1 && comma !== -1)) return last;
  const other = mask.charAt(last);
  if (mask.indexOf(other) !== last) return -1;
  const digits = mask.length - last - 1;
  const decimal = new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
  return other === decimal || digits !== 3 ? last : -1;
}
