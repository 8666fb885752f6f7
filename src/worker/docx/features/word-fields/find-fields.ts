import { attributeOf, decodeEntities, scanXml, tagName, type XmlTag } from '@docmill/word/xml-tokens';

/** A piece of an instruction. `run` is the `w:rPr` of its run, empty without one. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly run: string }
  /** Anything else that a run holds, such as a line break or a picture. */
  | { readonly kind: 'inline'; readonly xml: string; readonly run: string }
  /** The end of a paragraph, and all that follows it until the next run. */
  | { readonly kind: 'paragraph'; readonly xml: string }
  | { readonly kind: 'field'; readonly field: WordField };

/** A simple or complex field (ECMA-376 part 1, 17.16.18 and 17.16.19). */
export interface WordField {
  /** The markup to replace, which begins and ends between runs once `head` and `tail` surround the replacement. */
  readonly start: number;
  readonly end: number;
  readonly head: string;
  readonly tail: string;
  /** The field itself, from its first mark to its last one. */
  readonly from: number;
  readonly to: number;
  readonly instruction: readonly Piece[];
  /** The fields in its result. */
  readonly inner: readonly WordField[];
  /** The `w:rPr` of the text that it shows. */
  readonly run: string;
  /** The text that it shows. */
  readonly result: string;
  /** The runs that it shows. */
  readonly shown: string;
  /** Marks of bookmarks, comments and permissions inside it, which have their other end elsewhere. */
  readonly marks: string;
  /** The offset of the table row that holds it; undefined outside tables. */
  readonly row: number | undefined;
  /** The offset of its cell. Undefined outside tables, and in nested tables and text boxes. */
  readonly cell: number | undefined;
  /** Whether it begins and ends at places of the same kind, so that it can be replaced. */
  readonly isWhole: boolean;
}

interface Run {
  readonly start: number;
  contentStart: number;
  properties: string;
}

interface Element {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

interface OpenField {
  readonly isSimple: boolean;
  readonly from: number;
  readonly path: readonly Element[];
  readonly firstRun: Run | undefined;
  isInResult: boolean;
  resultFrom: number;
  readonly instruction: Piece[];
  readonly inner: WordField[];
  instructionRun: string | undefined;
  resultRun: string | undefined;
  result: string;
  marks: string;
}

const markers = new Set([
  'bookmarkStart',
  'bookmarkEnd',
  'commentRangeStart',
  'commentRangeEnd',
  'permStart',
  'permEnd',
]);
const ofFields = new Set(['w:rPr', 'w:fldChar', 'w:instrText', 'w:t', 'w:lastRenderedPageBreak']);

/** The outermost fields of a part, in document order. */
export function findFields(xml: string): readonly WordField[] {
  const finder = new FieldFinder(xml);
  scanXml(xml, (tag) => finder.visit(tag));
  return finder.found;
}

class FieldFinder {
  readonly found: WordField[] = [];
  readonly #xml: string;
  readonly #path: Element[] = [];
  readonly #runs: Run[] = [];
  readonly #open: OpenField[] = [];
  /** The number of open elements around the inline element that is being skipped. */
  #skippedFrom = -1;
  #paragraphEnd = -1;

  constructor(xml: string) {
    this.#xml = xml;
  }

