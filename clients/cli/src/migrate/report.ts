/** The engines whose templates can be migrated. */
export const engineNames = ['docxtemplater', 'carbone', 'docx-templates', 'easy-template-x', 'word'] as const;

export type EngineName = (typeof engineNames)[number];

/** A place in a template that needs a manual check. */
export interface Finding {
  /** `left`: unchanged, because it has no equivalent. `check`: rewritten, but may print something else. */
  readonly status: 'left' | 'check';
  /** The part, such as `body`, `header 1` or `footnotes`. */
  readonly part: string;
  /** The text around the tag. */
  readonly context: string;
  readonly tag: string;
  /** The new text of the tag, if it was rewritten. */
  readonly replacement?: string | undefined;
  readonly reason: string;
  /** The line to write instead, if there is one. */
  readonly write?: string | undefined;
}

export interface MigrationReport {
  readonly engine: EngineName;
  /** Tags with the same meaning in Docmill. */
  readonly unchanged: number;
  readonly rewritten: number;
  /** Tags and texts left unchanged, because they have no equivalent. */
  readonly left: number;
  readonly findings: readonly Finding[];
  /** Required changes to the data of requests. */
  readonly data: readonly string[];
}

/** The file cannot be migrated at all. The message says why and what to do. */
export class UnusableFile extends Error {}
