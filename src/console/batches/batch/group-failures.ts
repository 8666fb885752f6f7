export interface FailedRow {
  readonly row: number;
  readonly filename: string;
  readonly error?:
    | {
        readonly status: number;
        readonly message: string;
        readonly details?: readonly { readonly message: string }[] | undefined;
      }
    | undefined;
}

export interface FailureGroup {
  readonly reason: string;
  readonly rows: readonly FailedRow[];
  /** Whether the same rows may succeed later. Others must be corrected. */
  readonly mayPassLater: boolean;
}

/** Groups rows by the reason of their failure, the most frequent first. */
export function groupFailures(rows: readonly FailedRow[], unknownReason: string): readonly FailureGroup[] {
  const groups = new Map<string, FailedRow[]>();
  for (const row of rows) {
    const reason = reasonOf(row, unknownReason);
    const found = groups.get(reason);
    if (found === undefined) groups.set(reason, [row]);
    else found.push(row);
  }
  return [...groups]
    .map(([reason, members]) => ({ reason, rows: members, mayPassLater: members.every(mayPassLater(reason)) }))
    .sort((one, other) => other.rows.length - one.rows.length);
}

/** The message with its details. */
function reasonOf({ error }: FailedRow, unknownReason: string): string {
  if (error === undefined) return unknownReason;
  const details = (error.details ?? []).map(({ message }) => message).filter((text) => !error.message.includes(text));
  return [error.message, ...new Set(details)].join(' – ');
}

/**
 * A batch keeps the data of its rows and the version of its template, so an error in the data, which has a path, would
 * occur again. The pictures and fonts that the data names belong to the account, and may be uploaded later. An error
 * without a path, such as a timeout or a suspended template, may not occur again.
 */
const mayPassLater =
  (reason: string) =>
  ({ error }: FailedRow): boolean =>
    error?.status !== 400 || (error.details ?? []).length === 0 || /\b(?:asset|font)s?\b(?!:)/.test(reason);
