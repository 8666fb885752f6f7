import { paragraphSeparator } from '../../text-marks.ts';
import { isTooLong, tooLong } from '../arithmetic.ts';
import { type Formatter, type Parameter, textFormatter } from '../formatter.ts';
import { capitalize } from './letter-case.ts';

const maxWidth = 1000;

function checkWidth(value: unknown): string | undefined {
  const number = Number(value);
  const isValid = Number.isInteger(number) && number >= 0 && number <= maxWidth;
  return isValid ? undefined : `must be a whole number from 0 to ${maxWidth}`;
}

function checkNotEmpty(value: unknown): string | undefined {
  return value === '' ? 'must not be empty' : undefined;
}

const width: Parameter = { name: 'width', type: 'number', example: 10, check: checkWidth };
const filler: Parameter = { name: 'filler', type: 'text', isOptional: true, check: checkNotEmpty };

/** The lines of a text without empty ones. */
const linesOf = (text: string): string[] => text.split(/[\r\n\u2029]+/).filter((line) => line.trim() !== '');

/** Truncates to `length` code points, including `mark`. */
function truncate(text: string, length: number, mark: string): string {
  if (text.length <= length * 2 && Array.from(text).length <= length) return text;
  const keptLength = Math.max(0, length - Array.from(mark).length);
  const kept = Array.from(text.slice(0, keptLength * 2)).slice(0, keptLength);
  return kept.join('').trimEnd() + mark;
}

export const textFormatters: Readonly<Record<string, Formatter>> = {
  upper: textFormatter([], (text, _args, { context }) => text.toLocaleUpperCase(context.locale)),
  lower: textFormatter([], (text, _args, { context }) => text.toLocaleLowerCase(context.locale)),
  capitalize: textFormatter([], (text, _args, { context }) => capitalize(text, context.locale)),
  translate: textFormatter([], (key, _args, { context }) => context.translate(key)),
  trim: textFormatter([], (text) => text.trim()),
  paragraphs: textFormatter([], (text) => linesOf(text).join(paragraphSeparator)),
  padStart: textFormatter([width, filler], (text, args) => text.padStart(args.number(0), args.text(1, ' '))),
  padEnd: textFormatter([width, filler], (text, args) => text.padEnd(args.number(0), args.text(1, ' '))),
  truncate: textFormatter(
    [
      { name: 'length', type: 'number', example: 40, check: checkWidth },
      { name: 'mark', type: 'text', isOptional: true },
    ],
    (text, args) => truncate(text, args.number(0), args.text(1, '…')),
  ),
  replace: textFormatter(
    [
      { name: 'search', type: 'text', check: checkNotEmpty },
      { name: 'replacement', type: 'text' },
    ],
    (text, args, call) => {
      const [search, replacement] = [args.text(0), args.text(1)];
      const pieces = text.split(search);
      const length = text.length + (pieces.length - 1) * (replacement.length - search.length);
      return isTooLong(length) ? call.fail(tooLong) : pieces.join(replacement);
    },
  ),
};
