import { Save, Trash2 } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';
import type { KeptData } from '../session/kept-data.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import type { DataState } from './data-state.ts';
import { ForgetDialog } from './forget-dialog.tsx';
import { KeepDialog } from './keep-dialog.tsx';
import { useKept } from './use-kept.ts';

const { kept: texts } = playgroundTexts;

interface DataBarProps {
  readonly accountId: string;
  readonly templateId: string;
  readonly data: DataState;
  /** The example data of the template as JSON text. */
  readonly example: string;
  /** Whether the data survives a reload of this tab. */
  readonly isRemembered: boolean;
}

type Choice = Pick<KeptData, 'name' | 'text'>;

/** Says which data is shown, and keeps data on this computer if the user asks for it. */
export function DataBar({ accountId, templateId, data, example, isRemembered }: DataBarProps) {
  const { kept, refresh } = useKept(accountId, templateId);
  const [open, setOpen] = useState<'keep' | 'forget'>();
  const id = useId();
  const [wanted, setWanted] = useState<Choice>();
  const [name, setName] = useState('');
  const text = data.text.value;
  const choices: readonly Choice[] = [{ name: texts.example, text: example }, ...kept];
  const shown = choices.findIndex((choice) => choice.text === text);
  const isOwn = shown < 0;
  const show = (choice: Choice): void => {
    data.setText(choice.text);
    setName(choice.text === example ? '' : choice.name);
  };
  return (
    <div class="data-bar">
      <span class="data-choice">
        <label for={id}>{texts.label}</label>
        <select
          id={id}
          value={shown}
          onChange={({ currentTarget }) => {
            const choice = choices[Number(currentTarget.value)];
            // The selection follows the data, which changes only if the user confirms.
            currentTarget.value = String(shown);
            if (choice === undefined) return;
            if (isOwn) setWanted(choice);
            else show(choice);
          }}
        >
          {isOwn && <option value={-1}>{texts.own}</option>}
          {choices.map((choice, index) => (
            <option key={index} value={index}>
              {choice.name}
            </option>
          ))}
        </select>
      </span>
      {isOwn && (
        <Button
          variant="quiet"
          icon={<Save aria-hidden="true" />}
          disabled={data.problem.value !== undefined}
          onClick={() => setOpen('keep')}
        >
          {texts.keep}
        </Button>
      )}
      {kept.length > 0 && (
        <Button variant="quiet" icon={<Trash2 aria-hidden="true" />} onClick={() => setOpen('forget')}>
          {texts.forget}
        </Button>
      )}
      <p class="muted small" role="status">
        {isOwn && (isRemembered ? texts.remembered : texts.notRemembered)}
      </p>
      {open === 'keep' && (
        <KeepDialog
          accountId={accountId}
          templateId={templateId}
          text={text}
          suggestedName={name}
          onDone={(keptName) => {
            setName(keptName);
            refresh();
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'forget' && (
        <ForgetDialog accountId={accountId} kept={kept} onChange={refresh} onClose={() => setOpen(undefined)} />
      )}
      {wanted !== undefined && (
        <ConfirmDialog
          isDestructive
          title={texts.replaceTitle}
          text={texts.replaceText(wanted.name)}
          action={texts.replaceAction}
          onConfirm={async () => show(wanted)}
          onClose={() => setWanted(undefined)}
        />
      )}
    </div>
  );
}
