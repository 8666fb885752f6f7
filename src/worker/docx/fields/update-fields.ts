import { escapeText } from '@docmill/word/escape-xml';
import { TextEdits } from '@docmill/word/text-edits';
import {
  type Content,
  Evaluator,
  type FieldFacts,
  type PageFacts,
  PageNeeded,
  UnsupportedField,
} from './evaluate-field.ts';
import { bookmark, fieldMark } from './page-facts.ts';
import { nameOf } from './read-code.ts';
import { type Field, type FieldItem, type FieldRun, readFields } from './read-fields.ts';

/** A field that keeps its last result, and the reason. */
export interface KeptField {
  readonly name: string;
  readonly reason: string;
}

export interface UpdatedFields {
  /** Undefined if nothing changed. */
  readonly xml: string | undefined;
  /** Fields that depend on the page that they are on. */
  readonly ofPages: readonly Field[];
  readonly kept: readonly KeptField[];
  /** Errors that formulas print. */
  readonly errors: readonly string[];
}

export interface UpdateOptions {
  readonly facts: FieldFacts;
  /** The page of each field in the body that depends on it, in their order; undefined in other parts. */
  readonly pageOf?: ((index: number) => PageFacts | undefined) | undefined;
  /** Whether results replace their fields, as for a converter that would compute them differently. */
  readonly replaces: boolean;
}

const computed =
  /\b(?:IF|COMPARE|QUOTE|SECTION|SECTIONPAGES|FILENAME|SET|SYMBOL)\b|^\s*=|\\#|\\\*\s*(?:ORDINAL|CARDTEXT|ORDTEXT|DOLLARTEXT|HEX|ARABICDASH)\b/;

const fieldCode = /<(?:\w+:)?instrText\b[^>]*>([^<]*)|<(?:\w+:)?fldSimple\b[^>]*?\binstr=("[^"]*|'[^']*)/g;

/** Whether a part may have fields that `updateFields` computes. */
export function mayHaveComputedFields(xml: string): boolean {
  for (const [, code, quoted = ''] of xml.matchAll(fieldCode))
    if (computed.test((code ?? quoted.slice(1)).toUpperCase())) return true;
  return false;
}

/** Computes the fields of a part that do not depend on pages: formulas, IF, COMPARE, QUOTE, SET, SECTION and FILENAME. */
export function updateFields(xml: string, { facts, replaces, pageOf }: UpdateOptions): UpdatedFields {
  const part = readFields(xml);
  if (part === undefined) return { xml: undefined, ofPages: [], kept: [], errors: [] };
  const prefix = /<(\w+:)?(?:fldChar|fldSimple)\b/.exec(xml)?.[1] ?? '';
  const writer = new Writer(xml, prefix, replaces);
  const evaluator = new Evaluator(part, facts);
  const ofPages: Field[] = [];
  const kept: KeptField[] = [];
  let computedFields = 0;
  const visit = (field: Field): void => {
    if (field.isLocked || !evaluator.isComputed(field)) {
      for (const item of [...field.code, ...field.result]) if (item.kind === 'field') visit(item);
      return;
    }
    try {
      if (pageOf !== undefined) evaluator.page = pageOf(evaluator.isTotal(field) ? computedFields : computedFields++);
      writer.write(field, evaluator.evaluate(field));
    } catch (error) {
      if (error instanceof PageNeeded) {
        ofPages.push(field);
        if (replaces && facts.isBody) writer.mark(field, ofPages.length - 1);
        return;
      }
      if (error instanceof UnsupportedField) kept.push({ name: nameOf(field), reason: error.message });
      else throw error;
      if (replaces) writer.keepResult(field);
    }
  };
  for (const field of part.fields) visit(field);
  return { xml: writer.finish(), ofPages, kept, errors: evaluator.errors };
}

/** Writes results into the markup of a part. */
class Writer {
  readonly #xml: string;
  readonly #edits = new TextEdits();
  readonly #prefix: string;
  readonly #replaces: boolean;

  constructor(xml: string, prefix: string, replaces: boolean) {
    this.#xml = xml;
    this.#prefix = prefix;
    this.#replaces = replaces;
  }

