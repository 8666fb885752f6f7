import { Lexer } from 'angular-expressions';
import { expressionLimits } from '../../limits.ts';
import { ExpressionError } from './expression-error.ts';

/** A token as angular-expressions' parser takes it. */
export interface Token {
  readonly index: number;
  readonly text: string;
  readonly operator?: boolean;
  readonly identifier?: boolean;
  readonly constant?: boolean;
  readonly value?: unknown;
}

interface LexerLike {
  lex(text: string): Token[];
}

/** Splits a formula into tokens: words as operators, `.` as the current item; bounded, so that the parser may recurse. */
export function tokenize(text: string): Token[] {
  if (text.includes('`') || text.includes('\\u')) throw new ExpressionError('it holds a character that has no meaning');
  const tokens = withWords(withCurrentItem(lex(text)));
  if (tokens.length > expressionLimits.tokens)
    throw new ExpressionError(`the formula has more than ${expressionLimits.tokens} parts`);
  checkTokens(tokens);
  return tokens;
}

function lex(text: string): Token[] {
  const isStart = (char: string) => /[\p{ID_Start}_$]/u.test(char);
  const isContinue = (char: string) => /[\p{ID_Continue}$]/u.test(char);
  const lexer = new Lexer({ isIdentifierStart: isStart, isIdentifierContinue: isContinue }) as unknown as LexerLike;
  try {
    return lexer.lex(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    if (message.includes('Unterminated quote')) throw new ExpressionError('a quotation mark is not closed');
    throw new ExpressionError('it holds a character that has no meaning');
  }
}

function isOperandStart(before: Token | undefined): boolean {
  if (before === undefined || before.operator === true) return true;
  return before.identifier !== true && before.constant !== true && '([,:'.includes(before.text);
}

function withCurrentItem(tokens: readonly Token[]): Token[] {
  return tokens.map((token, i) =>
    token.text === '.' && isOperandStart(tokens[i - 1]) ? { ...token, identifier: true } : token,
  );
}

const words: Readonly<Record<string, string>> = { and: '&&', or: '||' };
const endsNot = new Set(['&&', '||', '??', '?', '|', ':', ',']);

/** `not` reaches as far as a reader expects: `not a == b` is `!(a == b)`. */
function withWords(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  const open: number[] = [];
  let depth = 0;
  const closeNots = (index: number) => {
    for (; open.at(-1) === depth; open.pop()) out.push({ index, text: ')' });
  };
  for (const [i, token] of tokens.entries()) {
    const isWord = token.identifier === true && tokens[i - 1]?.text !== '.';
    const text = isWord && Object.hasOwn(words, token.text) ? (words[token.text] ?? '') : token.text;
    const isMark = token.constant !== true;
    if (isMark && (endsNot.has(text) || text === ')' || text === ']')) closeNots(token.index);
    if (isMark && (text === '(' || text === '[')) depth++;
    if (isMark && (text === ')' || text === ']')) depth--;
    if (isWord && text === 'not') {
      out.push({ index: token.index, text: '!', operator: true }, { index: token.index, text: '(' });
      open.push(depth);
    } else out.push(text === token.text ? token : { index: token.index, text, operator: true });
  }
  closeNots(Number.POSITIVE_INFINITY);
  return out;
}

function checkTokens(tokens: readonly Token[]): void {
  let depth = 0;
  let run = 0;
  let choices = 0;
  for (const [i, token] of tokens.entries()) {
    if (token.constant === true) {
      if (typeof token.value === 'number' && !Number.isFinite(token.value))
        throw new ExpressionError(`${token.text} is not a number`);
      run = 0;
      continue;
    }
    if (token.text === '=') throw new ExpressionError('"=" has no meaning', 'write == to compare');
    if (token.text === ';' || token.text === '{' || token.text === '}')
      throw new ExpressionError(`"${token.text}" has no meaning`);
    const before = tokens[i - 1];
    if (token.text === '(' && (before?.identifier === true || before?.text === ')' || before?.text === ']'))
      throw new ExpressionError('functions cannot be called', 'use a formatter, for example {name | upper}');
    if (token.text === '(' || token.text === '[') depth++;
    if (token.text === ')' || token.text === ']') depth--;
    if (token.text === '?') choices++;
    run = token.operator === true ? run + 1 : 0;
    if (Math.max(depth, run, choices) > expressionLimits.depth)
      throw new ExpressionError(`it is nested deeper than ${expressionLimits.depth} levels`);
  }
}
