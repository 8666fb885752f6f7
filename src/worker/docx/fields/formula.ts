/** A formula that cannot be computed; `message` is what Word prints instead. */
export class FormulaError extends Error {}

/** The values that a formula may refer to. */
export interface FormulaSource {
  /**
   * The numbers in cells: `A1`, `A1:B3`, `A:A`, `2:2`, ABOVE, BELOW, LEFT or RIGHT of the formula's table, or of the one
   * with a bookmark; undefined if there are no such cells.
   */
  cells(reference: string, bookmark?: string): readonly number[] | undefined;
  /** The number in a bookmark; undefined if there is no such bookmark. */
  bookmark(name: string): number | undefined;
}

type Token = { readonly kind: 'number' | 'name' | 'operator'; readonly text: string };

/** The operands of a function: numbers, and for a range each number in it. */
type Functions = Readonly<Record<string, (values: readonly number[]) => number>>;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const truth = (isTrue: boolean): number => (isTrue ? 1 : 0);

/** The functions of ECMA-376 part 1, 17.16.3.4. */
const functions: Functions = {
  ABS: ([value = 0]) => Math.abs(value),
  AND: (values) => truth(values.every((value) => value !== 0)),
  AVERAGE: (values) => divide(sum(values), values.length),
  COUNT: (values) => values.length,
  INT: ([value = 0]) => Math.floor(value),
  MAX: (values) => Math.max(...requireSome(values)),
  MIN: (values) => Math.min(...requireSome(values)),
  MOD: ([value = 0, by = 0]) => value - by * Math.floor(divide(value, by)),
  NOT: ([value = 0]) => truth(value === 0),
  OR: (values) => truth(values.some((value) => value !== 0)),
  PRODUCT: (values) => values.reduce((product, value) => product * value, 1),
  ROUND: ([value = 0, digits = 0]) => roundHalfUp(value, digits),
  SIGN: ([value = 0]) => Math.sign(value),
  SUM: sum,
};

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};

const positions = /^(?:ABOVE|BELOW|LEFT|RIGHT)$/i;
const cellName = /^(?:[A-Z]{1,2}\d{1,5}|[A-Z]{1,2})$/i;
const maxNesting = 50;

