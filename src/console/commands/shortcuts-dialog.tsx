import './commands.css';
import type { ComponentChildren } from 'preact';
import { shortcutTexts } from '../texts/commands.ts';
import { Dialog } from '../ui/dialog.tsx';
import { allowSingleKeys, hasSingleKeys } from './single-keys.ts';
import { pageShortcuts, paletteKey } from './use-shortcuts.ts';

/** Lists the shortcuts, and turns those of single keys off. */
export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const { followedBy } = shortcutTexts;
  return (
    <Dialog title={shortcutTexts.title} onClose={onClose}>
      <ShortcutList
        title={shortcutTexts.anywhere}
        shortcuts={[
          [<kbd>{paletteKey}</kbd>, shortcutTexts.palette],
          [<kbd>?</kbd>, shortcutTexts.help],
          [<kbd>/</kbd>, shortcutTexts.search],
          [<kbd>{shortcutTexts.escape}</kbd>, shortcutTexts.close],
        ]}
      />
      <ShortcutList
        title={shortcutTexts.pages}
        shortcuts={pageShortcuts().map(({ letter, label }) => [
          <>
            <kbd>g</kbd> {followedBy} <kbd>{letter}</kbd>
          </>,
          label,
        ])}
      />
      <ShortcutList
        title={shortcutTexts.viewer}
        shortcuts={shortcutTexts.viewerKeys.map(([key, what]) => [<kbd>{key}</kbd>, what])}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={hasSingleKeys.value}
          onChange={({ currentTarget }) => allowSingleKeys(currentTarget.checked)}
        />
        {shortcutTexts.singleKeys}
      </label>
      <p class="muted small">{shortcutTexts.singleKeysHint}</p>
    </Dialog>
  );
}

interface ShortcutListProps {
  readonly title: string;
  readonly shortcuts: readonly (readonly [keys: ComponentChildren, what: string])[];
}

function ShortcutList({ title, shortcuts }: ShortcutListProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="shortcuts">
        {shortcuts.map(([keys, what]) => (
          <div key={what}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
