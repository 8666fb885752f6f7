/**
 * What one template and one render may cost; published in docs/reference/template-language.md. Together they keep the heap of any
 * job under 300 MB.
 */
export const docxLimits = {
  /** Tags in a template, over all its parts. */
  tags: 20_000,
  /** XML elements of the paragraphs, rows and cells that hold tags. */
  elementsAroundTags: 200_000,
  /** XML of these paragraphs, rows and cells. */
  charsAroundTags: 16 * 1024 * 1024,
  /** Sections open inside one another. */
  sectionDepth: 8,
  /** Repetitions of all sections of one render together. */
  iterations: 200_000,
  /** Values looked up in one render. */
  lookups: 2_000_000,
  /** XML that one render may write, over all parts; counted in characters while it grows. */
  outputBytes: 64 * 1024 * 1024,
  /** Values in `data`, lists and objects included. */
  dataValues: 1_000_000,
  /** Arrays and objects inside one another in `data`, the outermost included. */
  dataDepth: 64,
  /** Entries of `error.details`. */
  errorDetails: 50,
} as const;

/** What one formula may cost; published in docs/reference/template-language.md. */
export const expressionLimits = {
  /** Characters between the braces. */
  chars: 2000,
  /** Names, values, operators and brackets. */
  tokens: 300,
  /** Brackets, signs and choices inside one another. */
  depth: 30,
  /** Characters of a text that a formula makes. */
  textChars: 1_000_000,
  /** List items that the formatters of one render may visit. */
  listItems: 5_000_000,
} as const;
