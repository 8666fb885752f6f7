import { isLocale } from '../../../../../shared/is-locale.ts';
import { recordsIn } from '../../field-path.ts';
import { isTruthy } from '../../print-value.ts';
import type { RenderContext } from '../../render-context.ts';
import { asNumber, isTooLong, tooLong } from '../arithmetic.ts';
import { asText } from '../as-text.ts';
import type { Arguments, Formatter, FormatterCall, Parameter } from '../formatter.ts';
import { evaluateOptional } from '../operand.ts';
import { ValueProblem } from '../value-problem.ts';
import { formatPattern } from './date-pattern.ts';
import { formatPicture } from './number-picture.ts';
import { readDate } from './read-date.ts';
import { inWords } from './words.ts';

const language: Parameter = {
  name: 'language',
  type: 'text',
  isOptional: true,
  example: 'de-DE',
  check: checkLanguage,
};
const longestPicture = 200;

function checkLanguage(value: unknown): string | undefined {
  return isLocale(asText(value) ?? '') ? undefined : 'must be a language such as "en-GB" or "de"';
}

function checkPicture(value: unknown): string | undefined {
  return (asText(value) ?? '').length <= longestPicture
    ? undefined
    : `must not be longer than ${longestPicture} characters`;
}

type Format = (value: unknown, picture: string, call: InLanguage) => string | undefined;

/** Formats what it can. Other text stays as it is, as in Word. */
function picture(takes: 'number' | 'date', example: string, format: Format): Formatter {
  return {
    takes,
    gives: 'text',
    parameters: [{ name: 'picture', type: 'text', example, check: checkPicture }, language],
    dateKind: (written) => (/[hs]|am\/pm/i.test(asText(written) ?? '') ? 'date-time' : 'date'),
    apply: (input, args, call) =>
      input === '' ? null : (format(input, args.text(0), inLanguage(args, call)) ?? input),
  };
}

interface InLanguage {
  readonly locale: string;
  readonly context: RenderContext;
  readonly call: FormatterCall;
}

function inLanguage(args: Arguments, call: FormatterCall): InLanguage {
  const locale = args.text(1, call.context.locale);
  return { locale, context: call.context.inLocale(locale), call };
}

/** A number, also as text with a currency and separators of thousands: `$1,234.50`. */
function readAmount(value: unknown): number | undefined {
  const number = asNumber(value);
  if (number !== undefined || typeof value !== 'string' || value.length > 40) return number;
  const found = /^\s*(-?)\s*\p{Sc}?\s*(-?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?\s*(?:\p{Sc}|%)?\s*$/u.exec(value);
  if (found === null) return undefined;
  const amount = Number(`${(found[3] ?? '').replaceAll(',', '')}${found[4] ?? ''}`);
  return found[1] === '-' || found[2] === '-' ? -amount : amount;
}

/** The letters of Word's date pictures in the patterns of `formatPattern`. German pictures have their own letters. */
function toPattern(picture: string, locale: string): string {
  const isGerman = locale.toLowerCase().startsWith('de');
  let pattern = '';
  for (const [text, quoted] of picture.matchAll(/'([^']*)'|am\/pm|([A-Za-z])\2*|[^A-Za-z']+/gi)) {
    const letters = isGerman
      ? text.replace(/^[Tt]+$/, (t) => 'd'.repeat(t.length)).replace(/^[Jj]+$/, (j) => 'y'.repeat(j.length))
      : text;
    if (quoted !== undefined) pattern += literal(quoted);
    else if (/^am\/pm$/i.test(text)) pattern += 'a';
    else pattern += fieldOf(letters);
  }
  return pattern;
}

function fieldOf(letters: string): string {
  const first = letters.charAt(0);
  const { length } = letters;
  if (/d/i.test(first)) return length > 2 ? 'E'.repeat(Math.min(4, length)) : 'd'.repeat(length);
  if (/y/i.test(first)) return length > 2 ? 'yyyy' : 'yy';
  if (first === 'M') return 'M'.repeat(Math.min(4, length));
  if (/[hHms]/.test(first)) return first.repeat(Math.min(2, length));
  if (/s/i.test(first)) return 's'.repeat(Math.min(2, length));
  return /[A-Za-z]/.test(first) ? literal(letters) : letters;
}

function literal(text: string): string {
  return text === '' ? '' : `'${text}'`;
}

function compares(left: string, operator: string, right: string): boolean {
  const [a, b] = [readAmount(left), readAmount(right)];
  const difference = a !== undefined && b !== undefined ? a - b : left < right ? -1 : left > right ? 1 : 0;
  if (operator === '<') return difference < 0;
  if (operator === '>') return difference > 0;
  if (operator === '<=') return difference <= 0;
  if (operator === '>=') return difference >= 0;
  const isPattern = /[*?]/.test(right) && left.length + right.length <= longestCompared;
  const isEqual = isPattern ? matches(left, right) : difference === 0;
  return operator === '<>' ? !isEqual : isEqual;
}

