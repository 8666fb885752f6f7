import { isLocale } from '../../../../../shared/is-locale.ts';
import { recordsIn } from '../../field-path.ts';
import { isTruthy } from '../../print-value.ts';
import type { RenderContext } from '../../render-context.ts';
import { asNumber, isTooLong, tooLong } from '../arithmetic.ts';
import { asText } from '../as-text.ts';
import type { Arguments, Formatter, FormatterCall, Parameter } from '../formatter.ts';
import { evaluateOptional } from '../operand.ts';
import { ValueProblem } from '../value-problem.ts';
import { compareTexts, comparisons } from './compare-texts.ts';
import { formatPattern } from './date-pattern.ts';
import { capitalizeWords } from './letter-case.ts';
import { formatPicture } from './number-picture.ts';
import { inNumberStyle, isNumberStyle, numberStyles } from './number-styles.ts';
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
}

function inLanguage(args: Arguments, call: FormatterCall): InLanguage {
  const locale = args.text(1, call.context.locale);
  return { locale, context: call.context.inLocale(locale) };
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
  numberPicture: picture('number', '#,##0.00', (value, mask, { context }) => {
    const number = readAmount(value);
    return number === undefined ? undefined : formatPicture(number, mask, context);
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
          isNumberStyle(asText(value) ?? '') ? undefined : `must be one of ${numberStyles.join(', ')}`,
      },
      language,
    ],
    apply: (input, args, call) => {
      const name = args.text(0);
      const number = readAmount(input);
      if (number === undefined || number < 0) return input;
      const { context, locale } = inLanguage(args, call);
      const text = inNumberStyle(number, name, context);
      if (text === undefined && /text$/i.test(name)) {
        // Reports a number that is too large, and a language without words.
        inWords(Math.round(number), call, locale);
        call.fail(`cannot be written as ${name} in "${locale}"`);
      }
      return text ?? input;
    },
  },
  nextRecord: moving(false),
  skipRecord: moving(true),
  allRecords,
  caps: {
    takes: 'text',
    gives: 'text',
    parameters: [],
    apply: (input, _args, { context }) => capitalizeWords(asText(input) ?? '', context.locale),
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
          comparisons.some((known) => known === value) ? undefined : `must be one of ${comparisons.join(' ')}`,
      },
      { name: 'other', type: 'text', acceptsMissing: true },
    ],
    apply: (input, args) => compareTexts(asText(input) ?? '', args.text(0), args.text(1), readAmount),
  },
};
