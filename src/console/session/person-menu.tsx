import { signal } from '@preact/signals';
import { LogOut } from 'lucide-preact';
import { sessionTexts } from '../texts/session.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatTime } from '../ui/format.ts';
import { ErrorNote } from '../ui/states.tsx';
import { useAction } from '../ui/use-action.ts';
import { accountName } from './account-name.ts';
import { type Person, session } from './session.ts';
import { endSession, signOut } from './sign-in.ts';

const nameOf = ({ name, email }: Person): string => name ?? email ?? sessionTexts.unnamed;

/** The person who has asked to sign out. */
const asked = signal<Person | undefined>(undefined);

/** Signs out. A person sees first who is signed in, and may end the sessions in other browsers, too. */
export function askToSignOut(): void {
  asked.value = session.value?.person;
  if (asked.value === undefined) signOut();
}

export function SignOutButton() {
  return <IconButton label={shellTexts.signOut} icon={<LogOut />} onClick={askToSignOut} />;
}

/** Outside of the menu, which is a landmark of its own. */
export function SignOutDialogs() {
  const person = session.value?.person;
  if (person === undefined || asked.value !== person) return null;
  return (
    <SignOutDialog
      person={person}
      onClose={() => {
        asked.value = undefined;
      }}
    />
  );
}

/** Who is signed in. */
export function PersonName() {
  const person = session.value?.person;
  if (person === undefined) return null;
  return (
    <p class="person-name muted small" title={person.email ?? undefined}>
      {sessionTexts.signedInAs(nameOf(person))}
    </p>
  );
}

function SignOutDialog({ person, onClose }: { readonly person: Person; readonly onClose: () => void }) {
  const here = useAction(() => endSession('here'));
  const everywhere = useAction(() => endSession('everywhere'));
  const key = session.value?.key;
  const error = here.error ?? everywhere.error;
  return (
    <Dialog title={sessionTexts.signOutTitle} onClose={onClose}>
      <Facts
        layout="lines"
        facts={[
          [sessionTexts.person, nameOf(person)],
          [sessionTexts.email, person.email ?? undefined],
          [sessionTexts.account, key === undefined ? undefined : accountName(key)],
          [sessionTexts.roles, person.roles.join(', ')],
          [sessionTexts.provider, person.provider],
          [sessionTexts.endsAt, formatTime(person.endsAt)],
        ]}
      />
      <p class="muted small">{sessionTexts.everywhereText}</p>
      {error !== undefined && <ErrorNote error={error} />}
      <footer>
        <Button isBusy={everywhere.isBusy} onClick={() => everywhere.run()}>
          {sessionTexts.everywhere}
        </Button>
        <Button variant="primary" isBusy={here.isBusy} onClick={() => here.run()}>
          {shellTexts.signOut}
        </Button>
      </footer>
    </Dialog>
  );
}
