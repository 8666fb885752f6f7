/**
 * Limits of one template and one render; published in docs/reference/template-language.md. Together they keep the heap of
 * every job under 300 MB.
 */
export const docxLimits = {
  /** Tags in all parts of a template. */
  tags: 20_000,
  /** XML elements in paragraphs, rows and cells with tags. */
  elementsAroundTags: 200_000,
  /** Characters of XML in these paragraphs, rows and cells. */
  charsAroundTags: 16 * 1024 * 1024,
  /** Nesting depth of sections. */
  sectionDepth: 8,
  /** Repetitions of all sections of one render. */
  iterations: 200_000,
  /** Values looked up in one render. */
  lookups: 2_000_000,
  /** XML that one render may write to all parts; counted in characters during the render. */
  outputBytes: 64 * 1024 * 1024,
  /** Values in `data`, including lists and objects. */
  dataValues: 1_000_000,
  /** Nesting depth of arrays and objects in `data`, including the outermost. */
  dataDepth: 64,
  /** Entries of `error.details`. */
  errorDetails: 50,
} as const;

/** Limits of one expression; published in docs/reference/template-language.md. */
export const expressionLimits = {
  /** Characters between the braces. */
  chars: 2000,
  /** Names, values, operators and brackets. */
  tokens: 300,
  /** Nesting depth of brackets, signs and choices. */
  depth: 30,
  /** Characters of a string that an expression creates. */
  textChars: 1_000_000,
  /** List items that the formatters of one render may visit. */
  listItems: 5_000_000,
} as const;

/** Limits of an uploaded package; callers may use stricter ones. */
export const packageLimits = {
  maxEntries: 2000,
  /** Unpacked size of all parts. */
  maxInflatedBytes: 100_000_000,
  maxPartBytes: 50_000_000,
  /** Maximum ratio of unpacked to packed size for parts larger than `ratioFreeBytes`. */
  maxRatio: 500,
  /** Small blank bitmaps and repeated table rows can reach any ratio. */
  ratioFreeBytes: 16 * 1024 * 1024,
  maxNameBytes: 1024,
  maxXmlDepth: 256,
  /** Elements of all XML parts. */
  maxXmlElements: 2_000_000,
  /** Attributes of all XML parts. */
  maxXmlAttributes: 6_000_000,
  /** Attributes of one element. The XML parser keeps them in an object, which is slow when huge. */
  maxElementAttributes: 1000,
  maxTableNesting: 30,
  /** Elements that one SVG draws by reference: `use`, patterns, masks, clips, markers. */
  maxSvgReferences: 100_000,
  /** Faulty parts listed in one response. */
  maxProblems: 20,
} as const;

export type PackageLimits = { readonly [Name in keyof typeof packageLimits]: number };
