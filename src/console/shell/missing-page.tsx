import { FileQuestion } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { shellTexts } from '../texts/shell.ts';
import { EmptyState } from '../ui/states.tsx';

export function MissingPage() {
  return (
    <EmptyState title={shellTexts.missingTitle} icon={<FileQuestion aria-hidden="true" />}>
      <p>{shellTexts.missingText}</p>
      <Link class="button plain" href="/templates">
        {shellTexts.toTemplates}
      </Link>
    </EmptyState>
  );
}
