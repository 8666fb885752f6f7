import { shellTexts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './states.tsx';
import { useAction } from './use-action.ts';

interface ConfirmDialogProps {
  readonly title: string;
  readonly text: string;
  /** The label of the button: the action, not "OK". */
  readonly action: string;
  /** Whether the action destroys something permanently. Only the button of such an action is red. */
  readonly isDestructive?: boolean;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for confirmation before an action with consequences. The dialog stays open and shows the error if it fails. */
export function ConfirmDialog({ title, text, action, isDestructive = false, onConfirm, onClose }: ConfirmDialogProps) {
  const { run, isBusy, error } = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error !== undefined && <ErrorNote error={error} />}
      <footer>
        <Button onClick={onClose}>{shellTexts.cancel}</Button>
        <Button variant={isDestructive ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => run()}>
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
