export interface FailedRow {
  readonly row: number;
  readonly filename: string;
  readonly error?: { readonly message: string; readonly details?: readonly { readonly message: string }[] } | undefined;
}

export interface FailureGroup {
  readonly reason: string;
  readonly rows: readonly FailedRow[];
}

/** Rows by the reason why they failed, the most frequent first. */
export function groupFailures(rows: readonly FailedRow[], unknownReason: string): readonly FailureGroup[] {
  const groups = new Map<string, FailedRow[]>();
  for (const row of rows) {
    const reason = reasonOf(row, unknownReason);
    const found = groups.get(reason);
    if (found === undefined) groups.set(reason, [row]);
    else found.push(row);
  }
  return [...groups]
    .map(([reason, members]) => ({ reason, rows: members }))
    .sort((one, other) => other.rows.length - one.rows.length);
}

/** The message, and what its details add to it. */
function reasonOf({ error }: FailedRow, unknownReason: string): string {
  if (error === undefined) return unknownReason;
  const details = (error.details ?? []).map(({ message }) => message).filter((text) => !error.message.includes(text));
  return [error.message, ...new Set(details)].join(' – ');
}
