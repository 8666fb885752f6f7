import { ExpressionError } from './expression-error.ts';
import { isPlainName } from './names.ts';
import { parseTagText } from './parse-tag-text.ts';

export interface FormulaProblem {
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
}

/** What is wrong with the text of a tag as a formula, or undefined. */
export function checkFormula(text: string): FormulaProblem | undefined {
  if (isPlainName(text)) return undefined;
  try {
    parseTagText(text);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return { message: error.message, hint: error.hint };
    throw error;
  }
}