/** Whether a text matches `Dr*` or `M?ller`, as the second operand of IF may be written. */
function matches(text: string, pattern: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let i = 0; i < text.length; ) {
    const char = pattern.charAt(at);
    if (char === '*') {
      star = at++;
      retry = i;
    } else if (at < pattern.length && (char === '?' || char === text.charAt(i))) {
      at++;
      i++;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      i = ++retry;
    }
  }
  return /^\**$/.test(pattern.slice(at));
}

const longestCompared = 1000;

const operators = ['=', '<>', '<', '>', '<=', '>='];
const roman: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function toRoman(value: number): string {
  let rest = value;
  let out = '';
  for (const [size, letters] of roman) for (; rest >= size; rest -= size) out += letters;
  return out;
}

/** a … z, aa … zz, as Word counts in letters. */
function toLetters(value: number): string {
  return String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
}

const styles: Readonly<Record<string, (value: number, call: InLanguage) => string>> = {
  roman: toRoman,
  alphabetic: toLetters,
  hex: (value) => value.toString(16).toUpperCase(),
  arabic: String,
  cardtext: (value, { call, locale }) => inWords(value, call, locale),
};
const mostCounted: Readonly<Record<string, number>> = { roman: 32_767, alphabetic: 780 };

/** Moves to the next record where the condition is true, and prints nothing. */
function moving(isRepeated: boolean): Formatter {
  return {
    takes: 'any',
    gives: 'text',
    isTest: true,
    parameters: [],
    compile: (condition) => (scope) => {
      const { context } = scope;
      const last = recordsIn(scope)?.all.length ?? 1;
      while (context.record < last && isTruthy(evaluateOptional(condition, scope))) {
        context.record++;
        if (!isRepeated) break;
      }
      return null;
    },
  };
}

/** Prints nothing; refuses records that the document has no place for. */
const allRecords: Formatter = {
  takes: 'any',
  gives: 'text',
  parameters: [],
  compile: () => (scope) => {
    const records = recordsIn(scope);
    const printed = scope.context.record + 1;
    scope.context.record = 0;
    if (records === undefined || records.all.length <= printed) return null;
    throw new ValueProblem(
      records.path,
      `has ${records.all.length} records, but the template has places for ${printed}`,
    );
  },
};

export const fieldFormatters: Readonly<Record<string, Formatter>> = {
  numberPicture: picture('number', '#,##0.00', (value, mask, { locale }) => {
    const number = readAmount(value);
    return number === undefined ? undefined : formatPicture(number, mask, locale);
  }),
  datePicture: picture('date', 'd MMMM yyyy', (value, mask, { locale, context }) => {
    const date = readDate(value, context.timezone);
    return date === undefined ? undefined : formatPattern(toPattern(mask, locale), date, context);
  }),
  numberStyle: {
    takes: 'number',
    gives: 'text',
    parameters: [
      {
        name: 'style',
        type: 'text',
        example: 'roman',
        check: (value) =>
          Object.hasOwn(styles, (asText(value) ?? '').toLowerCase())
            ? undefined
            : `must be one of ${Object.keys(styles).join(', ')}`,
      },
      language,
    ],
    apply: (input, args, call) => {
      const name = args.text(0);
      const number = readAmount(input);
      const write = styles[name.toLowerCase()];
      if (number === undefined || write === undefined) return input;
      const most = mostCounted[name.toLowerCase()] ?? Number.MAX_SAFE_INTEGER;
      const whole = Math.round(number);
      if (whole < 0 || whole > most || (whole === 0 && most < Number.MAX_SAFE_INTEGER)) return input;
      const text = write(whole, inLanguage(args, call));
      return /^[a-z]/.test(name) ? text.toLowerCase() : text;
    },
  },
  nextRecord: moving(false),
  skipRecord: moving(true),
  allRecords,
  caps: {
    takes: 'text',
    gives: 'text',
    parameters: [],
    apply: (input, _args, { context }) =>
      (asText(input) ?? '').replace(
        /(^|\s)(\p{L})/gu,
        (_, before: string, letter: string) => before + letter.toLocaleUpperCase(context.locale),
      ),
  },
  surround: {
    takes: 'any',
    gives: 'text',
    parameters: [
      { name: 'before', type: 'text' },
      { name: 'after', type: 'text', isOptional: true },
    ],
    apply: (input, args, call) => {
      const text = asText(input) ?? '';
      const around = text === '' ? '' : args.text(0) + text + args.text(1);
      return isTooLong(around.length) ? call.fail(tooLong) : around;
    },
  },
  compare: {
    takes: 'text',
    gives: 'truth',
    parameters: [
      {
        name: 'operator',
        type: 'text',
        example: '=',
        check: (value) =>
          operators.some((known) => known === value) ? undefined : `must be one of ${operators.join(' ')}`,
      },
      { name: 'other', type: 'text', acceptsMissing: true },
    ],
    apply: (input, args) => compares(asText(input) ?? '', args.text(0), args.text(1)),
  },
};
