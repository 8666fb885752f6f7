import type { RenderOptions } from '../../../../src/worker/docx/sandbox/docx-pool.ts';
import { type DocxInput, paragraph } from '../../../support/documents/docx-builder.ts';

/** The expected contents of the finished document. */
export interface Success {
  readonly name: string;
  readonly template: DocxInput;
  readonly data: unknown;
  readonly options?: RenderOptions;
  /** The paragraphs of the body. */
  readonly lines: readonly string[];
  /** The paragraphs of other parts, by name. */
  readonly parts?: Readonly<Record<string, readonly string[]>>;
  /** A pattern for the XML of the body, for properties that the text does not show. */
  readonly markup?: readonly RegExp[];
  readonly pages?: number;
  /** The addresses that the PDF links to, sorted. */
  readonly links?: readonly string[];
  readonly warnings?: readonly string[];
}

export interface DetailPattern {
  readonly message: RegExp;
  readonly tag?: string;
  readonly part?: string;
  readonly path?: string;
  readonly hint?: RegExp;
}

/** The error that a client gets, from an upload or a generation. */
export interface Failure {
  readonly name: string;
  readonly template: DocxInput;
  /** Missing if the upload already rejects the template. */
  readonly data?: unknown;
  readonly options?: RenderOptions;
  readonly details: readonly DetailPattern[];
}

type Texts = string | readonly string[];

/** A body of paragraphs; strings that start with `<w:` are used unchanged. */
function body(texts: Texts): DocxInput {
  const all = typeof texts === 'string' ? [texts] : texts;
  return { body: all.map((text) => (text.startsWith('<w:') ? text : paragraph(text))).join('') };
}

/** `[name, template, data, lines]` and further expectations. */
export type SuccessRow = readonly [
  name: string,
  template: Texts | DocxInput,
  data: unknown,
  lines: Texts,
  more?: Omit<Partial<Success>, 'name' | 'template' | 'data' | 'lines'>,
];

export function successes(rows: readonly SuccessRow[]): Success[] {
  return rows.map(([name, template, data, lines, more]) => {
    return { name, template: toInput(template), data, lines: typeof lines === 'string' ? [lines] : lines, ...more };
  });
}

/** `[name, template, details]` of a template that the upload rejects. */
export type RefusedTemplate = readonly [name: string, template: Texts | DocxInput, ...details: DetailPattern[]];

export function refusedTemplates(rows: readonly RefusedTemplate[]): Failure[] {
  return rows.map(([name, template, ...details]) => ({ name, template: toInput(template), details }));
}

/** `[name, template, data, details]` of a generation that is rejected. */
export type RefusedData = readonly [
  name: string,
  template: Texts | DocxInput,
  data: unknown,
  details: readonly DetailPattern[],
  options?: RenderOptions,
];

export function refusedData(rows: readonly RefusedData[]): Failure[] {
  return rows.map(([name, template, data, details, options]) => {
    return { name, template: toInput(template), data, details, ...(options !== undefined && { options }) };
  });
}

function toInput(template: Texts | DocxInput): DocxInput {
  return typeof template === 'string' || Array.isArray(template) ? body(template as Texts) : (template as DocxInput);
}
