import { accessibilityRules } from './accessibility-rules.ts';
import { archiveRules } from './archive-rules.ts';
import { fontRules } from './font-rules.ts';

/**
 * All rules. A rule belongs to every standard for which it names a clause: ISO 19005-1 (PDF/A-1), ISO 19005-2
 * (PDF/A-2), ISO 19005-3 (PDF/A-3) or ISO 14289-1 (PDF/UA-1, with the number in the Matterhorn Protocol 1.1).
 */
export const rules = { ...archiveRules, ...fontRules, ...accessibilityRules };

export type RuleName = keyof typeof rules;

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(rules, name);
}