/** Computes a formula (ECMA-376 part 1, 17.16.3). Throws FormulaError. Numbers have a decimal point. */
export function computeFormula(text: string, source: FormulaSource): number {
  const parser = new Parser(tokenize(text), source);
  const value = parser.comparison();
  parser.requireEnd();
  if (!Number.isFinite(value)) throw new FormulaError('!Number cannot be represented in specified format');
  return Math.abs(value) < 1e-12 ? 0 : Number(value.toPrecision(15));
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d*)?|\.\d+)|([\p{L}_]\w*)|(<>|<=|>=|[-+*/^%()=<>,;:])|(\S))/guy;
  for (const [, number, name, operator, other] of text.trimEnd().matchAll(pattern)) {
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (operator !== undefined) tokens.push({ kind: 'operator', text: operator });
    else if (!/\p{Sc}/u.test(other ?? '')) throw new FormulaError(`!Syntax Error, ${other}`);
  }
  return tokens;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #source: FormulaSource;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], source: FormulaSource) {
    this.#tokens = tokens;
    this.#source = source;
  }

  requireEnd(): void {
    if (this.#at < this.#tokens.length) throw new FormulaError('!Syntax Error');
  }

  comparison(): number {
    const left = this.#sum();
    const compare = comparisons[this.#peek()];
    if (compare === undefined) return left;
    this.#at++;
    return truth(compare(left, this.#sum()));
  }

  #peek(offset = 0): string {
    return this.#tokens[this.#at + offset]?.text ?? '';
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  #sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value += this.#product();
      else if (this.#take('-')) value -= this.#product();
      else return value;
    }
  }

  #product(): number {
    let value = this.#power();
    for (;;) {
      if (this.#take('*')) value *= this.#power();
      else if (this.#take('/')) value = divide(value, this.#power());
      else return value;
    }
  }

  #power(): number {
    const base = this.#signed();
    return this.#take('^') ? base ** this.#power() : base;
  }

  #signed(): number {
    if (this.#take('-')) return -this.#signed();
    if (this.#take('+')) return this.#signed();
    const value = this.#operand();
    return this.#take('%') ? value / 100 : value;
  }

  #operand(): number {
    if (++this.#depth > maxNesting) throw new FormulaError('!Syntax Error');
    const value = this.#readOperand();
    this.#depth--;
    return value;
  }

  #readOperand(): number {
    if (this.#take('(')) {
      const value = this.comparison();
      if (!this.#take(')')) throw new FormulaError('!Missing )');
      return value;
    }
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new FormulaError('!Unexpected End of Formula');
    if (token.kind === 'number') {
      this.#at++;
      return Number(token.text);
    }
    if (token.kind !== 'name') throw new FormulaError('!Syntax Error');
    return this.#named(token.text);
  }

  #named(name: string): number {
    const upper = name.toUpperCase();
    if (this.#peek(1) === '(') return this.#call(upper);
    if (upper === 'TRUE' || upper === 'FALSE') {
      this.#at++;
      return truth(upper === 'TRUE');
    }
    const range = this.#range();
    if (range !== undefined) return sum(range);
    this.#at++;
    const value = this.#source.bookmark(name);
    if (value === undefined) throw new FormulaError(`!Undefined Bookmark, ${upper}`);
    return value;
  }

  #call(name: string): number {
    this.#at += 2;
    if (name === 'DEFINED') return this.#defined();
    const values: (readonly number[])[] = [];
    while (this.#peek() !== ')') {
      values.push(this.#argument());
      if (!this.#take(',') && !this.#take(';')) break;
    }
    if (!this.#take(')')) throw new FormulaError('!Missing )');
    if (name === 'IF') return (values[0]?.[0] ?? 0) !== 0 ? sum(values[1] ?? []) : sum(values[2] ?? []);
    const compute = functions[name];
    if (compute === undefined) throw new FormulaError(`!Syntax Error, ${name}`);
    return compute(values.flat());
  }

  /** DEFINED is true if its operand can be computed. */
  #defined(): number {
    let isDefined = true;
    const start = this.#at;
    try {
      this.comparison();
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      isDefined = false;
      this.#at = start;
      while (this.#at < this.#tokens.length && this.#peek() !== ')') this.#at++;
    }
    if (!this.#take(')')) throw new FormulaError('!Missing )');
    return truth(isDefined);
  }

  /** An operand of a function: a range of cells has each of its numbers. */
  #argument(): readonly number[] {
    const start = this.#at;
    const range = this.#range();
    if (range !== undefined && [')', ',', ';'].includes(this.#peek())) return range;
    this.#at = start;
    return [this.comparison()];
  }

  /** The numbers of a reference to cells; undefined if the next token is not such a reference. */
  #range(): readonly number[] | undefined {
    const first = this.#peek();
    if (positions.test(first)) {
      this.#at++;
      return this.#source.cells(first.toUpperCase()) ?? missing(first);
    }
    const isOther = this.#tokens[this.#at]?.kind === 'name' && cellName.test(this.#peek(1));
    const [start, bookmark] = isOther ? [1, first] : [0, undefined];
    const isRange = this.#peek(start + 1) === ':';
    const from = this.#peek(start);
    if (!cellName.test(from) && !(isRange && /^\d+$/.test(from))) return undefined;
    const reference = isRange ? `${from}:${this.#peek(start + 2)}` : from;
    const found = this.#source.cells(reference.toUpperCase(), bookmark);
    if (found === undefined) return isRange || isOther ? missing(reference) : undefined;
    this.#at += start + (isRange ? 3 : 1);
    return found;
  }
}

function missing(reference: string): never {
  throw new FormulaError(`!Undefined Bookmark, ${reference.toUpperCase()}`);
}

function divide(value: number, by: number): number {
  if (by === 0) throw new FormulaError('!Zero Divide');
  return value / by;
}

function requireSome(values: readonly number[]): readonly number[] {
  return values.length > 0 ? values : [0];
}

function roundHalfUp(value: number, digits: number): number {
  const shift = 10 ** Math.trunc(digits);
  return (Math.sign(value) * Math.round(Number((Math.abs(value) * shift).toPrecision(15)))) / shift;
}
