import { locationOf } from './location.ts';
import type { Assert, Pattern, Rule, Severity } from './rule-set.ts';
import type { XmlDocument, XmlNode } from './xml/xml-node.ts';
import { XPathError } from './xpath/values.ts';

/** A rule that an element breaks. */
export interface Finding {
  /** The identifier of the rule in the standard, such as `BR-CO-15`. */
  readonly id: string;
  readonly severity: Severity;
  readonly text: string;
  /** The business terms and groups that the rule is about, such as `BT-112`. */
  readonly businessTerms: readonly string[];
  /** The XPath of the element that was checked, with the prefixes of the rules. */
  readonly location: string;
  /** The line on which the element's start tag ends, from 1. */
  readonly line: number;
  /** Why the rule could not be evaluated, such as an amount that is not a number. Absent if it was evaluated. */
  readonly problem?: string;
}

/** An element, and the rule that applies to it. */
export interface Application {
  readonly element: XmlNode;
  readonly rule: Rule;
}

export interface Findings {
  readonly findings: readonly Finding[];
  readonly hasMore: boolean;
}

/** How bad it is that a rule does not hold, where that depends on the invoice. */
export type SeverityOf = (id: string, severity: Severity) => Severity;

/** The text of a rule may repeat a value of the invoice. */
const maxTextChars = 2_000;

export const asWritten: SeverityOf = (_id, severity) => severity;

/**
 * The findings in the order of the document, at most `most`. If there are more, the last is the first fatal one unless
 * another is fatal, so that an invoice without a fatal finding is valid.
 */
export function runRules(
  document: XmlDocument,
  patterns: readonly Pattern[],
  most: number,
  severityOf: SeverityOf = asWritten,
): Findings {
  const findings: Finding[] = [];
  let isInvalid = false;
  let hasMore = false;
  for (const { element, rule } of applicationsOf(document, patterns)) {
    for (const assert of rule.asserts) {
      const severity = severityOf(assert.id, assert.severity);
      if (hasMore && severity !== 'fatal') continue;
      const found = check(assert, element, document);
      if (found === undefined) continue;
      const finding = { ...found, severity };
      hasMore = findings.length === most;
      if (!hasMore) findings.push(finding);
      else if (severity === 'fatal' && !isInvalid) findings[most - 1] = finding;
      isInvalid ||= severity === 'fatal';
      if (hasMore && isInvalid) return { findings, hasMore };
    }
  }
  return { findings, hasMore };
}

/** Every rule that applies to an element, in document order of the elements. */
export function applicationsOf(document: XmlDocument, patterns: readonly Pattern[]): Application[] {
  const found: Application[] = [];
  for (const element of document.elements) {
    for (const pattern of patterns) {
      const rule = rulesFor(element.name, pattern).find((each) => applies(each, element, document));
      if (rule !== undefined) found.push({ element, rule });
    }
  }
  return found;
}

/**
 * The rules of each pattern by the name of the elements that they can apply to, and those that can apply to any name.
 */
const indexes = new WeakMap<Pattern, { byName: ReadonlyMap<string, readonly Rule[]>; others: readonly Rule[] }>();

function rulesFor(name: string, pattern: Pattern): readonly Rule[] {
  let index = indexes.get(pattern);
  if (index === undefined) {
    index = indexByName(pattern);
    indexes.set(pattern, index);
  }
  return index.byName.get(name) ?? index.others;
}

function indexByName(pattern: Pattern): { byName: ReadonlyMap<string, readonly Rule[]>; others: readonly Rule[] } {
  const names = new Set(pattern.flatMap((rule) => rule.names ?? []));
  const rulesOf = (name: string) => pattern.filter((rule) => rule.names?.includes(name) ?? true);
  return {
    byName: new Map([...names].map((name) => [name, rulesOf(name)])),
    others: pattern.filter((rule) => rule.names === undefined),
  };
}

/** A rule whose context cannot be evaluated for an element does not apply to it. */
function applies(rule: Rule, element: XmlNode, document: XmlDocument): boolean {
  try {
    return rule.applies(element, document);
  } catch (error) {
    if (error instanceof XPathError) return false;
    throw error;
  }
}

function check(assert: Assert, element: XmlNode, document: XmlDocument): Finding | undefined {
  try {
    return assert.holds(element, document) ? undefined : findingOf(assert, element, document);
  } catch (error) {
    if (!(error instanceof XPathError)) throw error;
    return { ...findingOf(assert, element, document), problem: error.message };
  }
}

function findingOf(assert: Assert, element: XmlNode, document: XmlDocument): Finding {
  const { id, severity, businessTerms } = assert;
  const text = assert.text(element, document).slice(0, maxTextChars);
  return { id, severity, text, businessTerms, location: locationOf(element), line: element.line };
}
