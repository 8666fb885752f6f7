import { type Profile, profileOf } from './profile.ts';
import { elementsBeyond, severityIn } from './profile-rules.ts';
import type { Pattern } from './rule-set.ts';
import { patterns as en16931Cii } from './rules/generated-en16931-cii.ts';
import { patterns as en16931Ubl } from './rules/generated-en16931-ubl.ts';
import { patterns as xrechnungCii } from './rules/generated-xrechnung-cii.ts';
import { asWritten, type Finding, type Findings, runRules, type SeverityOf } from './run-rules.ts';
import { readXml } from './xml/read-xml.ts';
import { UnreadableInvoice } from './xml/unreadable-invoice.ts';
import { startCounting, TooManyVisits } from './xml/visit-limit.ts';
import type { XmlDocument, XmlNode } from './xml/xml-node.ts';

export type RuleSetName = 'en16931-cii' | 'en16931-ubl' | 'xrechnung-cii';

export interface InvoiceReport {
  readonly syntax: 'cii' | 'ubl-invoice' | 'ubl-credit-note';
  /** The specification identifier (BT-24); empty if the invoice has none. */
  readonly customizationId: string;
  readonly profile: Profile | undefined;
  /** The rule sets that were applied. Empty for the profiles without lines, which do not conform to EN 16931. */
  readonly ruleSets: readonly RuleSetName[];
  /** In the order of the document within each rule set. */
  readonly findings: readonly Finding[];
  /** Whether a rule set had more findings than the 500 that are reported for each set. */
  readonly hasMoreFindings: boolean;
}

/** The rule sets by name. */
export const ruleSets: Record<RuleSetName, readonly Pattern[]> = {
  'en16931-cii': en16931Cii,
  'en16931-ubl': en16931Ubl,
  'xrechnung-cii': xrechnungCii,
};

/** More findings than this usually have the same few causes, and nobody would read them all. */
const maxFindings = 500;
/** What is longer is no identifier, and would only make the report large. */
const maxIdentifierChars = 500;

const roots: ReadonlyMap<string, InvoiceReport['syntax']> = new Map([
  ['rsm:CrossIndustryInvoice', 'cii'],
  ['ubl:Invoice', 'ubl-invoice'],
  ['cn:CreditNote', 'ubl-credit-note'],
]);

/**
 * Validates an invoice by the rules of EN 16931, and those of XRechnung if the invoice claims to be one. `relax` changes
 * how bad a finding is. Throws `UnreadableInvoice` if the source is not XML that is safe to read, or not an invoice in
 * CII or UBL.
 */
export function validateInvoice(source: string | Uint8Array, relax: SeverityOf = asWritten): InvoiceReport {
  startCounting();
  const document = readXml(source);
  const syntax = roots.get(document.root.name);
  if (syntax === undefined) throw unknownRoot(document.root);
  const customizationId = customizationIdOf(document);
  const profile = profileOf(customizationId);
  const applicable = ruleSetsFor(syntax, profile);
  const severityOf: SeverityOf = (id, severity) => relax(id, severityIn(profile, id, severity));
  const found = check(document, applicable, { profile, severityOf });
  return { syntax, customizationId, profile, ruleSets: applicable, ...found };
}

function unknownRoot({ writtenName }: XmlNode): UnreadableInvoice {
  return new UnreadableInvoice(
    `The root element "${writtenName.slice(0, 60)}" is not that of an invoice: use a CrossIndustryInvoice (CII), ` +
      'or an Invoice or a CreditNote in UBL 2.1, in their namespaces.',
  );
}

function customizationIdOf(document: XmlDocument): string {
  const guideline = document.named('ram:GuidelineSpecifiedDocumentContextParameter')[0];
  const element = guideline?.children.find(({ name }) => name === 'ram:ID') ?? document.named('cbc:CustomizationID')[0];
  return (element?.value.trim() ?? '').slice(0, maxIdentifierChars);
}

function ruleSetsFor(syntax: InvoiceReport['syntax'], profile: Profile | undefined): readonly RuleSetName[] {
  if (profile === 'MINIMUM' || profile === 'BASIC WL') return [];
  if (syntax !== 'cii') return ['en16931-ubl'];
  const isXRechnung = profile === 'XRECHNUNG' || profile === 'XRECHNUNG EXTENSION';
  return isXRechnung ? ['en16931-cii', 'xrechnung-cii'] : ['en16931-cii'];
}

function check(
  document: XmlDocument,
  names: readonly RuleSetName[],
  { profile, severityOf }: { readonly profile: Profile | undefined; readonly severityOf: SeverityOf },
): Pick<InvoiceReport, 'findings' | 'hasMoreFindings'> {
  try {
    const lists: readonly Findings[] = [
      elementsBeyond(document, profile, maxFindings),
      ...names.map((name) => runRules(document, ruleSets[name], maxFindings, severityOf)),
    ];
    return {
      findings: lists.flatMap(({ findings }) => findings),
      hasMoreFindings: lists.some(({ hasMore }) => hasMore),
    };
  } catch (error) {
    if (error instanceof TooManyVisits) throw new UnreadableInvoice('The invoice has too many lines to be validated.');
    throw error;
  }
}
