import { FileSpreadsheet } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { Dropzone } from '../../ui/dropzone.tsx';
import { formatBytes, formatShare } from '../../ui/format.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { describeFailure, describeProblem } from '../file/describe-file.ts';
import { delimiters } from '../file/detect-format.ts';
import { EncodingError } from '../file/file-error.ts';
import { type InspectedFile, inspectFile } from '../file/inspect-file.ts';
import { fileEndings } from '../file/limits.ts';
import type { Encoding } from '../file/read-text.ts';
import type { PassedFile } from '../passed-file.ts';
import { EncodingQuestion } from './encoding-question.tsx';
import { StoppableProgress } from './stoppable-progress.tsx';

const shownProblems = 5;

interface FileStepProps {
  readonly inspected: InspectedFile | undefined;
  /** A file passed by another page. */
  readonly offered?: Pick<PassedFile, 'file' | 'format'> | undefined;
  readonly onInspected: (file: InspectedFile | undefined) => void;
  readonly onSample: () => void;
}

type Reading =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading'; readonly share: number }
  | { readonly kind: 'asking'; readonly file: File }
  | { readonly kind: 'failed'; readonly error: unknown };

interface Choice {
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: string | undefined;
}

/** Reads the chosen file once; it does not leave the computer. */
export function FileStep({ inspected, offered, onInspected, onSample }: FileStepProps) {
  const [reading, setReading] = useState<Reading>({ kind: 'none' });
  const running = useRef<AbortController>();
  useEffect(() => () => running.current?.abort(), []);

  const read = async (file: File, choice: Choice = {}): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    setReading({ kind: 'reading', share: 0 });
    const onProgress = (share: number) => signal.aborted || setReading({ kind: 'reading', share });
    try {
      const found = await inspectFile(file, { ...choice, onProgress, signal });
      if (signal.aborted) return;
      setReading({ kind: 'none' });
      onInspected(found);
    } catch (error) {
      if (signal.aborted) return;
      onInspected(undefined);
      setReading(
        error instanceof EncodingError ? { kind: 'asking', file } : { kind: 'failed', error: describeFailure(error) },
      );
    }
  };
  useEffect(() => {
    if (offered !== undefined) void read(offered.file, { delimiter: offered.format?.delimiter });
  }, [offered]);

  if (reading.kind === 'reading') {
    return (
      <StoppableProgress
        text={batchTexts.reading(formatShare(reading.share))}
        share={reading.share}
        onStop={() => {
          running.current?.abort();
          setReading({ kind: 'none' });
        }}
      />
    );
  }
  if (reading.kind === 'asking') {
    return <EncodingQuestion file={reading.file} onChoice={(encoding) => void read(reading.file, { encoding })} />;
  }
  if (inspected === undefined) {
    return (
      <>
        {reading.kind === 'failed' && <ErrorNote error={reading.error} />}
        <Dropzone
          label={batchTexts.drop}
          hint={batchTexts.dropHint}
          accept={fileEndings}
          onFile={(file) => void read(file)}
        />
        <p>
          <Button variant="quiet" icon={<FileSpreadsheet aria-hidden="true" />} onClick={onSample}>
            {batchTexts.sample}
          </Button>
        </p>
      </>
    );
  }
  const { file, format, rowCount, problemCount, problems } = inspected;
  return (
    <>
      <div class="file-facts">
        <FileSpreadsheet aria-hidden="true" />
        <div class="picker-name">
          <strong>{file.name}</strong>
          <span class="muted small">
            {batchTexts.rows(rowCount)} · {batchTexts.kinds[format.kind]} · {formatBytes(file.size)}
          </span>
        </div>
        {format.kind === 'csv' && (
          <SelectField
            label={batchTexts.delimiter}
            value={format.delimiter}
            options={delimiters.map((delimiter) => [delimiter, batchTexts.delimiters[delimiter]] as const)}
            onSelect={(delimiter) => void read(file, { encoding: format.encoding, delimiter })}
          />
        )}
        <Button onClick={() => onInspected(undefined)}>{batchTexts.otherFile}</Button>
      </div>
      {problemCount > 0 && (
        <div class="note warn" role="status">
          <div>
            <p>{batchTexts.refusedRows(problemCount)}</p>
            <ul class="small">
              {problems.slice(0, shownProblems).map((problem) => (
                <li key={problem.row}>{describeProblem(problem, inspected)}</li>
              ))}
              {problemCount > shownProblems && <li>{batchTexts.andMore(problemCount - shownProblems)}</li>}
            </ul>
          </div>
        </div>
      )}
    </>
  );
}
