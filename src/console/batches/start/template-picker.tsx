import { FileText, Search } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { shellTexts } from '../../texts/shell.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { usePages } from '../../ui/use-pages.ts';

const pageSize = 12;
const typingMs = 250;

export interface PickedTemplate {
  readonly id: string;
  readonly name: string;
}

interface TemplatePickerProps {
  /** What is done with a template: a link or a button beside its name. */
  readonly action: (template: PickedTemplate) => ComponentChildren;
}

/** The templates of the account with a search. */
export function TemplatePicker({ action }: TemplatePickerProps) {
  const docmill = useDocmill();
  const [typed, setTyped] = useState('');
  const [name, setName] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setName(typed.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const { entries, error, isLoading, hasMore, more, reload } = usePages(
    (signal) => docmill.templates.list({ limit: pageSize, ...(name !== '' && { name }) }, { signal }),
    pageSize,
    name,
  );
  const isEmpty = !isLoading && error === undefined && entries.length === 0;
  return (
    <div class="template-picker">
      <div class="search-box">
        <Search aria-hidden="true" />
        <input
          type="search"
          aria-label={batchTexts.searchTemplates}
          placeholder={batchTexts.searchTemplates}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {isLoading && entries.length === 0 && <Skeleton lines={4} />}
      {isEmpty && name !== '' && <p class="muted">{batchTexts.noTemplates}</p>}
      {isEmpty && name === '' && (
        <p class="muted">
          {batchTexts.noTemplatesAtAll} <Link href="/templates">{batchTexts.toTemplates}</Link>
        </p>
      )}
      <ul class="picker-list" aria-label={batchTexts.chooseTemplate}>
        {entries.map((template) => (
          <li key={template.id}>
            <FileText aria-hidden="true" />
            <div class="picker-name">
              <strong>{template.name}</strong>
              <span class="muted small">{batchTexts.fieldCount(template.tags.length)}</span>
            </div>
            {action(template)}
          </li>
        ))}
      </ul>
      {hasMore && (
        <Button isBusy={isLoading} onClick={more}>
          {shellTexts.more}
        </Button>
      )}
    </div>
  );
}
