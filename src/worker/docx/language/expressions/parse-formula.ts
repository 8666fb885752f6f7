import { type Lexer, Parser } from 'angular-expressions';
import type { AstNode } from './ast.ts';
import { ExpressionError } from './expression-error.ts';
import { expressionLimits } from './expression-limits.ts';
import { isPlainOperand } from './names.ts';
import { normalizeFormula } from './normalize-formula.ts';
import { type Token, tokenize } from './tokens.ts';

interface AstBuilder {
  ast(text: string): { readonly body: readonly { readonly expression: AstNode }[] };
}

const literals = { true: true, false: false, null: null };

/** Parses a formula with angular-expressions, of which only the AST is used. Throws ExpressionError. */
export function parseFormula(source: string): AstNode {
  if (source.length > expressionLimits.chars)
    throw new ExpressionError(`the formula is longer than ${expressionLimits.chars} characters`);
  const tokens = readTokens(normalizeFormula(source).trim());
  const lexer = { lex: () => [...tokens] };
  const parser = new Parser(lexer as unknown as Lexer, noFilter, { csp: true, handleThis: false, literals });
  const builder = (parser as unknown as { ast: AstBuilder }).ast;
  const { body } = parse(() => builder.ast(source));
  const [statement, ...others] = body;
  if (statement === undefined || others.length > 0) throw new ExpressionError('it is not one formula');
  return statement.expression;
}

/** What stands before the first `|` may be any name a plain tag may hold: `{first name | upper}`, `{rows.0.x | number}`. */
function readTokens(text: string): Token[] {
  const pipe = firstPipe(text);
  const base = text.slice(0, pipe).trim();
  if (pipe === -1 || base === '' || !isPlainOperand(base)) return tokenize(text);
  return [{ index: 0, text: base, identifier: true }, ...tokenize(text.slice(pipe))];
}

function firstPipe(text: string): number {
  const found = /^[^|"'([]*\|(?!\|)/.exec(text);
  return found === null ? -1 : found[0].length - 1;
}

function noFilter(): never {
  throw new Error('filters are never looked up while parsing');
}

function parse<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const token = /Syntax Error: Token '([\s\S]{1,40}?)' (?:is|not)/.exec(message)?.[1];
    if (token === undefined || token === 'undefined') throw new ExpressionError('the formula ends too early');
    throw new ExpressionError(`"${token}" is not expected there`);
  }
}
