import { UnknownFeature } from '../unknown-feature.ts';
import { type Attempt, nothing } from './attempt.ts';
import { fillStories, type StoryKind } from './fill-stories.ts';
import { paperLength } from './paper-length.ts';
import { placePageBorders, type ReadPageBorders, readPageBorders } from './read-page-borders.ts';
import type { Block, PageGeometry, Section, Stories } from './tree.ts';
import { allowAttributes, childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

const longest = 31_680;
/** Children of a `w:sectPr` that do not change the pages of a supported document (ECMA-376 part 1, 17.6). */
const harmless: ReadonlySet<string> = new Set([
  'w:formProt',
  'w:noEndnote',
  'w:footnotePr',
  'w:endnotePr',
  'w:paperSrc',
]);
const kinds = ['default', 'first', 'even'] as const;
const letterSize = { width: 12_240, height: 15_840 };
const plainMargins = { top: 1440, bottom: 1440, left: 1440, right: 1440, header: 720, footer: 720 };

/** Reads a header or footer by its relationship. */
export type ReadStory = (id: string) => readonly Block[];

export interface SectionContext {
  readonly hasEvenPages: boolean;
  /** The previous section, whose headers and footers are inherited (17.10.1). */
  readonly previous: Section | undefined;
  readonly isOnlySection: boolean;
  readonly readStory: ReadStory;
  readonly attempt: Attempt;
  /** The header or footer of pages that have none, although others of their section do. */
  readonly emptyStory: (kind: StoryKind) => readonly Block[];
}

/** The section of a document without section properties: Letter with margins of one inch. */
export function plainSection(blocks: readonly Block[]): Section {
  const geometry: PageGeometry = { ...letterSize, ...plainMargins };
  const [hasFirstPage, hasEvenPages, firstNumber, borders] = [false, false, undefined, undefined];
  return { geometry, borders, headers: none, footers: none, hasFirstPage, hasEvenPages, firstNumber, blocks };
}

/** Reads a `w:sectPr`. Throws UnknownFeature for a section whose pages LibreOffice may fill differently. */
export function readSection(
  element: XmlElement,
  blocks: readonly Block[],
  { hasEvenPages, previous, isOnlySection, readStory, emptyStory, attempt }: SectionContext,
): Section {
  const own: Record<StoryKind, { -readonly [K in keyof Stories]: Stories[K] }> = {
    header: { ...(previous?.headers ?? none) },
    footer: { ...(previous?.footers ?? none) },
  };
  let hasFirstPage = false;
  let firstNumber: number | undefined;
  let borders: ReadPageBorders | undefined;
  const read = (child: XmlElement): void => {
    if (child.name === 'w:headerReference' || child.name === 'w:footerReference') {
      const kind = kinds.find((one) => one === (child.attributes.get('w:type') ?? 'default'));
      if (kind === undefined) throw new UnknownFeature(child.name);
      own[child.name === 'w:headerReference' ? 'header' : 'footer'][kind] = readStory(
        child.attributes.get('r:id') ?? '',
      );
    } else if (child.name === 'w:titlePg') hasFirstPage = isOn(child);
    else if (child.name === 'w:pgNumType') firstNumber = readNumbering(child);
    else if (child.name === 'w:footnotePr' && child.children.length > 0 && blocks.some(hasNotes))
      throw new UnknownFeature('settings of footnotes');
    else if (child.name === 'w:pgBorders') borders = readPageBorders(child);
    else if (child.name !== 'w:pgSz' && child.name !== 'w:pgMar') readOther(child);
  };
  for (const child of element.children) attempt(() => read(child), nothing);
  const filled = (kind: StoryKind): Stories =>
    fillStories(own[kind], { hasFirstPage, hasEvenPages, isOnlySection, empty: () => emptyStory(kind) });
  const [headers, footers] = [filled('header'), filled('footer')];
  const geometry = readGeometry(element);
  const placed =
    borders &&
    placePageBorders(borders, geometry, { hasHeader: hasStory(own.header), hasFooter: hasStory(own.footer) });
  return { geometry, borders: undefined, ...placed, headers, footers, hasFirstPage, hasEvenPages, firstNumber, blocks };
}

const hasNotes = (block: Block): boolean => block.kind === 'paragraph' && block.notes.length > 0;

/** Whether the borders of a page enclose a header or footer. Throws UnknownFeature if only some pages have one. */
function hasStory({ default: usual, first, even }: Stories): boolean {
  if (usual === undefined && (first !== undefined || even !== undefined))
    throw new UnknownFeature('page borders around a header or footer of some pages');
  return usual !== undefined;
}

/**
 * The size of a page and its margins (17.6.13, 17.6.11). Throws UnknownFeature for a page with hardly any space for
 * text.
 */
export function readGeometry(section: XmlElement): PageGeometry {
  const [size, margins] = [childOf(section, 'w:pgSz'), childOf(section, 'w:pgMar')];
  if (size === undefined) throw new UnknownFeature('a section without a page size');
  allowAttributes(size, 'w:w', 'w:h', 'w:orient', 'w:code');
  const lengths = { ...plainMargins };
  if (margins !== undefined) {
    if ((margins.attributes.get('w:gutter') ?? '0') !== '0') throw new UnknownFeature('w:gutter');
    for (const side of ['top', 'bottom', 'left', 'right', 'header', 'footer'] as const)
      lengths[side] = wholeNumber(margins, `w:${side}`, 0, longest);
  }
  const width = paperLength(wholeNumber(size, 'w:w', 1_440, longest));
  const height = paperLength(wholeNumber(size, 'w:h', 1_440, longest));
  if (height - lengths.top - lengths.bottom < 1_000 || width - lengths.left - lengths.right < 1_000)
    throw new UnknownFeature('a page without space for text');
  return { width, height, ...lengths };
}

const none: Stories = { default: undefined, first: undefined, even: undefined };

function readNumbering(element: XmlElement): number | undefined {
  allowAttributes(element, 'w:start', 'w:fmt');
  if ((element.attributes.get('w:fmt') ?? 'decimal') !== 'decimal') throw new UnknownFeature('w:pgNumType');
  return element.attributes.has('w:start') ? wholeNumber(element, 'w:start', 0, 100_000) : undefined;
}

function readOther(child: XmlElement): void {
  const { attributes } = child;
  const isPlain =
    harmless.has(child.name) ||
    (child.name === 'w:cols' && (attributes.get('w:num') ?? '1') === '1' && child.children.length === 0) ||
    (child.name === 'w:docGrid' && (attributes.get('w:type') ?? 'default') === 'default') ||
    (child.name === 'w:type' && attributes.get('w:val') === 'nextPage') ||
    (child.name === 'w:textDirection' && attributes.get('w:val') === 'lrTb') ||
    (child.name === 'w:vAlign' && attributes.get('w:val') === 'top') ||
    ((child.name === 'w:rtlGutter' || child.name === 'w:bidi') && !isOn(child));
  if (!isPlain) throw new UnknownFeature(`${child.name} of a section`);
}
