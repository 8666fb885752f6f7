/** What `{text | link:address}` makes: a value to print, and the judged address it leads to. */
export class LinkedText {
  readonly value: unknown;
  /** Undefined when the data has none: then the text is printed without link. */
  readonly url: string | undefined;

  constructor(value: unknown, url: string | undefined) {
    this.value = value;
    this.url = url;
  }
}
