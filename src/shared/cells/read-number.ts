export type DecimalMark = '.' | ',';

/** A number has no value where a cell is not a number, and two where its mark may separate decimals or thousands. */
export type NumberReading = readonly (number | string)[];

const apostrophes = "'\u2019";
// Not tabs or line breaks: a cell of two lines has two numbers.
const spaces = ' \u00a0\u2009\u202f';
// A number with an exponent has no separators.
const exponent = '(?:[eE][+-]?\\d{1,2})?';

/** What separates thousands when this mark separates decimals. India writes 12,34,567. */
const numerals: Readonly<Record<DecimalMark, RegExp>> = {
  '.': numeral('\\.', [',', `[${spaces}]`, `[${apostrophes}]`], '|[1-9]\\d?(?:,\\d{2})+,\\d{3}'),
  ',': numeral(',', ['\\.', `[${spaces}]`, `[${apostrophes}]`], ''),
};

function numeral(mark: string, separators: readonly string[], others: string): RegExp {
  const grouped = separators.map((separator) => `[1-9]\\d{0,2}(?:${separator}\\d{3})+`).join('|');
  return new RegExp(
    `^(?:((?:${grouped}${others})(?:${mark}\\d+)?)|(\\d+(?:${mark}\\d+)?|${mark}\\d+)(${exponent}))$`,
    'u',
  );
}

const currencies =
  'EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|ISK|PLN|CZK|HUF|RON|BGN|TRY|UAH|Fr\\.|kr\\.?|zł|Kč|Ft';
const unit = new RegExp(`^(?:\\p{Sc}|${currencies})|(?:\\p{Sc}|${currencies})$`, 'u');

/** The number of digits that every number preserves. The template language treats longer numbers as text. */
const exactDigits = 15;
/** The template language does not read a longer text as a number. */
const mostDigits = 40;
const longestCell = 60;

/**
 * Reads a cell as a number: with spaces, apostrophes, commas or points between thousands, a currency, or a percent sign,
 * which divides by 100. Returns the digits as text if there are too many to represent exactly.
 *
 * @param mark separates the decimals; without it, a cell such as `1.234` has two values
 */
export function readNumber(cell: string, mark?: DecimalMark): NumberReading {
  const text = cell.trim();
  if (text === '' || text.length > longestCell) return [];
  const { sign, body, shift } = withoutSigns(text);
  const marks: readonly DecimalMark[] = mark === undefined ? ['.', ','] : [mark];
  const values = marks.flatMap((decimal) => {
    const found = numerals[decimal].exec(body);
    if (found === null) return [];
    const [, grouped, plain = '', power = ''] = found;
    return toValue(sign, digitsOf(grouped ?? plain, decimal), power, shift);
  });
  return [...new Set(values)];
}

function withoutSigns(text: string): { readonly sign: string; readonly body: string; readonly shift: number } {
  let body = text;
  let sign: string | undefined;
  const takeSign = (): void => {
    const [found = ''] = /^[-+\u2212]/u.exec(body) ?? [];
    if (found === '' || sign !== undefined) return;
    sign = found === '+' ? '' : '-';
    body = body.slice(1).trim();
  };
  takeSign();
  const isPercent = body.endsWith('%');
  // A cell may have a currency or a percent sign, as in 5 € and 5 %, but not both.
  body = (isPercent ? body.slice(0, -1) : body.replace(unit, '')).trim();
  takeSign();
  return { sign: sign ?? '', body, shift: isPercent ? 2 : 0 };
}

interface Digits {
  readonly whole: string;
  readonly fraction: string;
}

function digitsOf(text: string, mark: DecimalMark): Digits {
  const [whole = '', fraction = ''] = text.split(mark);
  return { whole: whole.replaceAll(/\D/g, ''), fraction };
}

/** Moves the decimal point in the digits, because 19.99 / 100 is not 0.1999 in binary fractions. */
function toValue(
  sign: string,
  { whole, fraction }: Digits,
  power: string,
  shift: number,
): readonly (number | string)[] {
  const padded = whole.padStart(shift + 1, '0');
  const at = padded.length - shift;
  const digits = `${padded.slice(0, at).replace(/^0+(?=\d)/, '')}.${padded.slice(at)}${fraction}`.replace(/\.?0*$/, '');
  const plain = power === '' ? digits : String(Number(`${digits}${power}`));
  const significant = plain.replace(/e.*$/, '').replace('.', '').replace(/^0+/, '').length;
  if (significant > mostDigits) return [];
  const value = significant > exactDigits ? sign + plain : Number(sign + plain);
  return [value === 0 ? 0 : value];
}
