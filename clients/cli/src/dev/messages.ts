/** What the server and the page of `docmill dev` send each other. */

export interface CatalogTemplate {
  readonly name: string;
  readonly cases: readonly string[];
}

/** Event `catalog`: what there is to choose from. */
export interface Catalog {
  readonly folder: string;
  readonly service: string;
  readonly templates: readonly CatalogTemplate[];
  /** What is wrong with the folder; null when nothing is. */
  readonly problem: string | null;
}

/** A mistake, with its place as far as it is known. */
export interface Problem {
  readonly message: string;
  readonly tag?: string;
  readonly part?: string;
  readonly context?: string;
  /** Place in the data, such as `data.items[0].price`. */
  readonly path?: string;
  readonly hint?: string;
  /** Place in the data file, counted from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The pages of the last render that succeeded. */
export interface RenderedPages {
  readonly id: string;
  readonly pageCount: number;
  readonly durationMs: number;
}

export type CaseStatus = 'rendering' | 'waiting' | 'offline' | 'shown' | 'failed';

/** Event `case`: the whole state of the case that the page shows. */
export interface CaseState {
  readonly template: string;
  readonly name: string;
  readonly status: CaseStatus;
  /** Why it waits. */
  readonly message: string | null;
  /** When it goes on, in milliseconds from now. */
  readonly retryInMs: number | null;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  readonly pages: RenderedPages | null;
  /** Path of the data file in the folder. */
  readonly dataFile: string;
  /** Checksum of the data file; null when there is none yet. */
  readonly dataVersion: string | null;
}

/** The data of a case: its file, or an example when there is none. */
export interface CaseData {
  readonly text: string;
  readonly version: string | null;
}

/** Body of `PUT /data`. `basedOn` is the version that was edited. */
export interface SaveRequest {
  readonly template: string;
  readonly name: string;
  readonly text: string;
  readonly basedOn: string | null;
}

/** Answer of `PUT /data`: what was saved, or with status 409 what the file has now. */
export type SaveAnswer = { readonly saved: CaseData } | { readonly current: CaseData } | { readonly error: string };
