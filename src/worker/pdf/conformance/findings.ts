import { isRuleName, type RuleName, rules } from './rules.ts';
import type { ConformanceReport, Standard, StandardReport } from './standards.ts';

/** Collects the findings of one file. */
export interface Findings {
  /** Reports that a rule is broken at a place, such as `page 2`. */
  readonly report: (rule: RuleName, place?: string) => void;
  /** Whether a requested standard has one of these rules. Call this before expensive checks. */
  readonly needs: (...names: readonly RuleName[]) => boolean;
  readonly toReport: () => ConformanceReport;
}

const maxPlaceChars = 200;

export function createFindings(standards: readonly Standard[]): Findings {
  const found = new Map<RuleName, { place: string | undefined; count: number }>();
  return {
    report(rule, place) {
      const known = found.get(rule);
      if (known === undefined) found.set(rule, { place: place?.slice(0, maxPlaceChars), count: 1 });
      else known.count += 1;
    },
    needs: (...names) =>
      names.some((name) => standards.some((standard) => rules[name].clauses[standard] !== undefined)),
    toReport() {
      const reports = standards.map((standard) => toStandardReport(standard, found));
      return { passed: reports.every(({ passed }) => passed), standards: reports };
    },
  };
}

function toStandardReport(
  standard: Standard,
  found: ReadonlyMap<RuleName, { readonly place: string | undefined; readonly count: number }>,
): StandardReport {
  const names = Object.keys(rules).filter(isRuleName);
  const checked = names.filter((name) => rules[name].clauses[standard] !== undefined);
  const failures = checked.flatMap((rule) => {
    const finding = found.get(rule);
    const { clauses, message } = rules[rule];
    if (finding === undefined) return [];
    const { place, count } = finding;
    return [{ rule, clause: clauses[standard] ?? '', message, ...(place !== undefined && { place }), count }];
  });
  return { standard, passed: failures.length === 0, checked: checked.length, failures };
}
