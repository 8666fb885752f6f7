import { escapeText } from '@docmill/word/escape-xml';
import { TextEdits } from '@docmill/word/text-edits';
import {
  conditionOf,
  type FieldContext,
  type FieldSettings,
  fieldContext,
  fieldNamed,
  mergeName,
  pictureOf,
  readsData,
  regionOf,
  unknownSwitches,
} from './expressions.ts';
import { findFields, type Piece, type WordField } from './find-fields.ts';
import type { Argument, Instruction } from './instruction.ts';
import { findLabels, type Label } from './label-sheets.ts';

export interface TranslatedFields {
  readonly xml: string;
  /** The parts that are not filled, as the ends of sentences that begin with the field. */
  readonly unfilled: readonly { readonly field: string; readonly problem: string }[];
}

/** Fields that belong to the mail merge of Word, and print old data or nothing if they are not filled. */
const ofMerge = new Set(['MERGEFIELD', 'ADDRESSBLOCK', 'GREETINGLINE', 'NEXT', 'NEXTIF', 'SKIPIF']);

const filled = new Set([...ofMerge, 'DOCVARIABLE', 'DOCPROPERTY']);

/** Writes tags in place of the fields of a part that data fill. */
export function translateFields(xml: string, settings: FieldSettings): TranslatedFields {
  const fields = findFields(xml);
  const labels = settings.hasRecords && settings.isBody ? findLabels(xml, fields) : [];
  const context = fieldContext(labels.length > 0 ? { ...settings, hasRecords: false } : settings);
  const lastOfRecords = context.hasRecords
    ? fields.findLast((field) =>
        ['MERGEFIELD', 'NEXT', 'NEXTIF', 'SKIPIF', 'IF'].includes(context.read(field)?.keyword ?? ''),
      )
    : undefined;
  const translator = new Translator(xml, context, lastOfRecords);
  if (labels.length > 0) translator.fillLabels(labels);
  else if (!context.hasRecords) translator.repeatRows(fields);
  for (const field of fields) translator.translate(field);
  return translator.finish();
}

class Translator {
  readonly #xml: string;
  readonly #context: FieldContext;
  readonly #lastOfRecords: WordField | undefined;
  readonly #before = new Map<WordField, string>();
  readonly #after = new Map<WordField, string>();
  readonly #edits = new TextEdits();
  readonly #unfilled: { field: string; problem: string }[] = [];

  constructor(xml: string, context: FieldContext, lastOfRecords: WordField | undefined) {
    this.#lastOfRecords = lastOfRecords;
    this.#xml = xml;
    this.#context = context;
  }

