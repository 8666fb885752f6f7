import { Trash2 } from 'lucide-preact';
import { countKept, forgetData, forgetEverything, type KeptData } from '../session/kept-data.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

const { kept: texts } = playgroundTexts;

interface ForgetDialogProps {
  readonly accountId: string;
  /** The data kept for the template. */
  readonly kept: readonly KeptData[];
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** Forgets single data of a template, or everything that the console keeps on this computer. */
export function ForgetDialog({ accountId, kept, onChange, onClose }: ForgetDialogProps) {
  return (
    <Dialog title={texts.forgetTitle} onClose={onClose}>
      <ul class="kept-list" aria-label={texts.forgetTitle}>
        {kept.map((data) => (
          <li key={data.name}>
            <span class="breaks">{data.name}</span>
            <IconButton
              label={texts.forgetOne(data.name)}
              icon={<Trash2 />}
              onClick={() => {
                forgetData(accountId, data);
                onChange();
              }}
            />
          </li>
        ))}
      </ul>
      {kept.length === 0 && <p class="muted">{texts.nothing}</p>}
      <footer>
        {countKept() > 0 && (
          <Button
            variant="danger"
            onClick={() => {
              forgetEverything();
              onChange();
              onClose();
            }}
          >
            {texts.forgetAll(countKept())}
          </Button>
        )}
        <Button onClick={onClose}>{shellTexts.close}</Button>
      </footer>
    </Dialog>
  );
}
