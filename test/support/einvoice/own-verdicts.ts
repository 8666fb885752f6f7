import { locationOf } from '../../../packages/einvoice/src/location.ts';
import type { Pattern, Rule } from '../../../packages/einvoice/src/rule-set.ts';
import { applicationsOf, runRules } from '../../../packages/einvoice/src/run-rules.ts';
import { ruleSets } from '../../../packages/einvoice/src/validate-invoice.ts';
import { readXml } from '../../../packages/einvoice/src/xml/read-xml.ts';
import { startCounting } from '../../../packages/einvoice/src/xml/visit-limit.ts';
import type { RuleSetName } from './saxon-verdicts.ts';

/** The result of the compiled rules for an invoice, in the form of `saxonVerdicts`. */
export function ownVerdicts(ruleSet: RuleSetName, xml: string): readonly string[] {
  startCounting();
  const document = readXml(xml);
  const patterns = ruleSets[ruleSet];
  const names = namesOf(patterns);
  const applied = applicationsOf(document, patterns).map(
    ({ element, rule }) => `rule ${names.get(rule) ?? ''} ${locationOf(element)}`,
  );
  const findings = runRules(document, patterns, Number.POSITIVE_INFINITY).findings.map(
    ({ id, location, problem }) => `${problem === undefined ? 'failed' : 'problem'} ${id} ${location}`,
  );
  return [...applied, ...findings].map((line) => line.replaceAll('[1]', '')).sort();
}

function namesOf(patterns: readonly Pattern[]): ReadonlyMap<Rule, string> {
  return new Map(
    patterns.flatMap((pattern, index) => pattern.map((rule, position) => [rule, `${index}.${position}`] as const)),
  );
}
