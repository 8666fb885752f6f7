import { Lock } from 'lucide-preact';
import { signOut } from '../session/sign-in.ts';
import { shellTexts } from '../texts/shell.ts';
import { Button } from '../ui/button.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/states.tsx';

/** Shown instead of a page that the key's scopes do not allow. */
export function ForbiddenPage({ scope }: { readonly scope: string }) {
  return (
    <>
      <PageHeader title={shellTexts.forbiddenTitle} />
      <EmptyState title={shellTexts.forbiddenScope(scope)} icon={<Lock aria-hidden="true" />}>
        <p>{shellTexts.forbiddenText}</p>
        <Button onClick={() => signOut()}>{shellTexts.otherKey}</Button>
      </EmptyState>
    </>
  );
}
