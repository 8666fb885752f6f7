import { Lock } from 'lucide-preact';
import { session } from '../session/session.ts';
import { signOut } from '../session/sign-in.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Shown instead of a page that the scopes of the key or the person do not allow. */
export function ForbiddenPage({ scope }: { readonly scope: string }) {
  const isPerson = session.value?.person !== undefined;
  return (
    <>
      <PageHeader title={isPerson ? shellTexts.forbiddenTitleOfPerson : shellTexts.forbiddenTitle} />
      <EmptyState
        title={isPerson ? shellTexts.forbiddenScopeOfPerson(scope) : shellTexts.forbiddenScope(scope)}
        icon={<Lock aria-hidden="true" />}
      >
        <p>{isPerson ? shellTexts.forbiddenTextOfPerson : shellTexts.forbiddenText}</p>
        <Button onClick={() => signOut()}>{shellTexts.otherKey}</Button>
      </EmptyState>
    </>
  );
}
