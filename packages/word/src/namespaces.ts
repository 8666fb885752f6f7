/** Namespaces of the package itself (ECMA-376 part 2). */
export const packageNamespaces = {
  relationships: 'http://schemas.openxmlformats.org/package/2006/relationships',
  contentTypes: 'http://schemas.openxmlformats.org/package/2006/content-types',
} as const;

/** The namespaces of WordprocessingML in the two forms of the standard: Transitional (ECMA-376 part 4) and Strict (part 1). */
export const wordNamespaces = {
  transitional: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  strict: 'http://purl.oclc.org/ooxml/wordprocessingml/main',
} as const;

/** The namespaces of `r:id`, which also begin the types of relationships. */
export const relationshipNamespaces = {
  transitional: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  strict: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
} as const;
