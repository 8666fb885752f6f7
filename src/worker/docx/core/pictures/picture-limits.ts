/** Limits of the pictures of one render; published in docs/reference/template-language.md. */
export const pictureLimits = {
  /** Bytes of one picture. */
  bytes: 10 * 1024 * 1024,
  /** Pixels of one picture. */
  pixels: 50_000_000,
  /** Pictures that one render may place. */
  placed: 5_000,
  /** Bytes of all distinct pictures of one document. */
  totalBytes: 50 * 1024 * 1024,
} as const;
