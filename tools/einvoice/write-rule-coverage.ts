import type { Assert, Schema } from './read-schematron.ts';
import { ruleSources } from './rule-sources.ts';

const intro = `# Rules for electronic invoices

<!-- Made from the Schematron files in packages/einvoice/rules by \`npm run generate\`. -->

These are the rules by which [\`@docmill/einvoice\`](../../packages/einvoice/README.md) validates an invoice: every rule
of the files that it was compiled from. An invoice with a *fatal* finding is not valid. \`a..b\` stands for
the identifiers from a to b.
`;

const titles: Record<keyof typeof ruleSources, string> = {
  'en16931-cii': 'EN 16931 for invoices in CII',
  'en16931-ubl': 'EN 16931 for invoices and credit notes in UBL',
  'xrechnung-cii': 'XRechnung for invoices in CII',
};

/** The page that lists every rule, by rule set and family. */
export function writeRuleCoverage(): string {
  const names = Object.keys(titles) as (keyof typeof ruleSources)[];
  return [intro, ...names.map((name) => writeSection(titles[name], ruleSources[name]()))].join('\n');
}

function writeSection(title: string, schema: Schema): string {
  const rules = schema.patterns.flatMap((pattern) => pattern.rules);
  const asserts = rules.flatMap((rule) => rule.asserts);
  const count = (severity: Assert['severity']) => asserts.filter((each) => each.severity === severity).length;
  const families = groupByFamily(new Set(asserts.map(({ id }) => id)));
  return [
    `## ${title}`,
    '',
    `${asserts.length} conditions on ${rules.length} kinds of elements: ${count('fatal')} fatal, ${count('warning')} ` +
      `warnings, ${count('information')} for information.`,
    '',
    '| Family | Rules | Identifiers |',
    '| --- | --- | --- |',
    ...[...families].sort().map(([family, ids]) => `| ${family} | ${ids.length} | ${shortened(ids)} |`),
    '',
  ].join('\n');
}

function groupByFamily(ids: ReadonlySet<string>): ReadonlyMap<string, readonly string[]> {
  const families = new Map<string, string[]>();
  for (const id of ids) families.set(familyOf(id), [...(families.get(familyOf(id)) ?? []), id]);
  return families;
}

/** `BR-CO` of `BR-CO-15`, and `BR` of `BR-02`. */
function familyOf(id: string): string {
  return id.replace(/-\d.*$/, '');
}

/** Joins consecutive numbers into ranges. */
function shortened(ids: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of [...ids].sort((one, other) => numberOf(one) - numberOf(other))) {
    const last = runs.at(-1);
    const isNext = last !== undefined && numberOf(id) - numberOf(last.at(-1) ?? '') <= 1;
    if (isNext) last.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}..${run.at(-1)}` : run.join(', '))).join(', ');
}

function numberOf(id: string): number {
  return Number(/\d+/.exec(id)?.[0] ?? 0);
}
