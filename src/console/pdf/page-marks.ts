import type { PageSize } from './open-pdf.ts';

/** A highlighted area of a page, in points from the top left corner. */
export interface PageMark extends PageSize {
  /** Counted from 0. */
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly tone: 'bad' | 'warn' | 'info';
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
}

/** Replaces the marks on the element of a page. They keep their positions at every zoom. */
export function showMarks(
  element: HTMLElement,
  page: number,
  size: PageSize,
  marks: readonly PageMark[],
  onMark: ((mark: PageMark) => void) | undefined,
): void {
  for (const old of element.querySelectorAll('.pdf-mark')) old.remove();
  for (const mark of marks) {
    if (mark.page !== page) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = `pdf-mark ${mark.tone}`;
    button.title = mark.label;
    button.setAttribute('aria-label', mark.label);
    // The centre. Marks of short tags are enlarged around it.
    button.style.left = `${((mark.x + mark.width / 2) / size.width) * 100}%`;
    button.style.top = `${((mark.y + mark.height / 2) / size.height) * 100}%`;
    button.style.width = `${(mark.width / size.width) * 100}%`;
    button.style.height = `${(mark.height / size.height) * 100}%`;
    if (onMark !== undefined) button.addEventListener('click', () => onMark(mark));
    element.append(button);
  }
}
