import { Download } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { hasScope, useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { Dropzone } from '../../ui/dropzone.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import { describeFailure } from '../file/describe-file.ts';
import { extractRows } from '../file/extract-rows.ts';
import { FileError } from '../file/file-error.ts';
import { inspectFile } from '../file/inspect-file.ts';
import { fileEndings } from '../file/limits.ts';
import { passFile } from '../passed-file.ts';
import { type StartedFile, startedFiles } from '../started-files.ts';
import type { Batch } from './follow-batch.ts';

const pageSize = 1_000;

interface FailedFileProps {
  readonly batch: Batch;
  /** Numbers of the selected rows; an empty set means every failed row. */
  readonly chosen: ReadonlySet<number>;
}

/**
 * Exports failed rows as a file of the same format, or starts a new batch with them. The source file never leaves this
 * computer.
 */
export function FailedFile({ batch, chosen }: FailedFileProps) {
  const [source, setSource] = useState(() => startedFiles.get(batch.id));
  if (source === undefined) return <ChooseFile batch={batch} onFile={setSource} />;
  return <TakeRows batch={batch} chosen={chosen} source={source} onFile={setSource} />;
}

interface ChooseFileProps {
  readonly batch: Batch;
  /** How the batch was started, if this tab started it. A file that is chosen again keeps these choices. */
  readonly before?: StartedFile | undefined;
  readonly onFile: (file: StartedFile) => void;
}

function ChooseFile({ batch, before, onFile }: ChooseFileProps) {
  const { run, error } = useAction(async (file: File) => {
    const { format, rowCount } = await inspectFile(file);
    if (rowCount !== batch.rows) throw new Error(batchTexts.otherRowCount(rowCount, batch.rows));
    const next = { ...before, file, format };
    startedFiles.set(batch.id, next);
    onFile(next);
  });
  return (
    <>
      {error !== undefined && <ErrorNote error={describeFailure(error)} />}
      <p class="muted small">{batchTexts.needFile}</p>
      <Dropzone label={batchTexts.drop} accept={fileEndings} onFile={run} />
    </>
  );
}

interface TakeRowsProps extends FailedFileProps {
  readonly source: StartedFile;
  readonly onFile: (file: StartedFile) => void;
}

function TakeRows({ batch, chosen, source, onFile }: TakeRowsProps) {
  const docmill = useDocmill();
  const [, navigate] = useLocation();
  const extract = async (): Promise<File> => {
    const rows = new Set(chosen);
    if (rows.size === 0) {
      const failed = docmill.batches.rows(batch.id, { status: 'failed', limit: pageSize });
      for await (const { row } of failed) rows.add(row);
    }
    return extractRows(source.file, source.format, rows, source.corrections);
  };
  const download = useAction(async () => {
    const file = await extract();
    saveFile(file, file.name);
  });
  const start = useAction(async () => {
    const { format, choices, form } = source;
    const kept = { ...(choices !== undefined && { choices }), ...(form !== undefined && { form }) };
    passFile(batch.templateId, { file: await extract(), format, ...kept });
    navigate(`/batches/new?template=${batch.templateId}`);
  });
  const error = download.error ?? start.error;
  if (error instanceof FileError && error.problem === 'unreadable') {
    const choose = (file: StartedFile): void => {
      download.reset();
      start.reset();
      onFile(file);
    };
    return (
      <>
        <ErrorNote error={describeFailure(error)} />
        <ChooseFile batch={batch} before={source} onFile={choose} />
      </>
    );
  }
  return (
    <>
      {error !== undefined && <ErrorNote error={describeFailure(error)} />}
      <div class="actions">
        <Button icon={<Download aria-hidden="true" />} isBusy={download.isBusy} onClick={() => download.run()}>
          {chosen.size === 0 ? batchTexts.downloadFailed : batchTexts.downloadChosen(chosen.size)}
        </Button>
        {hasScope('generate') && (
          <Button isBusy={start.isBusy} onClick={() => start.run()}>
            {chosen.size === 0 ? batchTexts.newFromFailed : batchTexts.newFromChosen(chosen.size)}
          </Button>
        )}
      </div>
    </>
  );
}