  finish(): string | undefined {
    return this.#edits.isEmpty ? undefined : this.#edits.apply(this.#xml);
  }

  write(field: Field, content: Content): void {
    const runs = writeRuns(this.#xml, content, this.#prefix);
    if (field.isSimple) this.#simple(field, runs);
    else if (this.#replaces) this.#instead(field, runs);
    else this.#result(field, runs);
  }

  /** Marks the place of a field whose page must be known. */
  mark({ isSimple, begin }: Field, index: number): void {
    const mark = bookmark(fieldMark(index), 1_000_000 + index, this.#prefix);
    this.#edits.replace(begin.start, begin.start, isSimple ? mark : this.#split(begin.run, mark));
  }

  /** Leaves the last result as plain text. */
  keepResult({ isSimple, begin, separate, close, code }: Field): void {
    if (!isSimple) this.#removeItems(code);
    for (const mark of [begin, separate, close]) if (mark !== undefined) this.#edits.replace(mark.start, mark.end);
  }

  #simple({ begin, close, result }: Field, runs: string): void {
    if (begin.start === close.start) {
      const open = `${this.#xml.slice(begin.start, begin.end - 2)}>`;
      const end = `</${this.#prefix}fldSimple>`;
      this.#edits.replace(begin.start, begin.end, this.#replaces ? runs : `${open}${runs}${end}`);
      return;
    }
    this.#removeItems(result);
    if (this.#replaces) {
      this.#edits.replace(begin.start, begin.end, runs);
      this.#edits.replace(close.start, close.end);
    } else this.#edits.replace(begin.end, begin.end, runs);
  }

  #instead(field: Field, runs: string): void {
    const { begin, separate, close, code, result } = field;
    this.#edits.replace(begin.start, begin.end, this.#split(begin.run, runs));
    this.#removeItems([...code, ...result]);
    if (separate !== undefined) this.#edits.replace(separate.start, separate.end);
    this.#edits.replace(close.start, close.end);
  }

  #result({ separate, close, result }: Field, runs: string): void {
    this.#removeItems(result);
    if (separate !== undefined) this.#edits.replace(separate.end, separate.end, this.#split(separate.run, runs));
    else {
      const mark = `<${this.#prefix}fldChar ${this.#prefix}fldCharType="separate"/>`;
      this.#edits.replace(close.start, close.start, `${mark}${this.#split(close.run, runs)}`);
    }
  }

  /** Writes runs inside another run: it ends before them, and begins again after them. */
  #split({ properties }: FieldRun, runs: string): string {
    return runs === '' ? '' : `</${this.#prefix}r>${runs}<${this.#prefix}r>${properties}`;
  }

  #removeItems(items: readonly FieldItem[]): void {
    for (const item of items) {
      if (item.kind !== 'field') this.#edits.replace(item.start, item.end);
      else {
        this.#removeItems([...item.code, ...item.result]);
        for (const mark of [item.begin, item.separate, item.close])
          if (mark !== undefined) this.#edits.replace(mark.start, mark.end);
      }
    }
  }
}

/** Markup of a field's result: a run for each text, and the fields in it unchanged. */
function writeRuns(xml: string, content: Content, prefix: string): string {
  const run = ({ properties }: FieldRun, inner: string): string => `<${prefix}r>${properties}${inner}</${prefix}r>`;
  const writeItem = (item: FieldItem): string =>
    item.kind === 'field' ? writeField(item) : run(item.run, xml.slice(item.start, item.end));
  const writeField = (field: Field): string => {
    const { begin, separate, close, isSimple } = field;
    const mark = (one: typeof begin): string => (isSimple ? '' : run(one.run, xml.slice(one.start, one.end)));
    if (isSimple) return xml.slice(begin.start, close.end);
    const middle = separate === undefined ? '' : mark(separate);
    return `${mark(begin)}${field.code.map(writeItem).join('')}${middle}${field.result.map(writeItem).join('')}${mark(close)}`;
  };
  return content
    .map((part) => {
      if (part.kind === 'field') return writeField(part);
      if (part.text === '') return '';
      return run(part.run, `<${prefix}t xml:space="preserve">${escapeText(part.text)}</${prefix}t>`);
    })
    .join('');
}
