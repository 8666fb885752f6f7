import type { Field, FieldItem, FieldRun } from './read-fields.ts';

/** A piece of an argument: text with the run that formats it, or a field. */
export type Part = { readonly kind: 'text'; readonly text: string; readonly run: FieldRun } | Field;

export interface Argument {
  readonly parts: readonly Part[];
  readonly isQuoted: boolean;
}

/** A field's code: its name in capitals, its arguments, and its formatting switches in order. */
export interface FieldCode {
  readonly name: string;
  readonly arguments: readonly Argument[];
  readonly switches: readonly { readonly name: string; readonly value: string }[];
}

const quotes = /["“”„]/;
const operators = /[=<>]/;
const noRun: FieldRun = { properties: '' };

/** The name of a field in capitals; `=` for a formula. */
export function nameOf(field: Field): string {
  const first = field.isSimple
    ? field.attribute
    : field.code.map((item) => (item.kind === 'field' ? ' ' : item.text)).join('');
  return /^[\s"]*(=|\w+)/.exec(first)?.[1]?.toUpperCase() ?? '';
}

/** Reads the code of a field (ECMA-376 part 1, 17.16.2). */
export function readCode(field: Field): FieldCode {
  const items: readonly FieldItem[] = field.isSimple
    ? [{ kind: 'code', text: field.attribute, start: 0, end: 0, run: noRun }]
    : field.code;
  const name = nameOf(field);
  const splits = name === 'IF' || name === 'COMPARE';
  const words = new Words(splits);
  for (const item of items) {
    if (item.kind === 'field') words.addField(item);
    else words.addText(item.text, item.run);
  }
  return arrange(name, words.finish());
}

interface Word extends Argument {
  readonly parts: Part[];
}

class Words {
  readonly #splits: boolean;
  readonly #words: Word[] = [];
  #word: Word | undefined;
  #isEscaped = false;

  constructor(splits: boolean) {
    this.#splits = splits;
  }

  finish(): readonly Word[] {
    this.#end();
    return this.#words;
  }

  addField(field: Field): void {
    this.#word ??= { parts: [], isQuoted: false };
    this.#word.parts.push(field);
  }

  addText(text: string, run: FieldRun): void {
    for (const character of text) this.#addCharacter(character, run);
  }

  #addCharacter(character: string, run: FieldRun): void {
    const isQuoted = this.#word?.isQuoted === true;
    if (isQuoted && !this.#isEscaped && character === '\\') {
      this.#isEscaped = true;
      return;
    }
    const isEscaped = this.#isEscaped;
    this.#isEscaped = false;
    if (isEscaped) this.#append(/["\\“”]/.test(character) ? character : `\\${character}`, run);
    else if (quotes.test(character)) this.#quote(isQuoted);
    else if (isQuoted) this.#append(character, run);
    else if (/\s/.test(character)) this.#end();
    else {
      if (this.#splits && this.#words.length < 4 && this.#mustSplit(character)) this.#end();
      this.#append(character, run);
    }
  }

  #quote(isQuoted: boolean): void {
    this.#end();
    if (!isQuoted) this.#word = { parts: [], isQuoted: true };
  }

  /** Whether an operator begins or ends in a word such as `1=1`. */
  #mustSplit(character: string): boolean {
    const last = this.#word?.parts.at(-1);
    if (last === undefined) return false;
    const isAfterOperator = last.kind === 'text' && operators.test(last.text.at(-1) ?? '');
    return operators.test(character) !== isAfterOperator;
  }

  #append(text: string, run: FieldRun): void {
    this.#word ??= { parts: [], isQuoted: false };
    const last = this.#word.parts.at(-1);
    if (last?.kind === 'text' && last.run === run)
      this.#word.parts[this.#word.parts.length - 1] = { kind: 'text', text: last.text + text, run };
    else this.#word.parts.push({ kind: 'text', text, run });
  }

  #end(): void {
    if (this.#word !== undefined) this.#words.push(this.#word);
    this.#word = undefined;
  }
}

function arrange(name: string, words: readonly Word[]): FieldCode {
  const found: Argument[] = [];
  const switches: { name: string; value: string }[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const text = plainText(word);
    if (word.isQuoted || !/^\\[*#@]/.test(text)) found.push(word);
    else if (text.length > 2) switches.push({ name: text.slice(0, 2), value: text.slice(2) });
    else switches.push({ name: text, value: plainText(words[++at] ?? word) });
  }
  const rest = withoutName(found, name);
  return { name, arguments: rest, switches };
}

/** The text of a word without the fields in it. */
export const plainText = ({ parts }: Argument): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

/** The arguments after the name, which a formula may write without a space: `=1+2`. */
function withoutName([first, ...rest]: readonly Argument[], name: string): readonly Argument[] {
  const [part, ...parts] = first?.parts ?? [];
  if (first === undefined || part?.kind !== 'text') return rest;
  const text = name === '=' ? part.text.slice(1) : '';
  const remaining = [...(text === '' ? [] : [{ ...part, text }]), ...parts];
  return remaining.length === 0 ? rest : [{ parts: remaining, isQuoted: false }, ...rest];
}
