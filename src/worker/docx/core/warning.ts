/** A character that no installed font has. */
export interface MissingCharacter {
  readonly character: string;
  /** For example `U+4E2D`. */
  readonly codePoint: string;
}

/** A change or omission in a document that its author should see. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly part?: string | undefined;
  /** The font that the affected text requests. */
  readonly font?: string | undefined;
  /** The text around the first occurrence. */
  readonly context?: string | undefined;
  /** Characters that are not printed, at most fifty. */
  readonly characters?: readonly MissingCharacter[] | undefined;
  /** Affected JSON paths, at most fifty. */
  readonly paths?: readonly string[] | undefined;
  /** Total number of affected values. */
  readonly count?: number | undefined;
}
