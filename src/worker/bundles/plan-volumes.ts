import type { BundleRow, RowRange } from '../../shared/domain/batches/list-rows.ts';

/** Small enough for PDF viewers, mail gateways, printers and repeated downloads. */
const volumeLimits = { documents: 1_000, sizeBytes: 256 * 1024 * 1024 } as const;

export interface VolumeLimits {
  readonly documents: number;
  /** Total of the documents before merging. A larger document gets its own volume. */
  readonly sizeBytes: number;
}

/** Splits the rows into volumes of a merged PDF: consecutive ranges, each with at least one document. */
export async function planVolumes(
  rows: AsyncIterable<Pick<BundleRow, 'row' | 'status' | 'sizeBytes'>>,
  limits: VolumeLimits = volumeLimits,
): Promise<readonly RowRange[]> {
  const volumes: RowRange[] = [];
  let current: { firstRow: number; lastRow: number; documents: number; sizeBytes: number } | undefined;
  for await (const { row, status, sizeBytes = 0 } of rows) {
    if (status !== 'succeeded') continue;
    const fits =
      current !== undefined &&
      current.documents < limits.documents &&
      current.sizeBytes + sizeBytes <= limits.sizeBytes;
    if (current === undefined || !fits) {
      if (current !== undefined) volumes.push({ firstRow: current.firstRow, lastRow: current.lastRow });
      current = { firstRow: row, lastRow: row, documents: 0, sizeBytes: 0 };
    }
    current.lastRow = row;
    current.documents += 1;
    current.sizeBytes += sizeBytes;
  }
  if (current !== undefined) volumes.push({ firstRow: current.firstRow, lastRow: current.lastRow });
  return volumes;
}
