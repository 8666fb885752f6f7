import { FileQuestion } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { shellTexts } from '../texts/shell.ts';
import { templatePageTexts } from '../texts/templates.ts';
import { EmptyState } from '../ui/states.tsx';

export function MissingTemplate() {
  return (
    <EmptyState title={templatePageTexts.missingTitle} icon={<FileQuestion aria-hidden="true" />}>
      <p>{templatePageTexts.missingText}</p>
      <Link class="button plain" href="/templates">
        {shellTexts.toTemplates}
      </Link>
    </EmptyState>
  );
}
