import { dirname } from 'node:path';
import type { BatchProgress, components, Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { showProgress } from './progress.ts';
import { saveResult } from './save-result.ts';

type Row = components['schemas']['BatchRow'];

const shownFailures = 20;
const listedFailures = 1_000;

export interface FollowOptions {
  /** The path of the result. */
  readonly output: string;
  readonly isForced: boolean;
  /** Called when the result has been written. */
  readonly onSaved: () => void;
}

/**
 * Shows the progress of a batch until it ends, writes its result, and reports the failed rows. The exit code is 1 if a
 * row failed or the batch did not complete. Ctrl-C leaves the batch running and throws an error that says how to
 * continue.
 */
export async function followBatch(
  cli: Cli,
  output: Output,
  docmill: Docmill,
  id: string,
  options: FollowOptions,
): Promise<void> {
  try {
    await waitAndSave(cli, output, docmill, id, options);
  } catch (error) {
    if (!cli.signal.aborted) throw error;
    const message = `The service continues the batch ${id}. To get its result: docmill batch resume ${id}`;
    throw new CliError(exitCodes.interrupted, message);
  }
}

async function waitAndSave(cli: Cli, output: Output, docmill: Docmill, id: string, options: FollowOptions) {
  const batch = await waitForBatch(cli, output, docmill, id);
  const failures = await readFailures(docmill, batch, cli.signal);
  const files = await saveWhatThereIs(cli, docmill, batch, options);
  options.onSaved();
  const isDone = batch.status === 'completed' && batch.counts.failed === 0;
  if (!isDone) cli.setExitCode(exitCodes.failed);
  output.result({ ...toSummary(batch), files, failures }, () => {
    const [first] = files;
    const paths = batch.bundle === 'none' && first !== undefined ? [dirname(first)] : files;
    for (const path of paths) output.line(path);
  });
  reportEnd(output, batch, failures);
}

async function waitForBatch(cli: Cli, output: Output, docmill: Docmill, id: string): Promise<BatchProgress> {
  const display = showProgress(cli, output);
  try {
    return await docmill.batches.wait(id, { signal: cli.signal, onProgress: (progress) => display.update(progress) });
  } finally {
    display.end();
  }
}

async function saveWhatThereIs(cli: Cli, docmill: Docmill, batch: BatchProgress, { output, isForced }: FollowOptions) {
  const hasFiles = batch.bundle === 'none' ? batch.counts.succeeded > 0 : batch.files.length > 0;
  return hasFiles ? saveResult(docmill, batch, { output, isForced, signal: cli.signal }) : [];
}

async function readFailures(docmill: Docmill, batch: BatchProgress, signal: AbortSignal): Promise<readonly Row[]> {
  const failures: Row[] = [];
  if (batch.counts.failed === 0) return failures;
  for await (const row of docmill.batches.rows(batch.id, { status: 'failed', limit: 1_000 }, { signal })) {
    failures.push(row);
    if (failures.length >= listedFailures) break;
  }
  return failures;
}

/** The fields of the API that `--json` prints. */
function toSummary({ id, status, templateId, templateVersion, format, bundle, rows, counts, error }: BatchProgress) {
  return { id, status, templateId, templateVersion, format, bundle, rows, counts, error };
}

function reportEnd(output: Output, { id, status, rows, counts, error }: BatchProgress, failures: readonly Row[]): void {
  output.note(`${id} ${status}: ${counts.succeeded} of ${rows} documents.`);
  if (error !== undefined) output.warn(error.message);
  if (counts.cancelled > 0) output.warn(`${counts.cancelled} rows were cancelled; they cost nothing.`);
  if (counts.failed === 0) return;
  const shown = failures
    .slice(0, shownFailures)
    .map(({ row, error: why }) => `  row ${row}: ${why?.message ?? 'failed'}`);
  const hidden = counts.failed - shown.length;
  const more = hidden > 0 ? [`  … and ${hidden} more: docmill batch show ${id} --failed`] : [];
  const again = [
    'Rows that failed cost nothing. Correct the rows whose data has errors, and send them in a new batch.',
    `To try again those that the service could not make: docmill batch retry ${id}`,
  ];
  output.warn([`${counts.failed} rows failed:`, ...shown, ...more, ...again].join('\n'));
}
