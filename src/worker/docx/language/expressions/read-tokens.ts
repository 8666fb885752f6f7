import { expressionLimits } from '../../limits.ts';
import { ExpressionError } from './expression-error.ts';

/** A word, value, operator or bracket of an expression. */
export interface Token {
  readonly kind: 'number' | 'text' | 'word' | 'operator' | 'mark';
  readonly text: string;
  readonly index: number;
}

const pattern =
  /(?<number>(?:\d|\.\d)[\d.]*(?:e[+-]?\d[\d.]*)?)|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<word>[\p{ID_Start}_$][\p{ID_Continue}$]*)|(?<operator>[!=]==?|[<>]=?|&&|\|\|?|\?\??|[-+*/%!=])|(?<mark>[(){}[\].,;:])|\s+/isuy;
const kinds = ['number', 'text', 'word', 'operator', 'mark'] as const;

/**
 * Splits an expression into tokens and rejects errors for which the parser has no helpful message. The limits on number and
 * nesting bound the recursion of the parser.
 */
export function readTokens(source: string): Token[] {
  if (source.includes('`') || source.includes('\\u')) throw invalidCharacter();
  const tokens: Token[] = [];
  for (let index = 0; index < source.length; index = pattern.lastIndex) {
    pattern.lastIndex = index;
    const found = pattern.exec(source);
    if (found === null) throw /^["']/.test(source.slice(index)) ? unclosedQuote() : invalidCharacter();
    const kind = kinds.find((name) => found.groups?.[name] !== undefined);
    if (kind !== undefined) tokens.push({ kind, text: found[0], index });
  }
  if (tokens.length > expressionLimits.tokens)
    throw new ExpressionError(`the expression has more than ${expressionLimits.tokens} parts`);
  checkTokens(tokens);
  return tokens;
}

function invalidCharacter(): ExpressionError {
  return new ExpressionError('it contains a character that is not allowed in an expression');
}

function unclosedQuote(): ExpressionError {
  return new ExpressionError('a quotation mark is not closed');
}

/** Tokens that end the operand of a `not`. */
const endsNot = new Set(['&&', '||', '??', '?', '|', ':', ',', ')', ']', 'and', 'or']);

function checkTokens(tokens: readonly Token[]): void {
  let depth = 0;
  let run = 0;
  let choices = 0;
  /** The depths of `not` operators whose operand is still open. */
  const nots: number[] = [];
  for (const [i, { kind, text }] of tokens.entries()) {
    const before = tokens[i - 1];
    if (kind === 'number' && !Number.isFinite(Number(text))) throw new ExpressionError(`${text} is not a number`);
    if (kind === 'operator' || kind === 'mark') checkMeaning(text, before);
    if (kind !== 'text' && endsNot.has(text)) while (nots.at(-1) === depth) nots.pop();
    if (kind === 'mark' && (text === '(' || text === '[')) depth++;
    if (kind === 'mark' && (text === ')' || text === ']')) depth--;
    if (kind === 'operator' && text === '?') choices++;
    const isNot = kind === 'word' && text === 'not' && before?.text !== '.';
    if (isNot) nots.push(depth);
    run = kind === 'operator' ? run + 1 : 0;
    if (Math.max(depth + nots.length, run, choices) > expressionLimits.depth)
      throw new ExpressionError(`it is nested deeper than ${expressionLimits.depth} levels`);
  }
}

function checkMeaning(text: string, before: Token | undefined): void {
  if (text === '=') throw new ExpressionError('"=" is not allowed in an expression', 'write == to compare');
  if (text === ';' || text === '{' || text === '}')
    throw new ExpressionError(`"${text}" is not allowed in an expression`);
  if (text === '(' && (before?.kind === 'word' || before?.text === ')' || before?.text === ']') && !isOperator(before))
    throw new ExpressionError('functions cannot be called', 'use a formatter, for example {name | upper}');
}

function isOperator({ text }: Token): boolean {
  return text === 'and' || text === 'or' || text === 'not';
}
