import type { DispatchedRow } from '../../shared/domain/batches/dispatch/dispatch-rows.ts';

export type PlannedRow = DispatchedRow & { readonly inputKey: string };

/** One read of an input object, and the rows whose data it covers. */
export interface PlannedRead {
  readonly inputKey: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly rows: readonly PlannedRow[];
}

const maxGapBytes = 64 * 1024;

/** Plans few reads for the rows. Neighbouring rows share a read of up to `maxReadBytes`; a longer row gets its own. */
export function planReads(rows: readonly PlannedRow[], maxReadBytes: number): readonly PlannedRead[] {
  const sorted = rows.toSorted((a, b) => a.inputKey.localeCompare(b.inputKey, 'en') || a.dataOffset - b.dataOffset);
  const groups: PlannedRow[][] = [];
  for (const row of sorted) {
    const group = groups.at(-1);
    if (group !== undefined && isNear(group, row, maxReadBytes)) group.push(row);
    else groups.push([row]);
  }
  return groups.flatMap((group) => {
    const first = group[0];
    if (first === undefined) return [];
    return [
      { inputKey: first.inputKey, offset: first.dataOffset, sizeBytes: endOf(group) - first.dataOffset, rows: group },
    ];
  });
}

function isNear(group: readonly PlannedRow[], row: PlannedRow, maxReadBytes: number): boolean {
  const first = group[0];
  return (
    first?.inputKey === row.inputKey &&
    row.dataOffset - endOf(group) <= maxGapBytes &&
    row.dataOffset + row.dataBytes - first.dataOffset <= maxReadBytes
  );
}

function endOf(group: readonly PlannedRow[]): number {
  const last = group.at(-1);
  return last === undefined ? 0 : last.dataOffset + last.dataBytes;
}
