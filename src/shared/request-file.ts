// A file of a request, and its bytes while the document waits.

/** Bytes that came with a request. They are stored after the JSON text of its data, under the same key. */
export interface StoredContent {
  /** Where they begin, in bytes from the start of the data. */
  readonly offset: number;
  readonly sizeBytes: number;
  /** SHA-256, hex. */
  readonly sha256: string;
}

/** Either an asset of the account, by id or name, or the content: base64 in a request, `StoredContent` in a row. */
export interface RequestFile<Content = StoredContent> {
  readonly asset?: string | undefined;
  readonly content?: Content | undefined;
}
