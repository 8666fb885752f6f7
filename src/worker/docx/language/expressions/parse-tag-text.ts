import { own, parseName, parsePath } from '../parse-path.ts';
import { type Expression, joinPath, type Scope } from '../scope.ts';
import { compileExpression } from './compile-expression.ts';
import { ExpressionError } from './expression-error.ts';
import { isMeantAsExpression, isPlainName } from './names.ts';
import { itemPathOf, type Operand, pathOf } from './operand.ts';
import { parseExpression } from './parse-expression.ts';

/**
 * Parses the text between the braces of a tag: a name or an expression. An invalid expression that may be a name with
 * punctuation, such as `Total (EUR)`, is looked up as a name. Throws ExpressionError.
 */
export function parseTagText(text: string): Expression {
  if (isPlainName(text)) return parseName(text);
  try {
    return toExpression(text, compileExpression(parseExpression(text)));
  } catch (error) {
    if (error instanceof ExpressionError && !isMeantAsExpression(text)) return parsePath(text);
    throw error;
  }
}

/** Whether a tag with expression characters is looked up as a name. */
export function isOddName(text: string): boolean {
  if (isPlainName(text) || isMeantAsExpression(text)) return false;
  try {
    compileExpression(parseExpression(text));
    return false;
  } catch {
    return true;
  }
}

/** A data key equal to the text of the tag takes precedence over the expression. */
function toExpression(text: string, operand: Operand): Expression {
  const findLevel = (scope: Scope): Scope | undefined => {
    let level: Scope | undefined = scope;
    while (level !== undefined && own(level.value, text) === undefined) level = level.parent;
    return level;
  };
  return {
    evaluate: (scope) => {
      const level = findLevel(scope);
      return level === undefined ? operand.evaluate(scope) : own(level.value, text);
    },
    locate: (scope) => {
      const level = findLevel(scope);
      return level === undefined ? pathOf(operand, scope) : joinPath(level.path, text);
    },
    locateItem: (scope, item, index) => {
      const level = findLevel(scope);
      return level === undefined ? itemPathOf(operand, scope, item, index) : `${joinPath(level.path, text)}[${index}]`;
    },
    missing: (scope) => {
      const { context } = scope;
      const missing: string[] = [];
      context.missing = missing;
      try {
        operand.evaluate(scope);
      } finally {
        context.missing = undefined;
      }
      return missing;
    },
    uses: (kind) => operand.uses(kind),
  };
}

export interface ExpressionProblem {
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
}

/** The problem of the text of a tag, if any. */
export function checkExpression(text: string): ExpressionProblem | undefined {
  if (isPlainName(text)) return undefined;
  try {
    parseTagText(text);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return { message: error.message, hint: error.hint };
    throw error;
  }
}
