import { FileQuestion } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { shellTexts } from '../texts/shell.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/states.tsx';

export function MissingPage() {
  return (
    <>
      <PageHeader title={shellTexts.missingTitle} />
      <EmptyState title={shellTexts.missingText} icon={<FileQuestion aria-hidden="true" />}>
        <p>{shellTexts.missingHint}</p>
        <Link class="button plain" href="/">
          {shellTexts.toStart}
        </Link>
      </EmptyState>
    </>
  );
}
