/** Standards that a PDF can be checked against. */
export const standards = ['PDF/A-1b', 'PDF/A-2b', 'PDF/A-2u', 'PDF/A-3b', 'PDF/UA-1'] as const;
export type Standard = (typeof standards)[number];

/** One rule that a file breaks. */
export interface ConformanceFailure {
  /** Name of the rule, such as `figure-alt`. */
  readonly rule: string;
  /** The clause of the standard, such as `ISO 14289-1, 7.3; Matterhorn Protocol 13-004`. */
  readonly clause: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
  /** The first place where it was found, such as `page 2`. */
  readonly place?: string | undefined;
  /** The number of occurrences. */
  readonly count: number;
}

/** The result of checking a file against one standard. */
export interface StandardReport {
  readonly standard: Standard;
  readonly passed: boolean;
  /** The number of checked rules. */
  readonly checked: number;
  readonly failures: readonly ConformanceFailure[];
}

/** The result of checking a file against every requested standard. */
export interface ConformanceReport {
  readonly passed: boolean;
  readonly standards: readonly StandardReport[];
}

/** Returns the standards that are requested by a document's PDF options. */
export function requestedStandards(options: {
  readonly archive?: Exclude<Standard, 'PDF/UA-1'> | undefined;
  readonly accessible?: boolean | undefined;
}): readonly Standard[] {
  const archive = options.archive === undefined ? [] : [options.archive];
  return options.accessible === true ? [...archive, 'PDF/UA-1'] : archive;
}
