import { locationOf } from './location.ts';
import { type Profile, profileOf } from './profile.ts';
import type { Assert, Pattern, Rule, Severity } from './rule-set.ts';
import { patterns as en16931Cii } from './rules/generated-en16931-cii.ts';
import { patterns as en16931Ubl } from './rules/generated-en16931-ubl.ts';
import { patterns as xrechnungCii } from './rules/generated-xrechnung-cii.ts';
import { readXml } from './xml/read-xml.ts';
import { UnreadableInvoice } from './xml/unreadable-invoice.ts';
import type { XmlDocument, XmlNode } from './xml/xml-node.ts';
import { startCounting, TooManySteps } from './xpath/axes.ts';
import { XPathError } from './xpath/values.ts';

export type RuleSetName = 'en16931-cii' | 'en16931-ubl' | 'xrechnung-cii';

/** A rule that does not hold for an element. */
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

export interface InvoiceReport {
  readonly syntax: 'cii' | 'ubl-invoice' | 'ubl-credit-note';
  /** The specification identifier (BT-24); empty if the invoice has none. */
  readonly customizationId: string;
  readonly profile: Profile | undefined;
  /** The rule sets that were run. Empty for the profiles without lines, which are not invoices of EN 16931. */
  readonly ruleSets: readonly RuleSetName[];
  /** In the order of the document within each rule set. */
  readonly findings: readonly Finding[];
}

const ruleSets: Record<RuleSetName, readonly Pattern[]> = {
  'en16931-cii': en16931Cii,
  'en16931-ubl': en16931Ubl,
  'xrechnung-cii': xrechnungCii,
};

const roots: ReadonlyMap<string, InvoiceReport['syntax']> = new Map([
  ['rsm:CrossIndustryInvoice', 'cii'],
  ['ubl:Invoice', 'ubl-invoice'],
  ['cn:CreditNote', 'ubl-credit-note'],
]);

/**
 * Validates an invoice by the rules of EN 16931, and those of XRechnung if the invoice claims to be one. Throws
 * `UnreadableInvoice` if the source is not XML that is safe to read, or not an invoice in CII or UBL.
 */
export function validateInvoice(source: string | Uint8Array): InvoiceReport {
  const document = readXml(source);
  const syntax = roots.get(document.root.name);
  if (syntax === undefined) throw unknownRoot(document.root);
  const customizationId = customizationIdOf(document);
  const profile = profileOf(customizationId);
  const applicable = ruleSetsFor(syntax, profile);
  return { syntax, customizationId, profile, ruleSets: applicable, findings: runRules(document, applicable) };
}

function unknownRoot({ writtenName }: XmlNode): UnreadableInvoice {
  return new UnreadableInvoice(
    `The root element "${writtenName.slice(0, 60)}" is not that of an invoice: use a CrossIndustryInvoice (CII), or an ` +
      'Invoice or a CreditNote in UBL 2.1, in their namespaces.',
  );
}

function customizationIdOf(document: XmlDocument): string {
  const guideline = document.named('ram:GuidelineSpecifiedDocumentContextParameter')[0];
  const element = guideline?.children.find(({ name }) => name === 'ram:ID') ?? document.named('cbc:CustomizationID')[0];
  return element?.value.trim() ?? '';
}

function ruleSetsFor(syntax: InvoiceReport['syntax'], profile: Profile | undefined): readonly RuleSetName[] {
  if (profile === 'MINIMUM' || profile === 'BASIC WL') return [];
  if (syntax !== 'cii') return ['en16931-ubl'];
  const isXRechnung = profile === 'XRECHNUNG' || profile === 'XRECHNUNG EXTENSION';
  return isXRechnung ? ['en16931-cii', 'xrechnung-cii'] : ['en16931-cii'];
}

function runRules(document: XmlDocument, names: readonly RuleSetName[]): Finding[] {
  startCounting();
  try {
    return names.flatMap((name) => {
      const indexes = indexesOf(name);
      return document.elements.flatMap((element) =>
        indexes.flatMap((index) => firstApplicable(index(element.name), element, document)).flatMap(({ asserts }) =>
          asserts.flatMap((assert) => check(assert, element, document)),
        ),
      );
    });
  } catch (error) {
    if (error instanceof TooManySteps) throw new UnreadableInvoice('The invoice has too many lines to be validated.');
    throw error;
  }
}

/** The rules of a pattern that could apply to elements of a name, in their order. */
type RuleIndex = (name: string) => readonly Rule[];

const indexed = new Map<RuleSetName, readonly RuleIndex[]>();

function indexesOf(name: RuleSetName): readonly RuleIndex[] {
  const known = indexed.get(name) ?? ruleSets[name].map(indexByName);
  indexed.set(name, known);
  return known;
}

function indexByName(pattern: Pattern): RuleIndex {
  const anyName = pattern.filter(({ names }) => names === undefined);
  const byName = new Map<string, readonly Rule[]>();
  for (const name of new Set(pattern.flatMap(({ names }) => names ?? [])))
    byName.set(
      name,
      pattern.filter(({ names }) => names?.includes(name) ?? true),
    );
  return (name) => byName.get(name) ?? anyName;
}

function firstApplicable(rules: readonly Rule[], element: XmlNode, document: XmlDocument): readonly Rule[] {
  const rule = rules.find((each) => applies(each, element, document));
  return rule === undefined ? [] : [rule];
}

/** A pattern that cannot be evaluated for an element does not match it. */
function applies(rule: Rule, element: XmlNode, document: XmlDocument): boolean {
  try {
    return rule.applies(element, document);
  } catch (error) {
    if (error instanceof XPathError) return false;
    throw error;
  }
}

function check(assert: Assert, element: XmlNode, document: XmlDocument): Finding[] {
  try {
    return assert.holds(element, document) ? [] : [findingOf(assert, element, document)];
  } catch (error) {
    if (!(error instanceof XPathError)) throw error;
    return [{ ...findingOf(assert, element, document), problem: error.message }];
  }
}

function findingOf(assert: Assert, element: XmlNode, document: XmlDocument): Finding {
  const { id, severity, businessTerms } = assert;
  const text = assert.text(element, document);
  return { id, severity, text, businessTerms, location: locationOf(element), line: element.line };
}
