import type { components, Docmill } from '@docmill/client';
import { useState } from 'preact/hooks';
import { reviewTexts } from '../../texts/reviews.ts';
import { shellTexts } from '../../texts/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';

export type ReviewStep = 'submit' | 'comment' | 'approve' | 'refuse' | 'override';

interface ReviewStepDialogProps {
  readonly docmill: Docmill;
  readonly review: components['schemas']['Review'];
  readonly step: ReviewStep;
  /** The state of the template with which the version was compared. */
  readonly ifMatch: string | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Asks for the comment of a step, and takes it. A step that is decided without one may leave it empty. */
export function ReviewStepDialog({ docmill, review, step, ifMatch, onDone, onClose }: ReviewStepDialogProps) {
  const [text, setText] = useState('');
  const { templateId: id, version } = review;
  const isOptional = step === 'submit' || step === 'approve';
  const { run, isBusy, error } = useAction(async () => {
    await take(docmill, step, { id, version, text: text.trim(), ifMatch });
    showToast(reviewTexts.done[step](version));
    onDone();
    onClose();
  });
  return (
    <Dialog title={reviewTexts.steps[step]} onClose={onClose}>
      <p>{reviewTexts.about[step]}</p>
      <TextField
        label={step === 'override' ? reviewTexts.reason : reviewTexts.comment}
        hint={undefined}
        value={text}
        rows={4}
        error={undefined}
        onValue={setText}
      />
      {error !== undefined && <ErrorNote error={error} />}
      <footer>
        <Button onClick={onClose}>{shellTexts.cancel}</Button>
        <Button
          variant={step === 'override' ? 'danger' : 'primary'}
          isBusy={isBusy}
          disabled={!isOptional && text.trim() === ''}
          onClick={() => run()}
        >
          {reviewTexts.steps[step]}
        </Button>
      </footer>
    </Dialog>
  );
}

interface Input {
  readonly id: string;
  readonly version: number;
  readonly text: string;
  readonly ifMatch: string | undefined;
}

async function take({ templates }: Docmill, step: ReviewStep, { id, version, text, ifMatch }: Input): Promise<void> {
  const comment = text === '' ? undefined : text;
  // An approval is for what was compared: it fails if another version has become live meanwhile.
  if (step === 'approve') await templates.approve(id, version, { comment, ifMatch });
  else if (step === 'submit') await templates.submit(id, version, { comment });
  else await templates[step](id, version, text);
}
