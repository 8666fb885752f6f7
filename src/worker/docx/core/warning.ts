/** Something the service did to a document that its author may want to know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly part?: string | undefined;
  /** JSON paths it is about, at most fifty. */
  readonly paths?: readonly string[] | undefined;
  /** How many it is about in all. */
  readonly count?: number | undefined;
}
