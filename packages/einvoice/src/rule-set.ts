import type { XmlDocument, XmlNode } from './xml/xml-node.ts';

/** The severity of a broken rule. An invoice with a fatal finding is invalid. */
export type Severity = 'fatal' | 'warning' | 'information';

/** A condition that an element must meet. */
export interface Assert {
  /** The identifier in the standard, such as `BR-CO-15`. */
  readonly id: string;
  readonly severity: Severity;
  /** The business terms and groups that the rule is about, such as `BT-112`. */
  readonly businessTerms: readonly string[];
  readonly holds: (node: XmlNode, document: XmlDocument) => boolean;
  readonly text: (node: XmlNode, document: XmlDocument) => string;
}

export interface Rule {
  /** The names that an element must have for the rule to apply; undefined if it can have any. */
  readonly names: readonly string[] | undefined;
  readonly applies: (node: XmlNode, document: XmlDocument) => boolean;
  readonly asserts: readonly Assert[];
}

/** A list of rules. Of those that apply to an element, only the first is checked. */
export type Pattern = readonly Rule[];
