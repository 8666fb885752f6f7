import { escapeAttribute } from '@docmill/word/escape-xml';
import type { TextEdits } from '@docmill/word/text-edits';
import { readAttributes, textContent, type XmlTag } from '@docmill/word/xml-tokens';
import { isFilledLink, mayReadOutside, readsOutside } from './field-instruction.ts';
import { MarkupPath } from './markup-path.ts';

interface OpenField {
  instruction: string;
  readonly ranges: [number, number][];
  inInstruction: boolean;
  readonly alternatives: number;
}

interface Piece {
  readonly text: string;
  readonly range: readonly [number, number];
}

export interface FieldDisablerOptions {
  /** Decides whether to keep a link to an address with tags, which is filled and checked later. */
  readonly keepsLinks: () => boolean;
  readonly onOutside: () => void;
  /** Whether to remove an instruction. Default: if it reads outside content or links to anything but the web. */
  readonly isOutside?: ((instruction: string) => boolean) | undefined;
  /** Returns a replacement for an instruction that is kept; undefined to leave it unchanged. */
  readonly rewrite?: ((instruction: string) => string | undefined) | undefined;
}

const fieldMarks = new Set(['begin', 'separate', 'end']);
const textElements = new Set(['instrText', 'delInstrText', 't', 'delText']);

/**
 * Tracks the nested fields of one part tag by tag (begin, instruction in any number of runs, separate, result, end) and empties
 * instructions that read external content, so that the last result stays as plain text. Where readers may disagree on what is
 * an instruction, empties all instructions of the part if any interpretation reads external content.
 */
export class FieldDisabler {
  readonly #xml: string;
  readonly #edits: TextEdits;
  readonly #keepsLinks: () => boolean;
  readonly #onOutside: () => void;
  readonly #isOutside: (instruction: string) => boolean;
  readonly #rewrite: (instruction: string) => string | undefined;
  readonly #path: MarkupPath;
  readonly #open: OpenField[] = [];
  readonly #pieces: Piece[] = [];
  #isAmbiguous = false;
  #textStart = -1;

  constructor(
    xml: string,
    edits: TextEdits,
    { keepsLinks, onOutside, isOutside = readsOutside, rewrite = () => undefined }: FieldDisablerOptions,
  ) {
    this.#xml = xml;
    this.#edits = edits;
    this.#keepsLinks = keepsLinks;
    this.#onOutside = onOutside;
    this.#isOutside = isOutside;
    this.#rewrite = rewrite;
    this.#path = new MarkupPath(xml);
  }

  visit(tag: XmlTag): void {
    this.#read(tag);
    this.#path.advance(tag);
  }

  #read(tag: XmlTag): void {
    if (tag.local === 'fldSimple' && tag.kind !== 'close') this.#simpleField(tag);
    else if (tag.local === 'fldChar' && tag.kind !== 'close') this.#fieldChar(tag);
    else if (textElements.has(tag.local)) this.#text(tag);
  }

  /** Must be called after the last tag. Unclosed fields are judged by the text read so far. */
  end(): void {
    while (this.#open.length > 0) this.#close();
    if (!this.#isAmbiguous || !mayReadOutside(this.#pieces.map(({ text }) => text))) return;
    for (const { range } of this.#pieces) this.#edits.replace(...range);
    this.#onOutside();
  }

  #simpleField(tag: XmlTag): void {
    for (const { local, value, valueStart, end } of readAttributes(this.#xml, tag)) {
      if (local !== 'instr') continue;
      if (this.#mustGo(value)) {
        this.#edits.replace(valueStart, end - 1);
        this.#onOutside();
        continue;
      }
      const rewritten = this.#rewrite(value);
      if (rewritten !== undefined) this.#edits.replace(valueStart, end - 1, escapeAttribute(rewritten));
    }
  }

  #fieldChar(tag: XmlTag): void {
    const types = readAttributes(this.#xml, tag).filter(({ local }) => local === 'fldCharType');
    const type = types[0]?.value ?? '';
    if (types.length !== 1 || !fieldMarks.has(type)) this.#isAmbiguous = true;
    if (type === 'begin') this.#begin('', []);
    this.#noteAmbiguity(tag);
    if (type === 'begin') return;
    if (type === 'separate') this.#endInstruction();
    else if (type === 'end') this.#close();
  }

  #begin(instruction: string, ranges: [number, number][]): void {
    this.#open.push({ instruction, ranges, inInstruction: true, alternatives: this.#path.alternatives });
  }

  /** Readers disagree if a field spans alternatives or lies outside a plain run. */
  #noteAmbiguity(tag: XmlTag): void {
    const { alternatives } = this.#path;
    const isShared = this.#open.every((field) => !field.inInstruction || field.alternatives === alternatives);
    if (!isShared || !this.#path.isPlain(tag)) this.#isAmbiguous = true;
  }

  #text(tag: XmlTag): void {
    if (tag.kind === 'open') {
      this.#textStart = tag.end;
      if (/nstr/.test(tag.local) || this.#open.some(({ inInstruction }) => inInstruction)) this.#noteAmbiguity(tag);
    }
    if (tag.kind !== 'close' || this.#textStart < 0) return;
    const range: [number, number] = [this.#textStart, tag.start];
    this.#textStart = -1;
    const fields = this.#open.filter(({ inInstruction }) => inInstruction);
    if (fields.length === 0 && !/nstr/.test(tag.local)) return;
    const text = textContent(this.#xml.slice(...range));
    this.#pieces.push({ text, range });
    if (fields.length === 0) {
      if (tag.local === 'instrText') this.#instructionWithoutField(text, range);
      return;
    }
    for (const field of fields) {
      field.instruction += text;
      field.ranges.push(range);
    }
  }

  #mustGo(instruction: string): boolean {
    return this.#isOutside(instruction) && !(isFilledLink(instruction) && this.#keepsLinks());
  }

  #instructionWithoutField(text: string, range: [number, number]): void {
    this.#begin(text, [range]);
    this.#close();
  }

  #close(): void {
    this.#endInstruction();
    this.#open.pop();
  }

  #endInstruction(): void {
    const field = this.#open.at(-1);
    if (field === undefined || !field.inInstruction) return;
    field.inInstruction = false;
    if (!this.#mustGo(field.instruction)) {
      this.#write(field);
      return;
    }
    for (const [start, end] of field.ranges) this.#edits.replace(start, end);
    this.#onOutside();
  }

  #write({ instruction, ranges }: OpenField): void {
    const rewritten = this.#rewrite(instruction);
    if (rewritten === undefined) return;
    for (const [i, [start, end]] of ranges.entries())
      this.#edits.replace(start, end, i === 0 ? escapeAttribute(rewritten) : '');
  }
}
