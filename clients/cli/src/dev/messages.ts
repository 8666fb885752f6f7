/** The messages between the server and the page of `docmill dev`. */

export interface CatalogTemplate {
  readonly name: string;
  readonly cases: readonly string[];
}

/** Event `catalog`: the available templates and cases. */
export interface Catalog {
  readonly folder: string;
  readonly service: string;
  readonly templates: readonly CatalogTemplate[];
  /** The error of the folder; null if there is none. */
  readonly problem: string | null;
}

/** An error, with its position as far as it is known. */
export interface Problem {
  readonly message: string;
  readonly tag?: string;
  readonly part?: string;
  readonly context?: string;
  /** The position in the data, such as `data.items[0].price`. */
  readonly path?: string;
  readonly hint?: string;
  /** The position in the data file, counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The pages of the last successful render. */
export interface RenderedPages {
  readonly id: string;
  readonly pageCount: number;
  readonly durationMs: number;
}

export type CaseStatus = 'rendering' | 'waiting' | 'offline' | 'shown' | 'failed';

/** Event `case`: the full state of the shown case. */
export interface CaseState {
  readonly template: string;
  readonly name: string;
  readonly status: CaseStatus;
  /** Why rendering waits. */
  readonly message: string | null;
  /** The time until the next attempt, in milliseconds. */
  readonly retryInMs: number | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly pages: RenderedPages | null;
  /** The path of the data file in the folder. */
  readonly dataFile: string;
  /** The checksum of the data file; null if there is none yet. */
  readonly dataVersion: string | null;
}

/** The data of a case: its file, or an example if there is none. */
export interface CaseData {
  readonly text: string;
  readonly version: string | null;
}

/** The body of `PUT /data`. `basedOn` is the edited version. */
export interface SaveRequest {
  readonly template: string;
  readonly name: string;
  readonly text: string;
  readonly basedOn: string | null;
}

/** The response of `PUT /data`: the saved data or, with status 409, the current content of the file. */
export type SaveAnswer = { readonly saved: CaseData } | { readonly current: CaseData } | { readonly error: string };
