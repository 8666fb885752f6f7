import { Download } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes, formatShare } from '../../ui/format.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { saveFile } from '../save-file.ts';
import type { Batch } from './follow-batch.ts';
import { manifestCsv } from './manifest-csv.ts';

interface Running {
  readonly name: string;
  readonly share: number;
}

/** The bundle in its volumes, and the manifest. */
export function Downloads({ batch }: { readonly batch: Batch }) {
  const docmill = useDocmill();
  const [running, setRunning] = useState<Running>();
  const [error, setError] = useState<unknown>();
  const controller = useRef<AbortController>();
  useEffect(() => () => controller.current?.abort(), []);

  const save = async (name: string, load: (signal: AbortSignal) => Promise<Blob>): Promise<void> => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setError(undefined);
    setRunning({ name, share: 0 });
    try {
      saveFile(await load(own.signal), name);
    } catch (failure) {
      if (!own.signal.aborted) setError(failure);
    }
    if (controller.current === own) setRunning(undefined);
  };
  const loadFile = async (index: number, name: string, size: number, signal: AbortSignal): Promise<Blob> => {
    const stream = await docmill.batches.stream(batch.id, { volume: index + 1 }, { signal });
    const onRead = (readBytes: number) => setRunning({ name, share: readBytes / size });
    // The browser keeps a large answer on the disk.
    return new Response(stream.pipeThrough(countBytes(onRead))).blob();
  };
  const loadManifest = async (kind: 'csv' | 'json', signal: AbortSignal): Promise<Blob> => {
    const entries = await docmill.batches.manifest(batch.id, { signal });
    return kind === 'csv'
      ? new Blob([manifestCsv(entries)], { type: 'text/csv' })
      : new Blob([JSON.stringify(entries, null, 2)], { type: 'application/json' });
  };
  const hasFiles = batch.expiresAt === undefined || Date.parse(batch.expiresAt) > Date.now();
  return (
    <section class="card step" aria-label={batchTexts.downloads}>
      <h2>{batchTexts.downloads}</h2>
      {error !== undefined && <ErrorNote error={error} />}
      {hasFiles && batch.files.length > 0 && (
        <ul class="picker-list">
          {batch.files.map(({ name, size, firstRow, lastRow }, index) => (
            <li key={name}>
              <div class="picker-name">
                <strong>{name}</strong>
                <span class="muted small">
                  {formatBytes(size)}
                  {batch.files.length > 1 && ` · ${batchTexts.rowsOfFile(firstRow, lastRow)}`}
                </span>
              </div>
              <Button
                variant={index === 0 ? 'primary' : 'plain'}
                icon={<Download aria-hidden="true" />}
                isBusy={running?.name === name}
                aria-label={batchTexts.downloadFile(name)}
                onClick={() => void save(name, (signal) => loadFile(index, name, size, signal))}
              >
                {batchTexts.download}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {running !== undefined && (
        <p role="status" class="small muted">
          {batchTexts.downloading(running.name, formatShare(running.share))}
        </p>
      )}
      <div class="manifest">
        <p class="muted small">{batchTexts.manifestAbout}</p>
        <div class="actions">
          {(['csv', 'json'] as const).map((kind) => (
            <Button
              key={kind}
              onClick={() => void save(`${batch.id}-manifest.${kind}`, (signal) => loadManifest(kind, signal))}
            >
              {kind === 'csv' ? batchTexts.manifestCsv : batchTexts.manifestJson}
            </Button>
          ))}
        </div>
      </div>
    </section>
  );
}

function countBytes(
  onRead: (readBytes: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let readBytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      readBytes += chunk.length;
      onRead(readBytes);
      controller.enqueue(chunk);
    },
  });
}
