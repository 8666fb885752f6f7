import { LogOut } from 'lucide-preact';
import { useState } from 'preact/hooks';
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

/** Signs out. A person sees first who is signed in, and may end the sessions in other browsers, too. */
export function SignOutButton() {
  const [isOpen, setIsOpen] = useState(false);
  const person = session.value?.person;
  return (
    <>
      <IconButton
        label={shellTexts.signOut}
        icon={<LogOut />}
        onClick={() => (person === undefined ? signOut() : setIsOpen(true))}
      />
      {isOpen && person !== undefined && <SignOutDialog person={person} onClose={() => setIsOpen(false)} />}
    </>
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
