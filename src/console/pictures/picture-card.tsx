import { Download, FileUp, Pencil, Trash2 } from 'lucide-preact';
import { hasScope, useDocmill } from '../session/session.ts';
import { pictureTexts } from '../texts/pictures.ts';
import { IconButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatBytes } from '../ui/format.ts';
import { saveFile } from '../ui/save-file.ts';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { type Asset, isPictureType, loadPicture, StoredPicture } from './stored-picture.tsx';

export type PictureChange = 'replace' | 'rename' | 'delete';

interface PictureCardProps {
  readonly asset: Asset;
  readonly onChange: (change: PictureChange) => void;
}

export function PictureCard({ asset, onChange }: PictureCardProps) {
  const docmill = useDocmill();
  const { name, width, height, size } = asset;
  const download = useAction(async () => saveFile(await loadPicture(docmill, asset), name));
  return (
    <li class="picture-card">
      <StoredPicture docmill={docmill} asset={asset} />
      <strong class="breaks">{name}</strong>
      <p class="muted small">
        {isPictureType(asset.type) && `${pictureTexts.size(width, height)} · `}
        {formatBytes(size)}
      </p>
      <CopyButton text={JSON.stringify({ asset: name })} label={pictureTexts.copyReference} />
      <div class="picture-actions">
        <IconButton
          label={pictureTexts.download(name)}
          icon={<Download />}
          isBusy={download.isBusy}
          onClick={() => download.run()}
        />
        {hasScope('templates:write') && (
          <>
            {isPictureType(asset.type) && (
              <IconButton label={pictureTexts.replace(name)} icon={<FileUp />} onClick={() => onChange('replace')} />
            )}
            <IconButton label={pictureTexts.rename(name)} icon={<Pencil />} onClick={() => onChange('rename')} />
            <IconButton label={pictureTexts.remove(name)} icon={<Trash2 />} onClick={() => onChange('delete')} />
          </>
        )}
      </div>
      {download.error !== undefined && <ErrorNote error={download.error} />}
    </li>
  );
}
