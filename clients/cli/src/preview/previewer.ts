/** A template file, its data as JSON text, and the `output` of a request. */
export interface Preview {
  readonly file: Uint8Array;
  readonly data: string;
  readonly output: Readonly<Record<string, unknown>>;
}

export interface PreviewedPdf {
  /** A PDF of the first pages. */
  readonly bytes: Uint8Array;
  /** The page count of the whole document. */
  readonly pageCount: number;
}

/** Renders documents through the service; nothing is stored or charged. */
export interface Previewer {
  /** Throws `DocumentProblem`, and other errors if the service fails. */
  pdf(preview: Preview, pages: number): Promise<PreviewedPdf>;
  /** A page as PNG. `page` counts from 1. Throws like `pdf`. */
  picture(preview: Preview, page: number, dpi: number): Promise<Uint8Array>;
}

/** The template or its data is at fault. */
export class DocumentProblem extends Error {
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    super(messages.join('\n'));
    this.messages = messages;
  }
}
