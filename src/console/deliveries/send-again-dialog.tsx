import { ApiError, type components } from '@docmill/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { newIdempotencyKey } from '../session/new-idempotency-key.ts';
import { useDocmill } from '../session/session.ts';
import { deliveryTexts } from '../texts/deliveries.ts';
import { playgroundTexts } from '../texts/playground.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { formatCount } from '../ui/format.ts';
import { RecipientsField } from '../ui/recipients-field.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';

type Delivery = components['schemas']['Delivery'];

const fields = ['to', 'cc', 'bcc'] as const;
type Lists = Readonly<Record<(typeof fields)[number], readonly string[]>>;

interface SendAgainDialogProps {
  readonly documentId: string;
  /** The recipients of the delivery that is sent again. */
  readonly lists: Lists;
  readonly onSent: (delivery: Delivery) => void;
  readonly onClose: () => void;
}

/** Asks for the recipients of an e-mail that is sent again. Its button says how many get it. */
export function SendAgainDialog({ documentId, lists: first, onSent, onClose }: SendAgainDialogProps) {
  const docmill = useDocmill();
  const form = useRef<HTMLFormElement>(null);
  const [lists, setLists] = useState(first);
  const [problems, setProblems] = useState<Readonly<Partial<Record<string, string>>>>({});
  // One key for the dialog, so that a second click, or a retry after a lost response, does not send the e-mail again.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const { run, isBusy, error, reset } = useAction(async () => {
    try {
      onSent(await docmill.deliveries.create({ documentId, ...lists, to: [...lists.to] }, { idempotencyKey }));
    } catch (failure) {
      setProblems(problemsOf(failure));
      throw failure;
    }
  });
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [problems]);
  const count = new Set(fields.flatMap((field) => lists[field])).size;
  const send = (): void => {
    if (lists.to.length === 0) setProblems({ to: playgroundTexts.email.noRecipient });
    else run();
  };
  return (
    <Dialog title={deliveryTexts.againTitle} onClose={onClose}>
      <form
        class="form"
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p class="muted small">{deliveryTexts.againText}</p>
        {fields.map((field) => (
          <RecipientsField
            key={field}
            label={playgroundTexts.email[field]}
            hint={field === 'to' ? playgroundTexts.email.toHint : undefined}
            value={lists[field]}
            error={problems[field]}
            onValue={(addresses) => {
              setLists({ ...lists, [field]: addresses });
              setProblems({});
              reset();
              setIdempotencyKey(newIdempotencyKey());
            }}
          />
        ))}
        {error !== undefined && Object.keys(problems).length === 0 && <ErrorNote error={error} />}
        <footer>
          <Button onClick={onClose}>{shellTexts.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {deliveryTexts.sendTo(formatCount(count, 'recipient', 'recipients'))}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** What is wrong with each field; empty unless the fields show everything that is wrong. */
function problemsOf(failure: unknown): Readonly<Partial<Record<string, string>>> {
  if (!(failure instanceof ApiError)) return {};
  const found: Record<string, string> = {};
  for (const { path, message } of failure.details) {
    const field = /^(to|cc|bcc)\b/.exec(path ?? '')?.[1];
    if (field === undefined) return {};
    found[field] ??= message;
  }
  return found;
}
