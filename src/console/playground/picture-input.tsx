import type { Docmill } from '@docmill/client';
import { Images, ImageUp, X } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { checkPictureFile, pictureEndings } from '../pictures/check-picture-file.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Button, IconButton } from '../ui/button.tsx';
import type { InputAttributes } from '../ui/field.tsx';
import { formatBytes } from '../ui/format.ts';
import { useAction } from '../ui/use-action.ts';
import { PictureDialog } from './picture-dialog.tsx';
import { pictureUrl, readPicture, sizeOfBase64, toBase64, withPicture } from './picture-value.ts';

const { picture: texts } = playgroundTexts;

interface PictureInputProps {
  readonly docmill: Docmill;
  readonly value: unknown;
  /** Undefined removes the value. */
  readonly onValue: (value: unknown) => void;
  readonly attributes: InputAttributes;
}

/** A picture in the data: a file, whose bytes become part of the data, or a stored picture. */
export function PictureInput({ docmill, value, onValue, attributes }: PictureInputProps) {
  const [isPicking, setIsPicking] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const { run, error } = useAction(async (file: File) => {
    const problem = checkPictureFile(file);
    if (problem !== undefined) throw new Error(problem);
    onValue(withPicture(value, { base64: await toBase64(file) }));
  });
  const { base64, asset } = readPicture(value);
  const shown = asset ?? (base64 === undefined ? '' : texts.inData(formatBytes(sizeOfBase64(base64))));
  return (
    <div class="picture-input">
      {base64 !== undefined && <img src={pictureUrl(base64)} alt="" />}
      <input {...attributes} type="text" readOnly value={shown} placeholder={texts.none} />
      <input
        ref={chooser}
        type="file"
        accept={pictureEndings}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file !== undefined) run(file);
          currentTarget.value = '';
        }}
      />
      <span class="picture-buttons">
        <Button variant="quiet" icon={<ImageUp aria-hidden="true" />} onClick={() => chooser.current?.click()}>
          {texts.choose}
        </Button>
        <Button variant="quiet" icon={<Images aria-hidden="true" />} onClick={() => setIsPicking(true)}>
          {texts.pick}
        </Button>
        {shown !== '' && <IconButton label={texts.remove} icon={<X />} onClick={() => onValue(undefined)} />}
      </span>
      {error !== undefined && (
        <p class="field-error" role="alert">
          {error instanceof Error ? error.message : texts.unreadable}
        </p>
      )}
      {isPicking && (
        <PictureDialog
          docmill={docmill}
          onPick={(name) => {
            onValue(withPicture(value, { asset: name }));
            setIsPicking(false);
          }}
          onClose={() => setIsPicking(false)}
        />
      )}
    </div>
  );
}
