import { boxAt, type Place, pixelsPerPoint, type Zoom, zoomToFit } from './page-layout.ts';
import { createSlot, type PageSlot } from './page-slot.ts';

/** Pictures further than this from the visible area, in view heights, are discarded. */
const keptHeights = 4;

/** Pages stacked in a scrolling element: their sizes, the zoom, and the reading position. */
export interface PageColumn {
  readonly slots: readonly PageSlot[];
  readonly resizeTo: (count: number) => void;
  readonly zoom: () => Zoom;
  readonly setZoom: (zoom: Zoom) => void;
  /** The zoom as a number; 1 is the size on paper. */
  readonly scale: () => number;
  readonly place: () => Place;
  readonly goTo: (place: Place) => void;
  /** Lays the pages out again after a change, and keeps the reading position at the top edge. */
  readonly keepPlace: (change?: () => void) => void;
  /** Indexes of the pages that are visible or less than one view height away, the nearest first. */
  readonly near: () => readonly number[];
  /** Drawn pages that are far from the visible area. */
  readonly far: () => readonly PageSlot[];
}

export function createPageColumn(container: HTMLElement): PageColumn {
  const slots: PageSlot[] = [];
  let zoom: Zoom = 'fit';

  const scale = (): number => {
    if (zoom !== 'fit') return zoom;
    const { paddingLeft, paddingRight } = getComputedStyle(container);
    const width = container.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    const widest = slots.reduce((most, { size }) => Math.max(most, size.width), 1);
    return zoomToFit(widest, width);
  };

  const bottomOf = (index: number): number => {
    const element = slots[index]?.element;
    return element === undefined ? 0 : element.offsetTop + element.offsetHeight;
  };

  const place = (): Place => {
    const top = container.scrollTop;
    const page = boxAt(slots.length, top, bottomOf);
    const element = slots[page]?.element;
    if (element === undefined) return { page: 0, share: 0 };
    return { page, share: (top - element.offsetTop) / Math.max(1, element.offsetHeight) };
  };

  const goTo = ({ page, share }: Place): void => {
    const element = slots[Math.min(page, slots.length - 1)]?.element;
    if (element === undefined) return;
    // At the start, the margin above the first page is visible.
    container.scrollTop = page === 0 && share <= 0 ? 0 : element.offsetTop + share * element.offsetHeight;
  };

  const layOut = (): void => {
    const factor = scale() * pixelsPerPoint;
    container.style.setProperty('--total-scale-factor', String(factor));
    for (const { element, size } of slots) {
      element.style.width = `${size.width * factor}px`;
      element.style.height = `${size.height * factor}px`;
    }
  };

  /** In view heights; 0 for visible pages. */
  const distance = ({ element }: PageSlot): number => {
    const top = element.offsetTop - container.scrollTop;
    const height = Math.max(1, container.clientHeight);
    return Math.max(0, top - height, -(top + element.offsetHeight)) / height;
  };

  return {
    slots,
    scale,
    place,
    goTo,
    resizeTo(count) {
      for (const { element } of slots.splice(count)) element.remove();
      while (slots.length < count) {
        const slot = createSlot(slots.length);
        slots.push(slot);
        container.append(slot.element);
      }
    },
    zoom: () => zoom,
    setZoom(next) {
      zoom = next;
    },
    keepPlace(change) {
      const before = place();
      change?.();
      layOut();
      goTo(before);
    },
    near() {
      const first = boxAt(slots.length, container.scrollTop - container.clientHeight, bottomOf);
      const found: { readonly index: number; readonly away: number }[] = [];
      for (const [offset, slot] of slots.slice(first).entries()) {
        const away = distance(slot);
        if (away > 1) break;
        found.push({ index: first + offset, away });
      }
      return found.sort((one, other) => one.away - other.away).map(({ index }) => index);
    },
    far: () => slots.filter((slot) => slot.canvas !== undefined && distance(slot) > keptHeights),
  };
}
