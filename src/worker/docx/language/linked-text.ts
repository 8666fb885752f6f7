/** The result of `{text | link:address}`: a value to print, and the validated address of its link. */
export class LinkedText {
  readonly value: unknown;
  /** Undefined if the data has no address; the text is then printed without a link. */
  readonly url: string | undefined;

  constructor(value: unknown, url: string | undefined) {
    this.value = value;
    this.url = url;
  }
}
