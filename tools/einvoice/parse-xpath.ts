import { type Token, tokenize } from './xpath-tokens.ts';

/** An expression of the part of XPath 2.0 that invoice rules use. */
export type Expression =
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'context' }
  | { readonly kind: 'root' }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Expression[] }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'path'; readonly from: Expression; readonly step: Expression }
  | { readonly kind: 'step'; readonly axis: string; readonly test: string }
  | { readonly kind: 'filter'; readonly base: Expression; readonly predicate: Expression }
  | {
      readonly kind: 'each';
      readonly form: 'for' | 'some' | 'every';
      readonly variable: string;
      readonly items: Expression;
      readonly body: Expression;
    }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    };

/** The binary operators, from the lowest to the highest precedence. */
const levels: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['=', '!=', '<', '<=', '>', '>=', 'eq', 'ne', 'lt', 'le', 'gt', 'ge'],
  ['+', '-'],
  ['*', 'div', 'mod'],
  ['|', 'union'],
];

/** Parses an expression. Throws an error that names the unsupported token. */
export function parseXPath(source: string): Expression {
  const reader = new Reader(source);
  const expression = parseSequence(reader);
  if (reader.peek() !== undefined) throw reader.unexpected();
  return expression;
}

class Reader {
  private position = 0;
  private readonly tokens: readonly Token[];
  private readonly source: string;

  constructor(source: string) {
    this.tokens = tokenize(source);
    this.source = source;
  }

  peek(ahead = 0): Token | undefined {
    return this.tokens[this.position + ahead];
  }

  next(): Token {
    const token = this.tokens[this.position++];
    if (token === undefined) throw this.unexpected();
    return token;
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.text === text && (token.kind === 'symbol' || token.kind === 'name');
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.position++;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.unexpected();
  }

  unexpected(): Error {
    return new Error(`unexpected ${this.peek()?.text ?? 'end'} in XPath: ${this.source}`);
  }
}

function parseSequence(reader: Reader): Expression {
  const first = parseSingle(reader);
  if (!reader.is(',')) return first;
  const items = [first];
  while (reader.accept(',')) items.push(parseSingle(reader));
  return { kind: 'sequence', items };
}

function parseSingle(reader: Reader): Expression {
  const word = reader.peek()?.text;
  const isEach = word === 'for' || word === 'some' || word === 'every';
  if (isEach && reader.peek(1)?.kind === 'variable') return parseEach(reader, word);
  if (reader.is('if') && reader.is('(', 1)) return parseIf(reader);
  return parseBinary(reader, 0);
}

function parseEach(reader: Reader, form: 'for' | 'some' | 'every'): Expression {
  reader.next();
  const variable = reader.next().text;
  reader.expect('in');
  const items = parseSingle(reader);
  reader.expect(form === 'for' ? 'return' : 'satisfies');
  return { kind: 'each', form, variable, items, body: parseSingle(reader) };
}

function parseIf(reader: Reader): Expression {
  reader.next();
  reader.expect('(');
  const condition = parseSequence(reader);
  reader.expect(')');
  reader.expect('then');
  const then = parseSingle(reader);
  reader.expect('else');
  return { kind: 'if', condition, then, otherwise: parseSingle(reader) };
}

function parseBinary(reader: Reader, level: number): Expression {
  const operators = levels[level];
  if (operators === undefined) return parseCast(reader);
  let left = parseBinary(reader, level + 1);
  for (;;) {
    const operator = operators.find((each) => reader.is(each));
    if (operator === undefined) return left;
    reader.next();
    left = { kind: 'binary', operator, left, right: parseBinary(reader, level + 1) };
  }
}

function parseCast(reader: Reader): Expression {
  const operand = parsePath(reader);
  if (!reader.is('cast') || !reader.is('as', 1)) return operand;
  reader.next();
  reader.next();
  return { kind: 'call', name: `cast as ${reader.next().text}`, arguments: [operand] };
}

const anywhere: Expression = { kind: 'step', axis: 'descendant-or-self', test: 'node()' };

function parsePath(reader: Reader): Expression {
  if (reader.accept('//')) return parseSteps(reader, { kind: 'path', from: { kind: 'root' }, step: anywhere });
  if (reader.accept('/')) return startsStep(reader) ? parseSteps(reader, { kind: 'root' }) : { kind: 'root' };
  return continuePath(reader, parseStep(reader));
}

function startsStep(reader: Reader): boolean {
  const token = reader.peek();
  return token !== undefined && (token.kind === 'name' || ['*', '@', '.', '..', '('].includes(token.text));
}

function parseSteps(reader: Reader, from: Expression): Expression {
  return continuePath(reader, { kind: 'path', from, step: parseStep(reader) });
}

function continuePath(reader: Reader, from: Expression): Expression {
  if (reader.accept('//')) return parseSteps(reader, { kind: 'path', from, step: anywhere });
  return reader.accept('/') ? parseSteps(reader, from) : from;
}

function parseStep(reader: Reader): Expression {
  let base = parseBase(reader);
  while (reader.accept('[')) {
    base = { kind: 'filter', base, predicate: parseSequence(reader) };
    reader.expect(']');
  }
  return base;
}

function parseBase(reader: Reader): Expression {
  const token = reader.peek();
  if (token === undefined) throw reader.unexpected();
  if (token.kind === 'string' || token.kind === 'number') return { kind: token.kind, text: reader.next().text };
  if (token.kind === 'variable') return { kind: 'variable', name: reader.next().text };
  if (reader.accept('(')) return parseParenthesised(reader);
  if (reader.accept('..')) return { kind: 'step', axis: 'parent', test: 'node()' };
  if (reader.accept('.')) return { kind: 'context' };
  if (reader.accept('@')) return { kind: 'step', axis: 'attribute', test: reader.next().text };
  if (reader.accept('*')) return { kind: 'step', axis: 'child', test: '*' };
  if (token.kind !== 'name') throw reader.unexpected();
  return parseNamed(reader);
}

function parseParenthesised(reader: Reader): Expression {
  if (reader.accept(')')) return { kind: 'sequence', items: [] };
  const inner = parseSequence(reader);
  reader.expect(')');
  return inner;
}

function parseNamed(reader: Reader): Expression {
  const name = reader.next().text;
  if (reader.accept('::')) return { kind: 'step', axis: name, test: parseTest(reader, reader.next().text) };
  if (!reader.is('(')) return { kind: 'step', axis: 'child', test: name };
  if (name === 'text' || name === 'node') return { kind: 'step', axis: 'child', test: parseTest(reader, name) };
  reader.expect('(');
  const items: Expression[] = [];
  while (!reader.accept(')')) {
    items.push(parseSingle(reader));
    if (!reader.is(')')) reader.expect(',');
  }
  return { kind: 'call', name, arguments: items };
}

function parseTest(reader: Reader, name: string): string {
  if (!reader.accept('(')) return name;
  reader.expect(')');
  return `${name}()`;
}
