import { FileText } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { useDocmill } from '../../session/session.ts';
import { batchTexts } from '../../texts/batches.ts';
import { ListStart } from '../../ui/list-start.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { useFilters } from '../../ui/use-filters.ts';
import { usePages } from '../../ui/use-pages.ts';

const pageSize = 12;
const filterNames = ['search'] as const;

export interface PickedTemplate {
  readonly id: string;
  readonly name: string;
}

interface TemplatePickerProps {
  /** The action for a template: a link or a button next to its name. */
  readonly action: (template: PickedTemplate) => ComponentChildren;
}

/** Links to the page that starts batches with a template. */
export function ChooseLink({ template: { id, name } }: { readonly template: PickedTemplate }) {
  return (
    <Link class="button plain" href={`/batches/new?template=${id}`} aria-label={`${batchTexts.choose} ${name}`}>
      {batchTexts.choose}
    </Link>
  );
}

/** A searchable list of the account's templates. */
export function TemplatePicker({ action }: TemplatePickerProps) {
  const docmill = useDocmill();
  const { values, isFiltered, set } = useFilters(filterNames);
  const pages = usePages(
    (signal) => docmill.templates.list({ name: isFiltered ? values.search : undefined, limit: pageSize }, { signal }),
    pageSize,
    values.search,
  );
  const { entries, isLoading, hasMore, more } = pages;
  return (
    <div class="template-picker">
      {(isFiltered || isLoading || entries.length > 0) && (
        <SearchField label={batchTexts.searchTemplates} value={values.search} onSearch={(search) => set({ search })} />
      )}
      <ListStart
        pages={pages}
        loading={<Skeleton lines={4} />}
        empty={
          isFiltered ? (
            <p class="muted">{batchTexts.noTemplates}</p>
          ) : (
            <p class="muted">
              {batchTexts.noTemplatesAtAll} <Link href="/templates">{batchTexts.toTemplates}</Link>
            </p>
          )
        }
      />
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
      <MoreButton hasMore={hasMore} isBusy={isLoading} onMore={more} />
    </div>
  );
}