  visit(tag: XmlTag): void {
    const name = tagName(this.#xml, tag);
    if (tag.kind === 'close') {
      const element = this.#path.pop();
      if (element !== undefined && this.#skippedFrom === this.#path.length) this.#endInline(element, tag.end);
      else if (element !== undefined && this.#skippedFrom < 0) this.#close(element, tag);
      return;
    }
    if (this.#skippedFrom < 0) this.#begin(name, tag);
    if (tag.kind === 'open') this.#path.push({ name, start: tag.start, end: tag.end });
  }

  #begin(name: string, tag: XmlTag): void {
    const top = this.#open.at(-1);
    if (name === 'w:r') this.#beginRun(tag);
    else if (name === 'w:fldSimple') this.#beginSimple(tag);
    else if (name === 'w:fldChar') this.#fieldMark(tag);
    else if (top === undefined) return;
    else if (markers.has(tag.local)) {
      const mark = tag.kind === 'empty' ? this.#xml.slice(tag.start, tag.end) : '';
      for (const field of this.#open) field.marks += mark;
    } else if (!top.isInResult && this.#path.at(-1)?.name === 'w:r' && !ofFields.has(name)) {
      if (tag.kind === 'open') this.#skippedFrom = this.#path.length;
      else this.#addInline(top, tag.start, tag.end);
    }
  }

  #beginRun(tag: XmlTag): void {
    const top = this.#open.at(-1);
    if (this.#paragraphEnd >= 0 && top !== undefined && !top.isInResult)
      top.instruction.push({ kind: 'paragraph', xml: this.#xml.slice(this.#paragraphEnd, tag.start) });
    this.#paragraphEnd = -1;
    if (tag.kind === 'open') this.#runs.push({ start: tag.start, contentStart: tag.end, properties: '' });
  }

  #close({ name, start, end }: Element, tag: XmlTag): void {
    const run = this.#runs.at(-1);
    const top = this.#open.at(-1);
    if (name === 'w:r') this.#runs.pop();
    else if (name === 'w:rPr' && this.#path.at(-1)?.name === 'w:r' && run !== undefined) {
      run.properties = this.#xml.slice(start, tag.end);
      run.contentStart = tag.end;
    } else if (name === 'w:fldSimple') this.#end(tag.start, tag.end);
    else if (name === 'w:fldChar') {
      const type = attributeOf(this.#xml, { kind: 'open', local: 'fldChar', start, end }, 'fldCharType');
      if (type === 'end') this.#end(start, tag.end);
    } else if (top === undefined) return;
    else if (name === 'w:p' && !top.isSimple) this.#paragraphEnd = tag.start;
    else if (name === 'w:instrText' || name === 'w:t') this.#text(top, this.#xml.slice(end, tag.start), run);
  }

  #text(top: OpenField, escaped: string, run: Run | undefined): void {
    const text = decodeEntities(escaped);
    const properties = run?.properties ?? '';
    if (top.isInResult) {
      top.resultRun ??= properties;
      top.result += text;
      return;
    }
    top.instructionRun ??= properties;
    top.instruction.push({ kind: 'text', text, run: properties });
  }

  #endInline({ start }: Element, end: number): void {
    this.#skippedFrom = -1;
    const top = this.#open.at(-1);
    if (top !== undefined) this.#addInline(top, start, end);
  }

  #addInline(top: OpenField, start: number, end: number): void {
    const run = this.#runs.at(-1)?.properties ?? '';
    top.instruction.push({ kind: 'inline', xml: this.#xml.slice(start, end), run });
  }

  #beginSimple(tag: XmlTag): void {
    const text = attributeOf(this.#xml, tag, 'instr') ?? '';
    this.#open.push({ ...this.#newField(tag.start, true), isInResult: true, resultFrom: tag.end });
    this.#open.at(-1)?.instruction.push({ kind: 'text', text, run: '' });
    if (tag.kind === 'empty') this.#end(tag.end, tag.end);
  }

  #fieldMark(tag: XmlTag): void {
    const type = attributeOf(this.#xml, tag, 'fldCharType');
    const top = this.#open.at(-1);
    if (type === 'begin') this.#open.push(this.#newField(tag.start, false));
    else if (type === 'separate' && top?.isSimple === false) {
      top.isInResult = true;
      top.resultFrom = tag.end;
    } else if (type === 'end' && tag.kind === 'empty') this.#end(tag.start, tag.end);
  }

  #newField(from: number, isSimple: boolean): OpenField {
    const firstRun = this.#runs.at(-1);
    const open = { isSimple, from, path: [...this.#path], firstRun, isInResult: false, resultFrom: -1 };
    return {
      ...open,
      instruction: [],
      inner: [],
      instructionRun: undefined,
      resultRun: undefined,
      result: '',
      marks: '',
    };
  }

  #end(resultTo: number, to: number): void {
    const field = this.#open.pop();
    if (field === undefined) return;
    const { from, instruction, inner, result, marks } = field;
    const around = field.isSimple ? { start: from, end: to, head: '', tail: '' } : this.#around(field, to);
    const run = field.resultRun ?? field.instructionRun ?? '';
    const isWhole =
      field.isSimple ||
      isSamePlace(
        field.path,
        this.#path.filter(({ name }) => name !== 'w:fldChar'),
      );
    const inRuns = field.resultFrom < 0 ? '' : this.#xml.slice(field.resultFrom, resultTo);
    const shown = field.isSimple ? inRuns : `<w:r>${run}${inRuns}</w:r>`;
    const row = field.path.findLast(({ name }) => name === 'w:tr')?.start;
    const isInner = field.path.some(({ name }) => name === 'w:txbxContent');
    const cells = field.path.filter(({ name }) => name === 'w:tc');
    const cell = isInner || cells.length > 1 ? undefined : cells[0]?.start;
    const closed = { ...around, row, cell, from, to, instruction, inner, run, result, shown, marks, isWhole };
    const parent = this.#open.at(-1);
    if (parent === undefined) this.found.push(closed);
    else if (parent.isInResult) {
      parent.inner.push(closed);
      parent.resultRun ??= run;
      parent.result += result;
    } else parent.instruction.push({ kind: 'field', field: closed });
  }

  /** Extends the range of a complex field to whole runs if they hold nothing else. */
  #around({ from, firstRun }: OpenField, to: number): Pick<WordField, 'start' | 'end' | 'head' | 'tail'> {
    const closeRun = '</w:r>';
    const lastRun = this.#runs.at(-1);
    const isFirst = firstRun !== undefined && this.#xml.slice(firstRun.contentStart, from).trim() === '';
    const isLast = this.#xml.startsWith(closeRun, to);
    return {
      start: isFirst ? firstRun.start : from,
      end: isLast ? to + closeRun.length : to,
      head: isFirst ? '' : closeRun,
      tail: isLast ? '' : `<w:r>${lastRun?.properties ?? ''}`,
    };
  }
}

/** Whether two places are in the same elements, apart from their runs and paragraphs. */
function isSamePlace(a: readonly Element[], b: readonly Element[]): boolean {
  const mayDiffer = new Set(['w:r', 'w:p']);
  return (
    a.length === b.length &&
    a.every(({ name, start }, i) => name === b[i]?.name && (start === b[i]?.start || mayDiffer.has(name)))
  );
}