  finish(): TranslatedFields {
    const xml = this.#edits.isEmpty ? this.#xml : this.#edits.apply(this.#xml);
    return { xml, unfilled: this.#unfilled };
  }

  /**
   * Makes rows with merge fields repeat if the data have a list with the name of one of them. Rows that regions repeat
   * are left to them.
   */
  repeatRows(fields: readonly WordField[]): void {
    const rows = new Map<number, WordField[]>();
    for (const field of fields) {
      if (field.row !== undefined && field.isWhole) rows.set(field.row, [...(rows.get(field.row) ?? []), field]);
    }
    for (const inRow of rows.values()) {
      const instructions = inRow.flatMap((field) => this.#context.read(field) ?? []);
      const names = [...new Set(instructions.flatMap((instruction) => mergeName(instruction) ?? []))];
      if (names.join().length > longestRow) continue;
      const values = inRow.filter((field) => {
        const instruction = this.#context.read(field);
        return instruction !== undefined && mergeName(instruction) !== undefined && !isFilledResult(field, instruction);
      });
      const [first, last] = [values[0], values.at(-1)];
      if (first === undefined || last === undefined || instructions.some((one) => regionOf(one) !== undefined))
        continue;
      this.#before.set(first, this.#tag(`-w:tr ${fieldNamed(...names).replace('$field', '$rows')}`, first.run));
      this.#after.set(last, this.#tag('/', last.run));
    }
  }

  /** Turns the cells of a label sheet into a grid of the records, or of the whole data if that is the only record. */
  fillLabels(labels: readonly Label[]): void {
    for (const { first, last } of labels) {
      this.#before.set(first, this.#tag('#($field["records"] ?? true) | grid', first.run));
      this.#after.set(last, this.#tag('/', last.run));
    }
  }

  /** Translates a field, or the fields inside it if it is of another kind. */
  translate(field: WordField): void {
    const instruction = this.#context.read(field);
    const runs = instruction === undefined ? undefined : this.#runsOf(field, instruction);
    if (instruction !== undefined && field.isWhole && isFilledResult(field, instruction)) {
      this.#edits.replace(field.start, field.end, field.head + field.shown + field.tail);
      return;
    }
    if (runs !== undefined && field.isWhole) {
      const [before = '', after = ''] = [this.#before.get(field), this.#after.get(field)];
      this.#edits.replace(
        field.start,
        field.end,
        field.head + before + runs + after + this.#endOfRecords(field) + field.marks + field.tail,
      );
      return;
    }
    if (instruction !== undefined && ofMerge.has(instruction.keyword)) {
      const problem =
        runs === undefined ? 'is not filled' : 'is not filled, because it begins and ends in different elements';
      this.#unfilled.push({ field: describe(field), problem });
    }
    const code = instruction?.keyword === 'HYPERLINK' ? this.#filledAddress(field) : undefined;
    if (code !== undefined) {
      this.#edits.replace(field.start, field.end, field.head + withCode(code, field) + field.marks + field.tail);
      return;
    }
    for (const piece of field.instruction) if (piece.kind === 'field') this.translate(piece.field);
    for (const inner of field.inner) this.translate(inner);
  }

  /**
   * The code of a link with tags in place of its inner fields: `HYPERLINK "{url}"`. Undefined without inner fields, or
   * where one has no expression.
   */
  #filledAddress({ instruction, isWhole }: WordField): string | undefined {
    if (!isWhole || !instruction.some(({ kind }) => kind === 'field')) return undefined;
    let code = '';
    for (const piece of instruction) {
      const expression = piece.kind === 'field' ? this.#context.expressionOf(piece.field) : undefined;
      if (piece.kind === 'text') code += piece.text;
      // Double quotes would end an argument of the code.
      else if (expression !== undefined && !expression.includes("'")) code += `{${expression.replaceAll('"', "'")}}`;
      else return undefined;
    }
    return code;
  }

  /** The runs that replace a field; undefined for a field that is not filled. */
  #runsOf(field: WordField, instruction: Instruction): string | undefined {
    const region = regionOf(instruction);
    if (region !== undefined)
      return this.#tag(region.isEnd ? '/' : `#${fieldNamed(this.#context.spellingOf(region.name))}`, field.run);
    const picture = pictureOf(instruction);
    if (picture !== undefined) return this.#tag(`%${fieldNamed(this.#context.spellingOf(picture))}`, field.run);
    if (instruction.keyword === 'NEXT' && !this.#context.hasRecords) return '';
    const move = this.#moveOf(instruction);
    if (move !== undefined) return this.#tag(move, field.run);
    if (instruction.keyword === 'IF') return this.#conditional(field, instruction);
    const expression = this.#context.expressionOf(field);
    if (expression === undefined) return undefined;
    for (const name of unknownSwitches(instruction))
      this.#unfilled.push({ field: describe(field), problem: `is filled without its switch \\* ${name}` });
    return this.#tag(expression, field.run);
  }

  /** NEXT, NEXTIF and SKIPIF move to another record, and print nothing. */
  #moveOf(instruction: Instruction): string | undefined {
    const { keyword } = instruction;
    if (keyword === 'NEXT') return 'true | nextRecord';
    if (keyword !== 'NEXTIF' && keyword !== 'SKIPIF') return undefined;
    const condition = conditionOf(instruction, this.#context);
    const formatter = keyword === 'NEXTIF' ? 'nextRecord' : 'skipRecord';
    return condition === undefined ? undefined : `(${condition.test}) | ${formatter}`;
  }

  /** A tag after the last field that reads a record. It checks that the document has printed all records. */
  #endOfRecords(field: WordField): string {
    return field === this.#lastOfRecords ? this.#tag('"" | allRecords', field.run) : '';
  }

