import type { BatchProgress } from '@docmill/client';
import type { Cli } from '../cli.ts';
import type { Output } from '../output.ts';

const barWidth = 24;
/** Without a terminal, the longest pause between two lines. */
const silenceMs = 30_000;

export interface ProgressDisplay {
  update(progress: BatchProgress): void;
  /** Ends the line of the progress bar. */
  end(): void;
}

/**
 * In a terminal, shows a bar; otherwise prints a line for each tenth of the rows, and at least every 30 seconds. Prints
 * nothing with `--quiet`.
 */
export function showProgress({ stderr }: Pick<Cli, 'stderr'>, output: Output): ProgressDisplay {
  if (!output.isInteractive) return showLines(output);
  let shown = '';
  return {
    update(progress) {
      const text = formatProgress(progress, Date.now(), true).slice(0, Math.max(20, (stderr.columns || 80) - 1));
      stderr.write(`\r${text.padEnd(shown.length)}`);
      shown = text;
    },
    end() {
      if (shown !== '') stderr.write('\n');
      shown = '';
    },
  };
}

function showLines(output: Output): ProgressDisplay {
  let lastTenth = -1;
  let lastAtMs = 0;
  return {
    update(progress) {
      const tenth = Math.floor((countEnded(progress) / Math.max(1, progress.rows)) * 10);
      const nowMs = Date.now();
      if (tenth === lastTenth && nowMs - lastAtMs < silenceMs) return;
      lastTenth = tenth;
      lastAtMs = nowMs;
      output.note(formatProgress(progress, nowMs, false));
    },
    end: () => undefined,
  };
}

/** `[######------------------] 120/400  30%  12.3/s  0:23 left  2 failed`. */
export function formatProgress(progress: BatchProgress, nowMs: number, hasBar: boolean): string {
  const { rows, counts, rowsPerSecond, estimatedFinishAt, status } = progress;
  const ended = countEnded(progress);
  const part = rows === 0 ? 1 : ended / rows;
  const filled = Math.floor(part * barWidth);
  const isWriting = status === 'running' && ended === rows;
  const leftMs = estimatedFinishAt === undefined ? undefined : Math.max(0, Date.parse(estimatedFinishAt) - nowMs);
  return [
    ...(hasBar ? [`[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`] : []),
    `${ended}/${rows}`,
    `${Math.floor(part * 100)}%`.padStart(4),
    ...(rowsPerSecond === undefined || rowsPerSecond === 0 ? [] : [`${rowsPerSecond.toFixed(1)}/s`]),
    ...(leftMs === undefined || isWriting ? [] : [`${formatDuration(leftMs)} left`]),
    ...(isWriting ? ['writing the bundle'] : []),
    ...(counts.failed === 0 ? [] : [`${counts.failed} failed`]),
  ].join('  ');
}

function countEnded({ counts }: BatchProgress): number {
  return counts.succeeded + counts.failed + counts.cancelled;
}

/** `0:09`, `12:30`, `1:02:03`. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${clock}` : clock;
}
