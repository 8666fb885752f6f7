import type { RenderContext } from '../../render-context.ts';
import { tidy } from '../arithmetic.ts';
import { asText } from '../as-text.ts';
import { type Arguments, type Formatter, type FormatterCall, numberFormatter, type Parameter } from '../formatter.ts';
import { ordinalEnding } from './number-styles.ts';
import { inWords } from './words.ts';

const maxDigits = 15;
const digits: Parameter = { name: 'decimals', type: 'number', isOptional: true, example: 2, check: checkDigits };

function checkDigits(value: unknown): string | undefined {
  const number = Number(value);
  const isValid = Number.isInteger(number) && number >= 0 && number <= maxDigits;
  return isValid ? undefined : `must be a whole number from 0 to ${maxDigits}`;
}

let currencies: ReadonlySet<string> | undefined;

function checkCurrency(value: unknown): string | undefined {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has((asText(value) ?? '').toUpperCase()) ? undefined : 'must be a currency code, for example "EUR"';
}

const displays = ['symbol', 'narrowSymbol', 'code', 'name'] as const;

function checkDisplay(value: unknown): string | undefined {
  return displays.some((display) => display === value) ? undefined : `must be one of ${displays.join(', ')}`;
}

function format(context: RenderContext, options: Intl.NumberFormatOptions, value: number): string {
  const key = `number ${Object.values(options).join(' ')}`;
  return context.cached(key, () => new Intl.NumberFormat(context.locale, options)).format(value);
}

function fixed(args: Arguments, index: number): Intl.NumberFormatOptions {
  if (!args.has(index)) return {};
  const count = args.number(index);
  return { minimumFractionDigits: count, maximumFractionDigits: count };
}

function currency(value: number, args: Arguments, { context }: FormatterCall): string {
  const display = displays.find((name) => name === args.text(1)) ?? 'symbol';
  const options = { style: 'currency', currency: args.text(0), currencyDisplay: display } as const;
  return format(context, { ...options, ...fixed(args, 2) }, value);
}

/** Rounds decimal digits, not binary fractions: 1.005 to two digits is 1.01. */
function shift(round: (value: number) => number, value: number, count: number): number {
  const exponent = (number: number, by: number) => {
    const [mantissa, power = '0'] = String(number).split('e');
    return Number(`${mantissa}e${Number(power) + by}`);
  };
  const rounded = exponent(round(exponent(value, count)), -count);
  return Number.isFinite(rounded) ? rounded : value;
}

const roundHalf = (value: number) => Math.sign(value) * Math.round(Math.abs(value));

function rounding(round: (value: number) => number): Formatter {
  return numberFormatter('number', [digits], (value, args) => {
    const rounded = shift(round, tidy(value), args.number(0));
    return rounded === 0 ? 0 : rounded;
  });
}

export const numberFormatters: Readonly<Record<string, Formatter>> = {
  number: numberFormatter('text', [digits], (value, args, { context }) => format(context, fixed(args, 0), value)),
  currency: numberFormatter(
    'text',
    [
      { name: 'code', type: 'text', example: 'EUR', check: checkCurrency },
      { name: 'display', type: 'text', isOptional: true, example: 'symbol', check: checkDisplay },
      digits,
    ],
    currency,
  ),
  percent: numberFormatter('text', [digits], (value, args, { context }) => {
    const options = args.has(0) ? fixed(args, 0) : { maximumFractionDigits: 2 };
    return format(context, { style: 'percent', ...options }, value);
  }),
  ordinal: numberFormatter('text', [], (value, _args, call) =>
    Number.isSafeInteger(value) ? ordinal(value, call.context) : call.fail('is not a whole number: round it first'),
  ),
  words: numberFormatter('text', [], (value, _args, call) => inWords(value, call)),
  abs: numberFormatter('number', [], (value) => Math.abs(value)),
  round: rounding(roundHalf),
  ceil: rounding(Math.ceil),
  floor: rounding(Math.floor),
};

/** A whole number as an ordinal: 1st, 2., 3e. */
function ordinal(value: number, context: RenderContext): string {
  const number = context.cached('whole number', () => new Intl.NumberFormat(context.locale)).format(value);
  return number + ordinalEnding(value, context);
}
