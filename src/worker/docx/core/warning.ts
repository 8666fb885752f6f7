/** A change or omission in a document that its author should know about. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly part?: string | undefined;
  /** Affected JSON paths, at most fifty. */
  readonly paths?: readonly string[] | undefined;
  /** Total number of affected values. */
  readonly count?: number | undefined;
}
