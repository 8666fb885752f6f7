import { asNumber, tidy, tooLarge } from '../arithmetic.ts';
import { DecimalSum } from '../decimal-sum.ts';
import { type Arguments, type Formatter, type FormatterCall, listFormatter } from '../formatter.ts';

/**
 * The numbers of a list, of a key of its items, or of an expression over each. Null and empty text are skipped. A missing key makes
 * the result missing, so that a typo in its name does not print a total of 0.
 */
function numbersOf(list: readonly unknown[], args: Arguments, call: FormatterCall): number[] | undefined {
  const key = args.itemKey(0);
  const numbers: number[] = [];
  let isMissing = false;
  let index = 0;
  for (const value of call.read(list, key, false)) {
    if (value === undefined) isMissing = true;
    else if (value !== null && value !== '') {
      const number = asNumber(value);
      if (number === undefined) call.failItem(list[index], index, key, value, 'a number');
      else numbers.push(number);
    }
    index += 1;
  }
  return isMissing ? undefined : numbers;
}

function aggregate(reduce: (numbers: readonly number[]) => number | null): Formatter {
  const parameters = [{ name: 'key', type: 'text', isOptional: true, readsItems: true }] as const;
  const options = { itemKey: { parameter: 0, kind: 'number' } } as const;
  return listFormatter('number', parameters, options, (list, args, call) => {
    const numbers = numbersOf(list, args, call);
    if (numbers === undefined) return undefined;
    const result = reduce(numbers);
    if (result === null) return null;
    return Number.isFinite(result) ? tidy(result) : call.fail(tooLarge);
  });
}

function sum(numbers: readonly number[]): number {
  const total = new DecimalSum();
  for (const number of numbers) total.add(number);
  return total.value;
}

function extreme(pick: (a: number, b: number) => number): (numbers: readonly number[]) => number | null {
  return ([first, ...rest]) => (first === undefined ? null : rest.reduce((a, b) => pick(a, b), first));
}

export const aggregateFormatters: Readonly<Record<string, Formatter>> = {
  sum: aggregate(sum),
  avg: aggregate((numbers) => (numbers.length === 0 ? null : sum(numbers) / numbers.length)),
  min: aggregate(extreme(Math.min)),
  max: aggregate(extreme(Math.max)),
};
