/**
 * What one template and one render may cost; published in docs/reference/template-language.md. Together they keep the
 * heap of any job under 300 MB.
 */
export const docxLimits = {
  /** Tags in a template, over all its parts. */
  tags: 20_000,
  /** XML elements of the paragraphs, rows and cells with tags. */
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

/** What one expression may cost; published in docs/reference/template-language.md. */
export const expressionLimits = {
  /** Characters between the braces. */
  chars: 2000,
  /** Names, values, operators and brackets. */
  tokens: 300,
  /** Brackets, signs and choices inside one another. */
  depth: 30,
  /** Characters of a text that an expression creates. */
  textChars: 1_000_000,
  /** List items that the formatters of one render may visit. */
  listItems: 5_000_000,
} as const;

/** What an uploaded package may hold; a caller can be stricter. */
export const packageLimits = {
  maxEntries: 2000,
  /** All parts together, unpacked. */
  maxInflatedBytes: 100_000_000,
  maxPartBytes: 50_000_000,
  /** Unpacked to packed size of a part larger than `ratioFreeBytes`. */
  maxRatio: 500,
  /** Blank bitmaps and repeated table rows reach any ratio while they are small. */
  ratioFreeBytes: 16 * 1024 * 1024,
  maxNameBytes: 512,
  maxXmlDepth: 256,
  /** Elements of all XML parts together. */
  maxXmlElements: 2_000_000,
  /** Attributes of all XML parts together. */
  maxXmlAttributes: 6_000_000,
  /** Attributes of one element: the XML parser keeps them in an object, which becomes slow when it is huge. */
  maxElementAttributes: 1000,
  maxTableNesting: 30,
  /** Faulty parts that one answer names. */
  maxProblems: 20,
} as const;

export type PackageLimits = { readonly [Name in keyof typeof packageLimits]: number };
