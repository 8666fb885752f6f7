import { useEffect, useRef } from 'preact/hooks';
import { sessionTexts } from '../texts/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';
import { accountName } from './account-name.ts';
import { describeRefusal } from './describe-refusal.ts';
import { KeyFacts } from './key-facts.tsx';
import { forgetLinkedKey } from './linked-key.ts';
import type { Session } from './session.ts';
import { describeKey, switchTo } from './sign-in.ts';

interface LinkedKeyDialogProps {
  readonly apiKey: string;
  readonly current: Session['key'];
}

/** Confirms before a link replaces the session; keeping it is the default, also on Escape. */
export function LinkedKeyDialog({ apiKey, current }: LinkedKeyDialogProps) {
  const { value, error } = useLoad((signal) => describeKey(apiKey, signal), apiKey);
  const actions = useRef<HTMLElement>(null);
  useEffect(() => actions.current?.querySelector('button')?.focus(), []);
  return (
    <Dialog title={sessionTexts.switchTitle} onClose={forgetLinkedKey}>
      <p>{sessionTexts.switchText(accountName(current))}</p>
      {error !== undefined && <ErrorNote error={new Error(describeRefusal(error))} />}
      {error === undefined && value === undefined && <Skeleton lines={2} />}
      {value !== undefined && (
        <>
          <p>{sessionTexts.linkOf}</p>
          <KeyFacts apiKey={value} />
        </>
      )}
      <footer ref={actions}>
        <Button variant="primary" onClick={forgetLinkedKey}>
          {sessionTexts.stay}
        </Button>
        {value !== undefined && <Button onClick={() => switchTo(apiKey)}>{sessionTexts.switchAction}</Button>}
      </footer>
    </Dialog>
  );
}
