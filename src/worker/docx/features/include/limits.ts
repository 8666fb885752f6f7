/** Limits of the templates that one template includes; published in docs/reference/template-language.md. */
export const includeLimits = {
  /** Levels of included templates below the template of the document. */
  depth: 4,
  /** Include tags in all templates of a document, counted each time their template is included. */
  tags: 200,
  /** Characters of XML that included templates of all levels add: content, notes, styles and lists. */
  markupChars: 16 * 1024 * 1024,
  /** Pictures, charts and other parts that are copied, unpacked. */
  partBytes: 64 * 1024 * 1024,
} as const;
