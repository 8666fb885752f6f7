import { attributeOf, decodeEntities, readAttributes, type XmlTag } from '../package/xml-tags.ts';
import { isFilledLink, readsOutside } from './field-instruction.ts';
import type { TextEdits } from './text-edits.ts';

interface OpenField {
  instruction: string;
  readonly ranges: [number, number][];
  inInstruction: boolean;
}

export interface FieldSwitchOptions {
  /** Asked about each link to an address with tags: whether it stays, to be filled and judged later. */
  readonly keepsLinks: () => boolean;
  readonly onOutside: () => void;
}

const textElements = new Set(['instrText', 'delInstrText', 't', 'delText']);

/**
 * Follows the fields of one part tag by tag (begin, instruction in any number of runs, separate, result, end; they nest)
 * and empties the instruction of those that read outside, so that the last result stays as plain text.
 */
export class FieldSwitch {
  readonly #xml: string;
  readonly #edits: TextEdits;
  readonly #keepsLinks: () => boolean;
  readonly #onOutside: () => void;
  readonly #open: OpenField[] = [];
  #textStart = -1;

  constructor(xml: string, edits: TextEdits, { keepsLinks, onOutside }: FieldSwitchOptions) {
    this.#xml = xml;
    this.#edits = edits;
    this.#keepsLinks = keepsLinks;
    this.#onOutside = onOutside;
  }

  visit(tag: XmlTag): void {
    if (tag.local === 'fldSimple' && tag.kind !== 'close') this.#simpleField(tag);
    else if (tag.local === 'fldChar' && tag.kind !== 'close')
      this.#fieldChar(attributeOf(this.#xml, tag, 'fldCharType'));
    else if (textElements.has(tag.local)) this.#text(tag);
  }

  /** Fields the part never closes are judged by what was read. */
  end(): void {
    while (this.#open.length > 0) this.#close();
  }

  #simpleField(tag: XmlTag): void {
    for (const { local, value, start, end } of readAttributes(this.#xml, tag)) {
      if (local !== 'instr' || !this.#isOutside(value)) continue;
      const quote = this.#xml.charAt(end - 1);
      this.#edits.replace(this.#xml.indexOf(quote, start) + 1, end - 1);
      this.#onOutside();
    }
  }

  #fieldChar(type: string | undefined): void {
    if (type === 'begin') this.#open.push({ instruction: '', ranges: [], inInstruction: true });
    else if (type === 'separate') this.#judge();
    else if (type === 'end') this.#close();
  }

  #text(tag: XmlTag): void {
    if (tag.kind === 'open') this.#textStart = tag.end;
    if (tag.kind !== 'close' || this.#textStart < 0) return;
    const range: [number, number] = [this.#textStart, tag.start];
    this.#textStart = -1;
    const fields = this.#open.filter(({ inInstruction }) => inInstruction);
    if (fields.length === 0) {
      if (tag.local === 'instrText') this.#orphan(range);
      return;
    }
    const text = decodeEntities(this.#xml.slice(...range));
    for (const field of fields) {
      field.instruction += text;
      field.ranges.push(range);
    }
  }

  #isOutside(instruction: string): boolean {
    return readsOutside(instruction) && !(isFilledLink(instruction) && this.#keepsLinks());
  }

  #orphan(range: [number, number]): void {
    this.#open.push({ instruction: decodeEntities(this.#xml.slice(...range)), ranges: [range], inInstruction: true });
    this.#close();
  }

  #close(): void {
    this.#judge();
    this.#open.pop();
  }

  #judge(): void {
    const field = this.#open.at(-1);
    if (field === undefined || !field.inInstruction) return;
    field.inInstruction = false;
    if (!this.#isOutside(field.instruction)) return;
    for (const [start, end] of field.ranges) this.#edits.replace(start, end);
    this.#onOutside();
  }
}
