/** The engines whose templates can be rewritten. */
export const engineNames = ['docxtemplater', 'carbone', 'docx-templates', 'easy-template-x'] as const;

export type EngineName = (typeof engineNames)[number];

/** One place of a template that a person must look at. */
export interface Finding {
  /** `left`: stays as it was, because it has no equivalent. `check`: was rewritten, and may print something else. */
  readonly status: 'left' | 'check';
  /** Where it is: `body`, `header 1`, `footnotes` … */
  readonly part: string;
  /** The text around the tag. */
  readonly context: string;
  readonly tag: string;
  /** What the tag became, if it was rewritten. */
  readonly replacement?: string | undefined;
  readonly reason: string;
  /** The line to write instead, if there is one. */
  readonly write?: string | undefined;
}

export interface MigrationReport {
  readonly engine: EngineName;
  /** Tags that mean the same in Docmill. */
  readonly unchanged: number;
  readonly rewritten: number;
  /** Tags and texts that stay as they were, because they have no equivalent. */
  readonly left: number;
  readonly findings: readonly Finding[];
  /** What must change in the data of a request. */
  readonly data: readonly string[];
}

/** The file cannot be rewritten at all. The message says why and what to do. */
export class UnusableFile extends Error {}
