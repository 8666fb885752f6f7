import type { Scope } from '../../scope.ts';
import { tooLarge } from '../arithmetic.ts';
import { DecimalSum } from '../decimal-sum.ts';
import type { Formatter } from '../formatter.ts';
import { numberOf, type Operand, pathOf } from '../operand.ts';
import { ValueProblem } from '../value-problem.ts';

/** The sum of a value over the first items of a list. */
class RunningTotal {
  /** The number of items that were added. */
  count = 0;
  /** The first item without the value. */
  missingAt: number | undefined;
  readonly sum = new DecimalSum();
}

/**
 * The sum of `input` over the items of the innermost list up to the current one. It does not depend on what is printed:
 * items that a condition omits count too.
 */
function runningSum(input: Operand): Operand['evaluate'] {
  return (scope) => {
    const item = scope.listItem;
    if (item?.position === undefined)
      throw new ValueProblem(
        pathOf(input, scope),
        'has no list around it: put the tag into a section that repeats a list',
      );
    const { index, list } = item.position;
    const total = list.remembered(input, () => new RunningTotal());
    scope.context.spendItems(index + 1 - total.count);
    while (total.count <= index && total.missingAt === undefined) add(input, item, total);
    // Evaluated again, so that the missing path is reported for this item too.
    if (total.missingAt !== undefined) return input.evaluate(item.itemAt(total.missingAt));
    const { value } = total.sum;
    if (!Number.isFinite(value)) throw new ValueProblem(pathOf(input, item), tooLarge);
    return value;
  };
}

function add(input: Operand, around: Scope, total: RunningTotal): void {
  const item = around.itemAt(total.count);
  const number = numberOf(input, input.evaluate(item), item);
  if (number === undefined) total.missingAt = total.count;
  else if (number !== null) total.sum.add(number);
  total.count++;
}

export const runningFormatters: Readonly<Record<string, Formatter>> = {
  runningSum: { takes: 'number', gives: 'number', needsList: true, parameters: [], compile: runningSum },
};
