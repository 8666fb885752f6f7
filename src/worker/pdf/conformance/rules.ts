import { accessibilityRules } from './accessibility-rules.ts';
import { archiveRules } from './archive-rules.ts';
import { fontRules } from './font-rules.ts';

/**
 * Every rule that is checked. A rule belongs to the standards whose clause it names: ISO 19005-1 (PDF/A-1), ISO 19005-2
 * (PDF/A-2), ISO 19005-3 (PDF/A-3), ISO 14289-1 (PDF/UA-1, with the number of the Matterhorn Protocol 1.1).
 */
export const rules = { ...archiveRules, ...fontRules, ...accessibilityRules };

export type RuleName = keyof typeof rules;

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(rules, name);
}
