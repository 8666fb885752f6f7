/** A compressed part as stored in its archive. */
export interface StoredPart {
  readonly method: number;
  readonly sizeBytes: number;
  readonly crc32: number;
  readonly data: Uint8Array;
}

/** What readers of a Word file need of its opened package. Part names ignore case. */
export interface WordPackage {
  readonly mainPart: string;
  readonly partNames: readonly string[];
  /** The inflated bytes of a part. Do not modify them: they may be shared with the package. */
  read(name: string): Buffer | undefined;
  /** The text of an XML part: without byte order mark, declared as UTF-8, in the form that Word writes. */
  readText(name: string): string | undefined;
  /** The compressed part as stored in the archive. */
  entry(name: string): StoredPart | undefined;
  /** The content type in lower case. */
  contentType(name: string): string | undefined;
}
