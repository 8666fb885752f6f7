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
