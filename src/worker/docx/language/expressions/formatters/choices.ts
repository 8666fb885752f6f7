import { isTruthy } from '../../print-value.ts';
import { isTooLong, tooLong } from '../arithmetic.ts';
import type { Formatter } from '../formatter.ts';

function printsNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export const choiceFormatters: Readonly<Record<string, Formatter>> = {
  default: {
    takes: 'any',
    gives: 'unknown',
    takesMissing: true,
    parameters: [{ name: 'replacement', type: 'any' }],
    apply: (input, args) => (printsNothing(input) ? args.value(0) : input),
  },
  yesno: {
    takes: 'any',
    gives: 'text',
    takesMissing: true,
    isTest: true,
    parameters: [
      { name: 'yes', type: 'text' },
      { name: 'no', type: 'text' },
    ],
    apply: (input, args) => args.text(isTruthy(input) ? 0 : 1),
  },
  json: {
    takes: 'any',
    gives: 'text',
    parameters: [],
    apply: (input, _args, call) => {
      const text = JSON.stringify(input);
      return isTooLong(text.length) ? call.fail(tooLong) : text;
    },
  },
};
