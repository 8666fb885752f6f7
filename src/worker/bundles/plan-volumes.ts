import type { BundleRow, RowRange } from '../../shared/domain/batches/list-bundle-rows.ts';

/** What a reader opens at once, a mail gateway or a printer takes, and a download that breaks is begun again for. */
export const volumeLimits = { documents: 1_000, sizeBytes: 256 * 1024 * 1024 } as const;

export interface VolumeLimits {
  readonly documents: number;
  /** Of the documents before they are merged; one that is larger has a volume of its own. */
  readonly sizeBytes: number;
}

/** Which rows go into which volume of a merged PDF: ranges in order, each with at least one document. */
export async function planVolumes(
  rows: AsyncIterable<Pick<BundleRow, 'row' | 'status' | 'sizeBytes'>>,
  limits: VolumeLimits = volumeLimits,
): Promise<readonly RowRange[]> {
  const volumes: RowRange[] = [];
  let current: { firstRow: number; lastRow: number; documents: number; sizeBytes: number } | undefined;
  for await (const { row, status, sizeBytes = 0 } of rows) {
    if (status !== 'succeeded') continue;
    const hasRoom =
      current !== undefined &&
      current.documents < limits.documents &&
      current.sizeBytes + sizeBytes <= limits.sizeBytes;
    if (current === undefined || !hasRoom) {
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
