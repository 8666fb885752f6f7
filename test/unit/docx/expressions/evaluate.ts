import { expect } from 'vitest';
import { parseTagText } from '../../../../src/worker/docx/language/expressions/parse-tag-text.ts';
import { ValueProblem } from '../../../../src/worker/docx/language/expressions/value-problem.ts';
import { type Printed, printValue } from '../../../../src/worker/docx/language/print-value.ts';
import {
  defaultLocale,
  RenderContext,
  type RenderLocale,
} from '../../../../src/worker/docx/language/render-context.ts';
import { Scope } from '../../../../src/worker/docx/language/scope.ts';

/** Evaluates the text of a tag against `data`. */
export function evaluate(text: string, data: unknown, language: Partial<RenderLocale> = {}): unknown {
  return parseTagText(text).evaluate(Scope.root(data, new RenderContext({ ...defaultLocale, ...language })));
}

/** Prints the value of a tag, with every kind of space as a plain space. */
export function print(text: string, data: unknown, language: Partial<RenderLocale> = {}): string {
  const printed: Printed = printValue(evaluate(text, data, language));
  return 'text' in printed ? printed.text.replace(/[\u00a0\u202f]/g, ' ') : `[${printed.problem}]`;
}

/** The error for data that a tag rejects, as `path: problem`. */
export function problemOf(text: string, data: unknown, language: Partial<RenderLocale> = {}): string {
  try {
    const value = evaluate(text, data, language);
    throw new Error(`expected a problem, got ${JSON.stringify(value)}`);
  } catch (error) {
    if (error instanceof ValueProblem) return `${error.path}: ${error.problem}`;
    throw error;
  }
}

/** The JSON paths that a tag reports as missing. */
export function missingIn(text: string, data: unknown): readonly string[] {
  const expression = parseTagText(text);
  const scope = Scope.root(data, new RenderContext(defaultLocale));
  expect(expression.evaluate(scope)).toBeUndefined();
  return expression.missing?.(scope) ?? [expression.locate(scope)];
}
