import type { ComponentChildren } from 'preact';

interface TableScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A table that scrolls sideways where the screen is narrower. Without links inside, only its own focus lets a keyboard scroll it. */
export function TableScroll({ label, children }: TableScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls only what has the focus
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
