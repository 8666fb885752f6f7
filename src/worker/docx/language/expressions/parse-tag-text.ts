import { own, parsePath } from '../parse-path.ts';
import { type Expression, joinPath, type Scope } from '../scope.ts';
import { compileFormula } from './compile-formula.ts';
import { ExpressionError } from './expression-error.ts';
import { parseName } from './loop-helper.ts';
import { isMeantAsFormula, isPlainName } from './names.ts';
import { itemPlaceOf, type Operand, placeOf } from './operand.ts';
import { parseFormula } from './parse-formula.ts';

/**
 * Reads what stands between the braces of a tag: a name, else a formula. What is neither, but may be a name with signs in
 * it, such as `Total (EUR)`, is looked up as a name. Throws ExpressionError.
 */
export function parseTagText(text: string): Expression {
  if (isPlainName(text)) return parseName(text);
  try {
    return toExpression(text, compileFormula(parseFormula(text)));
  } catch (error) {
    if (error instanceof ExpressionError && !isMeantAsFormula(text)) return parsePath(text);
    throw error;
  }
}

/** Whether a tag with signs of a formula is looked up as a name all the same. */
export function isOddName(text: string): boolean {
  if (isPlainName(text) || isMeantAsFormula(text)) return false;
  try {
    compileFormula(parseFormula(text));
    return false;
  } catch {
    return true;
  }
}

/** A key that is exactly the text of the tag wins over the formula. */
function toExpression(text: string, formula: Operand): Expression {
  const findLevel = (scope: Scope): Scope | undefined => {
    let level: Scope | undefined = scope;
    while (level !== undefined && own(level.value, text) === undefined) level = level.parent;
    return level;
  };
  return {
    evaluate: (scope) => {
      const level = findLevel(scope);
      return level === undefined ? formula.evaluate(scope) : own(level.value, text);
    },
    locate: (scope) => {
      const level = findLevel(scope);
      return level === undefined ? placeOf(formula, scope) : joinPath(level.path, text);
    },
    locateItem: (scope, item, index) => {
      const level = findLevel(scope);
      return level === undefined ? itemPlaceOf(formula, scope, item, index) : `${joinPath(level.path, text)}[${index}]`;
    },
    missing: (scope) => {
      const { context } = scope;
      const missing: string[] = [];
      context.missing = missing;
      try {
        formula.evaluate(scope);
      } finally {
        context.missing = undefined;
      }
      return missing;
    },
    uses: (kind) => formula.uses(kind),
  };
}
