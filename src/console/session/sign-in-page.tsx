import { Eye, EyeOff } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { sessionTexts } from '../texts/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { brand } from '../ui/brand.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { useAction } from '../ui/use-action.ts';
import { serviceUrl } from './addresses.ts';
import { describeRefusal } from './describe-refusal.ts';
import { KeptNote } from './kept-note.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { providers } from './providers.ts';
import { signedOutReason } from './session.ts';
import { signIn } from './sign-in.ts';

export function SignInPage() {
  const [isShown, setIsShown] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    document.title = `${sessionTexts.title} – ${brand.name}`;
    // Where people sign in by a provider, most of them have no key.
    if (providers.length === 0) input.current?.focus();
  }, []);
  const { run, isBusy, error } = useAction(() => signIn(input.current?.value.trim() ?? ''));
  useEffect(() => {
    if (error !== undefined) input.current?.focus();
  }, [error]);
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
        <h1>{sessionTexts.title}</h1>
        {signedOutReason.value === 'ended' && (
          <p class="note warn" role="status">
            {sessionTexts.ended}
          </p>
        )}
        <ProviderButtons />
        <p class="muted">{sessionTexts.lead}</p>
        {signedOutReason.value === 'refused' && (
          <p class="note warn" role="status">
            {sessionTexts.refused}
          </p>
        )}
        <Field
          label={sessionTexts.key}
          hint={sessionTexts.hint}
          error={error === undefined ? undefined : describeRefusal(error)}
        >
          {(attributes) => (
            <span class="input-with-button">
              <input
                ref={input}
                type={isShown ? 'text' : 'password'}
                name="key"
                required
                spellcheck={false}
                autocomplete="off"
                {...attributes}
              />
              <IconButton
                label={sessionTexts.show}
                aria-pressed={isShown}
                icon={isShown ? <EyeOff /> : <Eye />}
                onClick={() => setIsShown(!isShown)}
              />
            </span>
          )}
        </Field>
        <Button type="submit" variant={providers.length === 0 ? 'primary' : 'plain'} isBusy={isBusy}>
          {isBusy ? sessionTexts.working : sessionTexts.submit}
        </Button>
        <p class="small">
          <a href={`${serviceUrl}/guide/guides/keys.html`}>{sessionTexts.guide}</a>
          {brand.helpUrl !== undefined && (
            <>
              {' · '}
              <a href={brand.helpUrl}>{shellTexts.help}</a>
            </>
          )}
        </p>
        <KeptNote />
      </form>
    </main>
  );
}
