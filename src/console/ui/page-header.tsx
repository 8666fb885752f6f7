import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { brand } from './brand.ts';

interface PageHeaderProps {
  readonly title: string;
  /** A line below the title. */
  readonly about?: ComponentChildren;
  /** A link to the parent page, above the title. */
  readonly parent?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The title of a page, also set as the title of the browser tab. */
export function PageHeader({ title, about, parent, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} – ${brand.name}`;
  }, [title]);
  return (
    <header class="page-header">
      <div>
        {parent !== undefined && <p class="parent">{parent}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {about !== undefined && <p class="muted">{about}</p>}
      </div>
      {children !== undefined && <div class="actions">{children}</div>}
    </header>
  );
}
