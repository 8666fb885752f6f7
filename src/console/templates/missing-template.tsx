import { FileQuestion } from 'lucide-preact';
import { Link } from 'wouter-preact';
import { templatePageTexts } from '../texts/templates.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/states.tsx';

export function MissingTemplate() {
  return (
    <>
      <PageHeader title={templatePageTexts.missingTitle} />
      <EmptyState title={templatePageTexts.missingText} icon={<FileQuestion aria-hidden="true" />}>
        <Link class="button plain" href="/templates">
          {templatePageTexts.toTemplates}
        </Link>
      </EmptyState>
    </>
  );
}
