import { expressionLimits } from '../../limits.ts';
import { ExpressionError } from './expression-error.ts';
import { type ExpressionNode, SyntaxError as ParseError, parse } from './generated-parser.js';
import { isPlainOperand } from './names.ts';
import { normalizeExpression } from './normalize-expression.ts';
import { readTokens } from './read-tokens.ts';

const maxQuoteLength = 40;

/** Parses an expression to a syntax tree. Throws ExpressionError. */
export function parseExpression(source: string): ExpressionNode {
  if (source.length > expressionLimits.chars)
    throw new ExpressionError(`the expression is longer than ${expressionLimits.chars} characters`);
  const text = normalizeExpression(source).trim();
  const pipe = firstPipe(text);
  const base = text.slice(0, pipe).trim();
  // Any name that is valid in a plain tag is valid before the first `|`: `{first name | upper}`, `{rows.0.x | number}`.
  if (pipe === -1 || base === '' || !isPlainOperand(base)) return parseText(text, (whole) => parse(whole));
  const formatters = parseText(text.slice(pipe), (rest) => parse(rest, { startRule: 'Formatters' }));
  return { type: 'pipe', input: { type: 'name', name: base }, formatters };
}

function firstPipe(text: string): number {
  const found = /^[^|"'([]*\|(?!\|)/.exec(text);
  return found === null ? -1 : found[0].length - 1;
}

function parseText<T>(text: string, read: (text: string) => T): T {
  const tokens = readTokens(text);
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { offset } = error.location.start;
    const unexpected = tokens.find((token) => token.index + token.text.length > offset);
    if (unexpected === undefined) throw new ExpressionError('the expression ends too early');
    throw new ExpressionError(`unexpected "${unexpected.text.slice(0, maxQuoteLength)}"`);
  }
}
