import type { Standard } from './standards.ts';

export interface Rule {
  /** What is wrong and, if the author can fix it, how. */
  readonly message: string;
  readonly clauses: Readonly<Partial<Record<Standard, string>>>;
}

interface ClauseNumbers {
  /** Clause of ISO 19005-1. */
  readonly a1?: string;
  /** Clause of ISO 19005-2 and, unless `a3` is given, of ISO 19005-3. */
  readonly a2?: string;
  readonly a3?: string | false;
  /** Clause of ISO 19005-2 for a rule that applies only to level U. */
  readonly u2?: string;
  /** Clause of ISO 14289-1. */
  readonly ua?: string;
  /** Failure condition of the Matterhorn Protocol. */
  readonly matterhorn?: string;
}

export function rule(message: string, { a1, a2, a3 = a2 ?? false, u2 = a2, ua, matterhorn }: ClauseNumbers): Rule {
  const checkpoint = matterhorn === undefined ? '' : `; Matterhorn Protocol ${matterhorn}`;
  return {
    message,
    clauses: {
      ...(a1 !== undefined && { 'PDF/A-1b': `ISO 19005-1, ${a1}` }),
      ...(a2 !== undefined && { 'PDF/A-2b': `ISO 19005-2, ${a2}` }),
      ...(u2 !== undefined && { 'PDF/A-2u': `ISO 19005-2, ${u2}` }),
      ...(a3 !== false && { 'PDF/A-3b': `ISO 19005-3, ${a3}` }),
      ...(ua !== undefined && { 'PDF/UA-1': `ISO 14289-1, ${ua}${checkpoint}` }),
    },
  };
}
