import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { shellTexts } from '../texts/shell.ts';

interface PageHeaderProps {
  readonly title: string;
  /** A line below the title. */
  readonly about?: ComponentChildren;
  /** Where the page belongs: a link above the title. */
  readonly parent?: ComponentChildren;
  /** Buttons. */
  readonly children?: ComponentChildren;
}

/** Title of a page, also of the browser's tab. */
export function PageHeader({ title, about, parent, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} – ${shellTexts.product}`;
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
