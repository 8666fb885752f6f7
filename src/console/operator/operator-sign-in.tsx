import { useEffect, useRef } from 'preact/hooks';
import { describeRefusal } from '../session/describe-refusal.ts';
import { operatorTexts } from '../texts/operator.ts';
import { sessionTexts } from '../texts/session.ts';
import { brand } from '../ui/brand.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { signIn, wasRefused } from './operator-session.ts';

export function OperatorSignIn() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${operatorTexts.signInTitle} – ${brand.name}`;
    input.current?.focus();
  }, []);
  const { run, isBusy, error } = useAction(() => signIn(input.current?.value.trim() ?? ''));
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
  const isOtherPort = error instanceof Error && error.message === operatorTexts.otherPort;
  const refusal = isOtherPort ? error.message : describeRefusal(error);
  return (
    <main class="sign-in">
      <form
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <img src={brand.iconUrl} alt="" width="44" height="44" />
        <h1>{operatorTexts.signInTitle}</h1>
        <p class="muted">{operatorTexts.signInLead}</p>
        {wasRefused.value && (
          <p class="note warn" role="status">
            {sessionTexts.refused}
          </p>
        )}
        <Field label={operatorTexts.key} hint={operatorTexts.keyHint} error={error === undefined ? undefined : refusal}>
          {(attributes) => (
            <input
              ref={input}
              type="password"
              name="key"
              required
              spellcheck={false}
              autocomplete="off"
              {...attributes}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" isBusy={isBusy}>
          {isBusy ? sessionTexts.working : sessionTexts.submit}
        </Button>
      </form>
    </main>
  );
}
