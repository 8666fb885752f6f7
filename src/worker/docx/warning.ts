/** Something a client should know that does not stop the work. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly part?: string | undefined;
}
