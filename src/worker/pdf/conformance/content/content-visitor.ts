import type { PdfDict, PdfObject, PdfStream } from '@libpdf/core';

/** The location of content, for messages and for the entries of the parent tree. */
export interface ContentPlace {
  /** For example `page 2`. */
  readonly name: string;
  /** `StructParents` of the page or form. */
  readonly structParents: number | undefined;
  /** Whether content must be tagged or marked as decoration. False for appearances of annotations and for patterns. */
  readonly isTaggable: boolean;
}

/** Marked content that encloses an operation (ISO 32000-1, 14.6). */
export interface Mark {
  readonly tag: string;
  readonly mcid: number | undefined;
  /** `Lang` of its properties. */
  readonly language: string | undefined;
}

/** An image whose data is in the content stream (ISO 32000-1, 8.9.7). */
export interface InlineImage {
  readonly isInterpolated: boolean;
  /** The rendering intent. */
  readonly intent: string | undefined;
}

/** Receives what all pages, forms, patterns and glyphs contain. Each form is visited once. */
export interface ContentVisitor {
  text(font: PdfDict, codes: Uint8Array, isVisible: boolean, place: ContentPlace, marks: readonly Mark[]): void;
  /** Text, a picture or a path is painted. */
  paint(marks: readonly Mark[], place: ContentPlace): void;
  mark(mark: Mark, outer: readonly Mark[], place: ContentPlace): void;
  colourSpace(space: PdfObject | string, place: ContentPlace): void;
  image(image: PdfDict, place: ContentPlace): void;
  inlineImage(image: InlineImage, place: ContentPlace): void;
  form(form: PdfStream, place: ContentPlace): void;
  graphicsState(state: PdfDict, place: ContentPlace): void;
  renderingIntent(name: string, place: ContentPlace): void;
  unknownOperator(operator: string, place: ContentPlace): void;
  /** The content uses a resource that its own dictionary does not list. */
  missingResource(kind: string, place: ContentPlace): void;
  limit(place: ContentPlace): void;
  /** A hexadecimal string with an odd number of digits. */
  oddString(place: ContentPlace): void;
  unreadable(place: ContentPlace): void;
}
