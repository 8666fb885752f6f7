import { Download } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatShare } from '../../ui/format.ts';
import { saveFile } from '../../ui/save-file.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { Batch } from './follow-batch.ts';
import { manifestCsv } from './manifest-csv.ts';

/** The volumes of the bundle, and the manifest. */
export function Downloads({ batch }: { readonly batch: Batch }) {
  const hasFiles = batch.expiresAt === undefined || Date.parse(batch.expiresAt) > Date.now();
  return (
    <section class="card step" aria-label={batchTexts.downloads}>
      <h2>{batchTexts.downloads}</h2>
      {hasFiles && batch.files.length > 0 && (
        <ul class="picker-list">
          {batch.files.map(({ name }, index) => (
            <li key={name}>
              <Volume batch={batch} index={index} />
            </li>
          ))}
        </ul>
      )}
      <Manifest batchId={batch.id} />
    </section>
  );
}

interface VolumeProps {
  readonly batch: Batch;
  /** Counted from 0. */
  readonly index: number;
}

/** One volume of the bundle. Leaving the page stops its download. */
function Volume({ batch: { id, files }, index }: VolumeProps) {
  const docmill = useDocmill();
  const [readBytes, setReadBytes] = useState(0);
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const { name = '', size = 0, firstRow = 0, lastRow = 0 } = files[index] ?? {};
  const { run, isBusy, error } = useAction(async () => {
    setReadBytes(0);
    const stream = await docmill.batches.stream(id, { volume: index + 1 }, { signal: controller.current.signal });
    // Browsers keep a large response on disk.
    saveFile(await new Response(stream.pipeThrough(countBytes(setReadBytes))).blob(), name);
  });
  return (
    <>
      <div class="picker-name">
        <strong>{name}</strong>
        <span class="muted small">
          {formatBytes(size)}
          {files.length > 1 && ` · ${batchTexts.rowsOfFile(firstRow, lastRow)}`}
        </span>
        <span role="status" class="muted small">
          {isBusy && batchTexts.downloading(formatShare(readBytes / Math.max(1, size)))}
        </span>
      </div>
      <Button
        variant={index === 0 ? 'primary' : 'plain'}
        icon={<Download aria-hidden="true" />}
        isBusy={isBusy}
        aria-label={batchTexts.downloadFile(name)}
        onClick={() => run()}
      >
        {batchTexts.download}
      </Button>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

const manifestTypes = { csv: 'text/csv', json: 'application/json' } as const;

function Manifest({ batchId }: { readonly batchId: string }) {
  const docmill = useDocmill();
  const { run, isBusy, error } = useAction(async (kind: keyof typeof manifestTypes) => {
    const entries = await docmill.batches.manifest(batchId);
    const text = kind === 'csv' ? manifestCsv(entries) : JSON.stringify(entries, null, 2);
    saveFile(new Blob([text], { type: manifestTypes[kind] }), `${batchId}-manifest.${kind}`);
  });
  return (
    <div class="manifest">
      <p class="muted small">{batchTexts.manifestAbout}</p>
      <div class="actions">
        <Button isBusy={isBusy} onClick={() => run('csv')}>
          {batchTexts.manifestCsv}
        </Button>
        <Button isBusy={isBusy} onClick={() => run('json')}>
          {batchTexts.manifestJson}
        </Button>
      </div>
      {error !== undefined && <ErrorNote error={error} />}
    </div>
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

function countBytes(onRead: (readBytes: number) => void): TransformStream<Bytes, Bytes> {
  let readBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      readBytes += chunk.length;
      onRead(readBytes);
      controller.enqueue(chunk);
    },
  });
}
