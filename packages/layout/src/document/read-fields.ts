import { UnknownFeature } from '../unknown-feature.ts';
import type { ContentsField } from './contents-field.ts';
import type { FieldInline, Inline } from './tree.ts';
import type { XmlElement } from './xml-element.ts';

/** The result of a field: a page number, the number of pages, or the label of a macro button. */
export type FieldResult = Pick<FieldInline, 'kind'> | { readonly label: string };

/** A complex field (ECMA-376 part 1, 17.16.18): its code, followed by its result. */
interface OpenField {
  code: string;
  isResult: boolean;
  /** The number of open nested fields. An inspection continues after them. */
  inner: number;
}

/**
 * Reads the complex fields of a paragraph, and the part of a table of contents within it. Throws UnknownFeature for
 * other fields.
 */
export class FieldReader {
  readonly #contents: ContentsField | undefined;
  #isInContents: boolean;
  #field: OpenField | undefined;

  constructor(contents: ContentsField | undefined) {
    this.#contents = contents;
    this.#isInContents = contents?.isOpen === true;
  }

  /** Whether a field has begun whose code or result is not complete. */
  get isOpen(): boolean {
    return this.#field !== undefined;
  }

  addCode(code: string): void {
    if (this.#field !== undefined) this.#field.code += code;
  }

  /** Reads a `w:fldChar` that follows this number of inlines. Returns the result of the field that ends with it. */
  character(element: XmlElement, inlines: number): FieldResult | undefined {
    const type = element.attributes.get('w:fldCharType');
    if (type === 'begin') {
      this.#begin();
      if (element.children.length > 0) throw new UnknownFeature('a form field');
    } else if (this.#field === undefined) this.#endContents(type, inlines);
    else if (this.#field.inner > 0) this.#field.inner -= type === 'end' ? 1 : 0;
    else if (type === 'separate') this.#beginResult(this.#field, inlines);
    else {
      const { code, isResult } = this.#field;
      this.#field = undefined;
      const label = isResult ? undefined : macroLabel(code);
      return label === undefined ? { kind: numberKind(code) } : { label };
    }
    return undefined;
  }

  /** Ends the paragraph, whose inlines these are. */
  end(inlines: readonly Inline[]): void {
    if (this.#field !== undefined) throw new UnknownFeature('a field over several paragraphs');
    if (this.#isInContents) this.#contents?.add(inlines);
  }

  #begin(): void {
    if (this.#field === undefined) {
      this.#field = { code: '', isResult: false, inner: 0 };
      return;
    }
    this.#field.inner += 1;
    throw new UnknownFeature('a field in a field');
  }

  #beginResult(field: OpenField, inlines: number): void {
    field.isResult = true;
    if (!/^\s*TOC\b/.test(field.code)) return;
    if (this.#contents === undefined || inlines > 0) throw new UnknownFeature('a table of contents in text');
    this.#contents.begin(field.code);
    this.#isInContents = true;
    this.#field = undefined;
  }

  /** A table of contents must end alone in a paragraph below it. */
  #endContents(type: string | undefined, inlines: number): void {
    if (type !== 'end' || this.#contents?.isOpen !== true) throw new UnknownFeature('a field over several paragraphs');
    if (inlines > 0) throw new UnknownFeature('text beside the end of a table of contents');
    this.#contents.end();
  }
}

/**
 * The label of a MACROBUTTON (17.16.5.35): everything after the name of its macro. Long labels are left to LibreOffice,
 * which breaks them like a single word.
 */
function macroLabel(code: string): string | undefined {
  return /^ ?MACROBUTTON \w+ (\S{1,40})$/.exec(code)?.[1];
}

/** PAGE and NUMPAGES, only with the switches of Word's own dialogs (17.16.5.43, 17.16.5.47). */
export function numberKind(code: string): 'page' | 'pages' {
  const [, name] = /^\s*(PAGE|NUMPAGES)\s*(?:\\\*\s*(?:MERGEFORMAT|Arabic)\s*)*$/i.exec(code) ?? [];
  if (name === undefined) throw new UnknownFeature(`field ${code.trim().split(/\s/)[0] ?? ''}`);
  return name.toUpperCase() === 'PAGE' ? 'page' : 'pages';
}
