/** A page of a failed case, as PNG pictures. */
export interface PagePictures {
  readonly page: number;
  readonly expected?: Uint8Array;
  readonly actual?: Uint8Array;
  readonly difference?: Uint8Array;
}

export interface Difference {
  /** Counted from 1; missing if it concerns the whole document. */
  readonly page?: number;
  readonly message: string;
}

export interface TestResult {
  readonly template: string;
  /** The name of the case, or "schema" for the comparison with the deployed version. */
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'updated' | 'skipped';
  readonly differences: readonly Difference[];
  readonly pictures: readonly PagePictures[];
  readonly durationMs: number;
  /** Why it was skipped. */
  readonly note?: string;
}

export const describeDifference = ({ page, message }: Difference): string =>
  page === undefined ? message : `page ${page}: ${message}`;
