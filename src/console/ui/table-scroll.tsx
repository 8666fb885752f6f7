import type { ComponentChildren } from 'preact';

interface TableScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * A table that scrolls sideways on narrow screens. It is focusable, because a table without links could not be scrolled
 * by keyboard otherwise.
 */
export function TableScroll({ label, children }: TableScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what has the focus
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
