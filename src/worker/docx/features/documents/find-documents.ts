import { scanXmlTags } from '@docmill/word/xml-tokens';
import { setupPattern } from '../../core/page-sections.ts';
import { shows } from '../../core/render/trailing-break.ts';

/** Matches the tag of a section whose items are documents. */
export const documentsTag = /\{\s*#[^{}]*\|\s*documents\s*(?=[|}])[^{}]*\}/;

/** Why the items of a section cannot be documents. */
export type DocumentsFault = 'alone' | 'pages';

/** A page setup in the body: its markup, and the offset at which it begins. */
export interface PlacedSetup {
  readonly xml: string;
  readonly start: number;
}

/** A section of the body whose items are documents. */
export interface Documents {
  /** The offsets of its content, between the paragraphs of its tags. */
  readonly start: number;
  readonly end: number;
  /** The page setups in the pages before it. */
  readonly before: readonly PlacedSetup[];
  /** The page setups in its content. */
  readonly inside: readonly PlacedSetup[];
  /** The page setup of its last pages. */
  readonly after: PlacedSetup | undefined;
  /** Whether its content ends with a section break, which then ends each item. */
  readonly endsWithBreak: boolean;
}

interface Child {
  readonly start: number;
  readonly end: number;
  /** Its text, including tags. */
  readonly text: string;
  readonly isParagraph: boolean;
  readonly setup: PlacedSetup | undefined;
}

/** The sections with the formatter, in document order, or the reason why the items of one cannot be documents. */
export function findDocuments(xml: string): readonly (Documents | DocumentsFault)[] {
  const children = childrenOf(xml);
  return children.flatMap((child, at) => {
    const tags = child.text.match(new RegExp(documentsTag, 'g')) ?? [];
    if (tags.length === 0) return [];
    const close = tags[0] === child.text && child.isParagraph ? closingOf(children, at) : undefined;
    if (close === undefined) return tags.map(() => 'alone' as const);
    return [documentsBetween(xml, children, at, close)];
  });
}

function documentsBetween(
  xml: string,
  children: readonly Child[],
  open: number,
  close: number,
): Documents | DocumentsFault {
  const isBare = (from: number, to: number) =>
    children.slice(from, to).every(({ start, end }) => !shows(xml.slice(start, end).replace(anySetup, '')));
  const hasSetup = ({ setup }: Child) => setup !== undefined;
  const last = children.findIndex((child, at) => at >= close && hasSetup(child));
  const lastBefore = children.findLastIndex((child, at) => at <= open && hasSetup(child));
  const startsPage = lastBefore === open || isBare(lastBefore + 1, open);
  const endsPage = last === close || isBare(close + 1, last === -1 ? children.length : last + 1);
  if (!startsPage || !endsPage) return 'pages';
  const inside = children.slice(open + 1, close);
  const lastInside = children.findLastIndex((child, at) => at > open && at < close && hasSetup(child));
  return {
    start: children[open]?.end ?? 0,
    end: children[close]?.start ?? 0,
    before: setupsOf(children.slice(0, open + 1)),
    inside: setupsOf(inside),
    after: children[last]?.setup,
    endsWithBreak: lastInside > open && isBare(lastInside + 1, close),
  };
}

const setupsOf = (children: readonly Child[]): PlacedSetup[] => children.flatMap(({ setup }) => setup ?? []);
const anySetup = new RegExp(setupPattern, 'g');
const sectionTag = /\{\s*(?:([#^]|-\s*w:(?:p|tr|tbl)\s)|\/)[^{}]*\}/g;

/** The paragraph that contains only the closing tag. */
function closingOf(children: readonly Child[], open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < children.length; at++) {
    const { text = '', isParagraph = false } = children[at] ?? {};
    for (const [, opens] of text.matchAll(sectionTag)) {
      depth += opens === undefined ? -1 : 1;
      if (depth === 0) return isParagraph && /^\{\s*\/[^{}]*\}$/.test(text) ? at : undefined;
    }
  }
  return undefined;
}

/** The children of the body. */
function childrenOf(xml: string): readonly Child[] {
  const children: Child[] = [];
  let depth = -1;
  let start = -1;
  scanXmlTags(xml, (tag) => {
    if (depth === -1) {
      if (tag.local === 'body' && tag.kind === 'open') depth = 0;
      return;
    }
    if (tag.kind === 'open') {
      if (depth++ === 0) start = tag.start;
      return;
    }
    if (tag.kind === 'close') depth--;
    if (depth === 0) children.push(readChild(xml, tag.kind === 'empty' ? tag.start : start, tag.end));
  });
  return children;
}

function readChild(xml: string, start: number, end: number): Child {
  const own = xml.slice(start, end);
  const setup = own.includes('<w:sectPr') ? new RegExp(setupPattern).exec(own) : null;
  return {
    start,
    end,
    text: own.includes('{') || own.includes('}') ? own.replace(/<[^>]*>/g, '').trim() : '',
    isParagraph: /^<w:p[\s>]/.test(own),
    setup: setup === null ? undefined : { xml: setup[0], start: start + setup.index },
  };
}