  #tag(text: string, run: string): string {
    return runOf(`<w:t xml:space="preserve">${escapeText(`{${text}}`)}</w:t>`, run);
  }

  #conditional(field: WordField, instruction: Instruction): string | undefined {
    const condition = conditionOf(instruction, this.#context);
    if (condition === undefined || !instruction.args.some((argument) => readsData(argument, this.#context)))
      return undefined;
    const text =
      this.#hasConditions(instruction) && isUniform(instruction) ? this.#context.expressionOf(field) : undefined;
    if (text !== undefined) return this.#tag(text, field.run);
    const { test, whenTrue, whenFalse } = condition;
    const isFormatted = (instruction.switches.get('*') ?? []).some(({ pieces: [piece] }) => {
      return piece?.kind === 'text' && /^mergeformat$/i.test(piece.text);
    });
    const run = isFormatted ? field.run : undefined;
    const branch = (prefix: '#' | '^', argument: Argument | undefined) => {
      if (argument === undefined || argument.pieces.length === 0) return '';
      const runs = argument.pieces.map((piece) => this.#branchPiece(piece, run)).join('');
      return `${this.#tag(`${prefix}(${test})`, field.run)}${runs}${this.#tag('/', field.run)}`;
    };
    return branch('#', whenTrue) + branch('^', whenFalse);
  }

  /** Sections can be nested less deep than authors chain conditions. */
  #hasConditions({ args }: Instruction): boolean {
    return args.some(({ pieces }) =>
      pieces.some((piece) => piece.kind === 'field' && this.#context.read(piece.field)?.keyword === 'IF'),
    );
  }

  #branchPiece(piece: Piece, run: string | undefined): string {
    if (piece.kind === 'paragraph') return piece.xml;
    if (piece.kind === 'inline') return runOf(piece.xml, run ?? piece.run);
    if (piece.kind === 'text')
      return runOf(`<w:t xml:space="preserve">${escapeText(piece.text)}</w:t>`, run ?? piece.run);
    const { field } = piece;
    const instruction = this.#context.read(field);
    const runs = instruction === undefined ? undefined : this.#runsOf(field, instruction);
    return runs ?? runOf(this.#xml.slice(field.from, field.to), field.run);
  }
}

/** The field with this code, and the result that it had. */
function withCode(code: string, { run, shown }: WordField): string {
  const mark = (type: string) => runOf(`<w:fldChar w:fldCharType="${type}"/>`, run);
  const written = runOf(`<w:instrText xml:space="preserve">${escapeText(code)}</w:instrText>`, run);
  return `${mark('begin')}${written}${mark('separate')}${shown}${mark('end')}`;
}

/** Whether an author has written tags in the place of the result, which then take the place of the field. */
function isFilledResult({ result }: WordField, { keyword }: Instruction): boolean {
  return filled.has(keyword) && /\{[^{}]+\}/.test(result);
}

function runOf(content: string, properties: string): string {
  return `<w:r>${properties}${content}</w:r>`;
}

/** Whether its texts have the same formatting. */
function isUniform({ args }: Instruction): boolean {
  const runs = args.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => (piece.kind === 'paragraph' ? [] : piece.kind === 'field' ? piece.field.run : piece.run)),
  );
  return new Set(runs).size <= 1;
}

/** The names of a row must fit into a tag. */
const longestRow = 1000;
const longest = 60;

function describe({ instruction }: WordField): string {
  const text = instruction
    .map((piece) => (piece.kind === 'text' ? piece.text : ' … '))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
