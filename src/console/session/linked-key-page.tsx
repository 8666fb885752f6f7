import { ApiError, ConnectionError } from '@docmill/client';
import { useEffect, useRef } from 'preact/hooks';
import { sessionTexts } from '../texts/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { brand } from '../ui/brand.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { useLoad } from '../ui/use-load.ts';
import { accountName } from './account-name.ts';
import { describeRefusal } from './describe-refusal.ts';
import { KeyFacts } from './key-facts.tsx';
import { forgetLinkedKey } from './linked-key.ts';
import { describeKey, signIn, signOut } from './sign-in.ts';

/** Confirms before a link signs in, because its author may want to lure the user into another account. */
export function LinkedKeyPage({ apiKey }: { readonly apiKey: string }) {
  const { value, error, reload } = useLoad((signal) => describeKey(apiKey, signal), apiKey);
  const action = useAction(async () => {
    await signIn(apiKey);
    forgetLinkedKey();
  });
  const button = useRef<HTMLSpanElement>(null);
  const refused = action.error ?? error;
  const isRefused = refused instanceof ApiError && refused.status === 401;
  useEffect(() => {
    document.title = `${sessionTexts.title} – ${brand.name}`;
  }, []);
  useEffect(() => button.current?.querySelector('button')?.focus(), [value]);
  useEffect(() => {
    if (!isRefused) return;
    forgetLinkedKey();
    signOut('refused');
  }, [isRefused]);
  if ((value === undefined && refused === undefined) || isRefused) return <div class="starting" />;
  return (
    <main class="sign-in">
      <div class="sign-in-question">
        <h1>{value === undefined ? shellTexts.startTitle : sessionTexts.linkTitle(accountName(value))}</h1>
        {value !== undefined && (
          <>
            <p class="muted">{sessionTexts.linkText}</p>
            <KeyFacts apiKey={value} />
          </>
        )}
        {refused !== undefined && (
          <ErrorNote
            error={new Error(describeRefusal(refused))}
            {...(refused instanceof ConnectionError || refused instanceof ApiError
              ? { onRetry: value === undefined ? reload : action.run }
              : {})}
          />
        )}
        <div class="actions">
          {value !== undefined && (
            <span ref={button}>
              <Button variant="primary" isBusy={action.isBusy} onClick={() => action.run()}>
                {action.isBusy ? sessionTexts.working : sessionTexts.linkAction}
              </Button>
            </span>
          )}
          <Button onClick={forgetLinkedKey}>{sessionTexts.linkOther}</Button>
        </div>
      </div>
    </main>
  );
}
