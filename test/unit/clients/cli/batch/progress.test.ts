import type { BatchProgress } from '@docmill/client';
import { expect, test } from 'vitest';
import { formatDuration, formatProgress } from '../../../../../clients/cli/src/batch/progress.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const counts = { queued: 280, running: 0, succeeded: 118, failed: 2, cancelled: 0 };
const batch: BatchProgress = {
  ...{ id: 'bat_1', templateId: 'tpl_1', templateVersion: 1, format: 'pdf', bundle: 'zip', files: [] },
  ...{ status: 'running', rows: 400, counts, rowsPerSecond: 12.34 },
  ...{ createdAt: '2026-11-22T09:59:00Z', estimatedFinishAt: '2026-11-22T10:00:22.500Z' },
};

test('progress shows a bar, the rows, the rate and the remaining time', () => {
  expect(formatProgress(batch, now, true)).toBe(
    '[#######-----------------]  120/400   30%  12.3/s  0:23 left  2 failed',
  );
  expect(formatProgress({ ...batch, counts: { ...counts, queued: 0, succeeded: 398 } }, now, false)).toBe(
    '400/400  100%  12.3/s  writing the bundle  2 failed',
  );
  const { rowsPerSecond: _, estimatedFinishAt: __, ...fresh } = batch;
  expect(formatProgress({ ...fresh, counts: { ...counts, succeeded: 0, failed: 0 } }, now, false)).toBe('0/400    0%');
});

test.each([
  [0, '0:00'],
  [8_100, '0:09'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
])('%d ms is %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
