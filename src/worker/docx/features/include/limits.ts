/** Limits of the templates that one template includes; published in docs/reference/template-language.md. */
export const includeLimits = {
  /** Levels of templates below the one of a document. */
  depth: 4,
  /** Tags in all templates of a document together, counted as often as they are included. */
  tags: 200,
  /** Characters of XML that templates of all levels bring: content, notes, styles and lists. */
  markupChars: 16 * 1024 * 1024,
  /** Pictures, charts and other parts that are copied, unpacked. */
  partBytes: 64 * 1024 * 1024,
} as const;
