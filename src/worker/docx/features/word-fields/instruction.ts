import type { Piece } from './find-fields.ts';

/** An argument of an instruction, without its quotes. */
export interface Argument {
  readonly pieces: readonly Piece[];
  readonly isQuoted: boolean;
}

/** An instruction such as `MERGEFIELD Name \* Upper`. */
export interface Instruction {
  /** In capitals. */
  readonly keyword: string;
  readonly args: readonly Argument[];
  /** The arguments of each switch, by its character. A switch without an argument has an empty one. */
  readonly switches: ReadonlyMap<string, readonly Argument[]>;
}

const withoutArgument = new Set(['m', 'v', 'd', 'h', 'y', 'n', 'o', 'r', 'p']);
const empty: Argument = { pieces: [], isQuoted: true };

export function readInstruction(pieces: readonly Piece[]): Instruction | undefined {
  const keyword = /^\s*(\w+)/.exec(plainStart(pieces))?.[1]?.toUpperCase();
  if (keyword === undefined) return undefined;
  const [, ...rest] = splitArguments(pieces, keyword === 'IF' || keyword.endsWith('IF'));
  const args: Argument[] = [];
  const switches = new Map<string, Argument[]>();
  const add = (name: string, argument: Argument) => switches.set(name, [...(switches.get(name) ?? []), argument]);
  for (let i = 0; i < rest.length; i++) {
    const argument = rest[i] ?? empty;
    const [, name, attached = ''] = argument.isQuoted ? [] : (/^\\(.)(.*)$/s.exec(textOf(argument) ?? '') ?? []);
    // Word ignores what follows a switch and its argument.
    if (name === undefined && switches.size === 0) args.push(argument);
    else if (name === undefined) continue;
    else if (attached !== '') add(name.toLowerCase(), { pieces: [asPiece(attached, argument)], isQuoted: false });
    else if (withoutArgument.has(name.toLowerCase())) add(name.toLowerCase(), empty);
    else add(name.toLowerCase(), rest[++i] ?? empty);
  }
  return { keyword, args, switches };
}

function plainStart(pieces: readonly Piece[]): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind !== 'text') return text;
    text += piece.text;
  }
  return text;
}

function asPiece(text: string, { pieces: [first] }: Argument): Piece {
  return { kind: 'text', text, run: first?.kind === 'text' ? first.run : '' };
}

/** The text of an argument; undefined if it holds anything but text and line breaks. */
export function textOf({ pieces }: Argument): string | undefined {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'paragraph' || isBreak(piece)) text += '\n';
    else return undefined;
  }
  return text;
}

export function isBreak(piece: Piece): boolean {
  return piece.kind === 'inline' && /^<w:(?:br|cr)\b/.test(piece.xml);
}

const quotes = '"“”„';
const isQuote = (char: string): boolean => quotes.includes(char);

/** Splits an instruction at spaces outside quotes and, in conditions, around operators. */
function splitArguments(pieces: readonly Piece[], hasOperators: boolean): readonly Argument[] {
  const splitter = new Splitter(hasOperators);
  for (const piece of pieces) {
    if (piece.kind === 'text') splitter.readText(piece.text, piece.run);
    else splitter.add(piece);
  }
  splitter.endArgument();
  return splitter.args;
}

class Splitter {
  readonly args: Argument[] = [];
  readonly #hasOperators: boolean;
  #pieces: Piece[] = [];
  #isInQuotes = false;
  #wasQuoted = false;
  #isOperator = false;

  constructor(hasOperators: boolean) {
    this.#hasOperators = hasOperators;
  }

  add(piece: Piece): void {
    const isSpace = piece.kind === 'paragraph' || piece.kind === 'inline';
    if (isSpace && !this.#isInQuotes) this.endArgument();
    else this.#pieces.push(piece);
  }

  readText(text: string, run: string): void {
    let word = '';
    const flush = () => {
      if (word !== '') this.#pieces.push({ kind: 'text', text: word, run });
      word = '';
    };
    for (let i = 0; i < text.length; i++) {
      const char = text.charAt(i);
      const isEscaped = this.#isInQuotes && char === '\\' && /["\\]/.test(text.charAt(i + 1));
      if (isEscaped) word += text.charAt(++i);
      else if (isQuote(char)) {
        flush();
        if (this.#isInQuotes) this.endArgument();
        else {
          if (this.#pieces.length > 0) this.endArgument();
          this.#isInQuotes = true;
          this.#wasQuoted = true;
        }
      } else if (!this.#isInQuotes && /\s/.test(char)) {
        flush();
        this.endArgument();
      } else {
        const isOperator = this.#hasOperators && !this.#isInQuotes && /[=<>]/.test(char);
        if (isOperator !== this.#isOperator) {
          flush();
          this.endArgument(isOperator);
        }
        word += char;
      }
    }
    flush();
  }

  endArgument(isOperator = false): void {
    if (this.#pieces.length > 0 || this.#wasQuoted) this.args.push({ pieces: this.#pieces, isQuoted: this.#wasQuoted });
    this.#pieces = [];
    this.#isInQuotes = false;
    this.#wasQuoted = false;
    this.#isOperator = isOperator;
  }
}
