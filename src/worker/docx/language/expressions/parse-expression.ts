import { type Lexer, Parser } from 'angular-expressions';
import { expressionLimits } from '../../limits.ts';
import { ExpressionError } from './expression-error.ts';
import { isPlainOperand } from './names.ts';
import { normalizeExpression } from './normalize-expression.ts';
import { type Token, tokenize } from './tokens.ts';

/** The nodes of angular-expressions' AST that a formula may have; anything else is refused. */
export type AstNode =
  | { readonly type: 'Literal'; readonly value: unknown }
  | { readonly type: 'Identifier'; readonly name: string }
  | { readonly type: 'UnaryExpression'; readonly operator: '+' | '-' | '!'; readonly argument: AstNode }
  | { readonly type: 'BinaryExpression'; readonly operator: string; readonly left: AstNode; readonly right: AstNode }
  | { readonly type: 'LogicalExpression'; readonly operator: string; readonly left: AstNode; readonly right: AstNode }
  | {
      readonly type: 'ConditionalExpression';
      readonly test: AstNode;
      /** The value when the test is true: the library names the two the other way round. */
      readonly alternate: AstNode;
      readonly consequent: AstNode;
    }
  | {
      readonly type: 'MemberExpression';
      readonly object: AstNode;
      readonly property: AstNode;
      readonly computed: boolean;
    }
  | { readonly type: 'ArrayExpression'; readonly elements: readonly AstNode[] }
  | {
      readonly type: 'FilterExpression';
      readonly callee: { readonly name: string };
      readonly arguments: readonly AstNode[];
    };

interface AstBuilder {
  ast(text: string): { readonly body: readonly { readonly expression: AstNode }[] };
}

const literals = { true: true, false: false, null: null };

/** Parses a formula with angular-expressions, of which only the AST is used. Throws ExpressionError. */
export function parseExpression(source: string): AstNode {
  if (source.length > expressionLimits.chars)
    throw new ExpressionError(`the formula is longer than ${expressionLimits.chars} characters`);
  const tokens = readTokens(normalizeExpression(source).trim());
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
