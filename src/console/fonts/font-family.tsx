import type { components } from '@docmill/client';
import { Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { hasScope, useDocmill } from '../session/session.ts';
import { fontTexts } from '../texts/fonts.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { showToast } from '../ui/toasts.tsx';
import { FontSample } from './font-sample.tsx';

type Family = components['schemas']['Font'];
type Fonts = NonNullable<Family['fonts']>;

/** A family with fonts that the account has uploaded. */
export interface OwnFamily extends Family {
  readonly fonts: Fonts;
}

interface FontFamilyProps {
  readonly family: OwnFamily;
  readonly onChange: () => void;
}

export function FontFamily({ family, onChange }: FontFamilyProps) {
  const docmill = useDocmill();
  const [removed, setRemoved] = useState<Fonts[number]>();
  const { name, fonts } = family;
  return (
    <li class="card font-family">
      <h3>{name}</h3>
      <FontSample name={name} fonts={fonts} />
      <ul class="font-styles">
        {fonts.map((font) => (
          <li key={font.id}>
            {fontTexts.styles[font.style]}
            {hasScope('templates:write') && (
              <IconButton
                label={fontTexts.remove(name, fontTexts.styles[font.style])}
                icon={<Trash2 />}
                onClick={() => setRemoved(font)}
              />
            )}
          </li>
        ))}
      </ul>
      {removed !== undefined && (
        <ConfirmDialog
          isDestructive
          title={fontTexts.removeTitle(name, fontTexts.styles[removed.style])}
          text={fontTexts.removeText}
          action={fontTexts.removeAction}
          onConfirm={async () => {
            await docmill.fonts.delete(removed.id);
            showToast(fontTexts.removed(name, fontTexts.styles[removed.style]));
            onChange();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </li>
  );
}
