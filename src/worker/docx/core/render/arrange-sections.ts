import { absentPattern, marksPattern, movedSetup, setupPattern, taggedSetup } from '../page-sections.ts';
import { shows } from './trailing-break.ts';

/** A page section of the written body: its content, then the page setup that ends it. */
interface PageSection {
  content: string;
  /** The paragraph around its page setup, before and after it; undefined for the setup of the body. */
  readonly around: readonly [before: string, after: string] | undefined;
  setup: string;
  /** Whether a section of the template that printed nothing held the end of this one. */
  readonly isLeft: boolean;
  /** Whether such a section held all of it. */
  readonly isGone: boolean;
  /** Whether tags of the template may have left it empty. */
  readonly isTagged: boolean;
  /** Whether its page setup was in the paragraph of a tag. */
  readonly isMoved: boolean;
}

/**
 * Arranges the page sections of a written body. Sections that tags left empty are removed with their page setups, so
 * that no empty page remains. Content before a section that printed nothing keeps its page setup. Headers and footers
 * that later sections inherit from a removed one move to the first of those.
 */
export function arrangeSections(pieces: string[]): void {
  const xml = pieces.join('');
  const { sections, end } = readSections(xml);
  const last = sections.at(-1);
  // A body that another program wrote may lack the page setup at its end, which this function requires.
  const isUsual = last !== undefined && last.around === undefined && !last.isLeft && !last.isGone;
  const written = isUsual ? write(withFrames(merged(sections))) + end : xml.replace(new RegExp(absentPattern, 'g'), '');
  pieces.splice(0, pieces.length, written.replace(marksPattern, ''));
}

function readSections(xml: string): { sections: PageSection[]; end: string } {
  const sections: PageSection[] = [];
  let read = 0;
  for (const match of xml.matchAll(new RegExp(`${absentPattern}|${setupPattern}`, 'g'))) {
    const [whole, absent, absentSetup = ''] = match;
    const at = match.index;
    const isAbsent = absent !== undefined;
    const paragraph = isAbsent ? undefined : paragraphAround(xml, read, at, at + whole.length);
    const start = paragraph?.start ?? at;
    const stop = paragraph?.end ?? at + whole.length;
    sections.push({
      content: xml.slice(read, start),
      around: paragraph && [xml.slice(start, at), xml.slice(at + whole.length, stop)],
      setup: (isAbsent ? absentSetup : whole).replace(marksPattern, ''),
      isLeft: absent === 'left',
      isGone: absent === 'gone',
      isTagged: isAbsent || whole.includes(taggedSetup),
      isMoved: whole.includes(movedSetup),
    });
    read = stop;
  }
  return { sections, end: xml.slice(read) };
}

function paragraphAround(
  xml: string,
  from: number,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  const before = xml.slice(from, start);
  const open = from + Math.max(before.lastIndexOf('<w:p>'), before.lastIndexOf('<w:p '));
  if (open < from || xml.slice(open, start).includes('</w:p>')) return undefined;
  const tags = /<w:p(?=[\s>])[^>]*?(\/?)>|<\/w:p\s*>/g;
  tags.lastIndex = end;
  for (let depth = 1, tag = tags.exec(xml); tag !== null; tag = tags.exec(xml)) {
    if (tag[1] === '/') continue;
    depth += tag[0].startsWith('</') ? -1 : 1;
    if (depth === 0) return { start: open, end: tag.index + tag[0].length };
  }
  return undefined;
}

interface KeptSections {
  readonly kept: readonly PageSection[];
  /** The headers and footers of the removed sections before each of `kept`. */
  readonly lost: ReadonlyMap<PageSection, Frames>;
}

/** Drops the empty sections, and joins the others with those from which only an absent page setup separated them. */
function merged(sections: readonly PageSection[]): KeptSections {
  const kept: PageSection[] = [];
  const lost = new Map<PageSection, Frames>();
  let gone: Frames = new Map();
  let marks = '';
  const last = sections.at(-1);
  for (const section of sections) {
    const isEmpty = section.isTagged && !hasContent(section) && isWhole(section);
    if (isEmpty && (section !== last || kept.length > 0)) {
      gone = new Map([...gone, ...framesOf(section.setup)]);
      marks += rootStart(section.content) + (section.content.match(rangeMark) ?? []).join('');
      continue;
    }
    const before = kept.at(-1);
    const own: PageSection = { ...section, content: marks + section.content };
    marks = '';
    if (before?.isLeft === true && isAlike(before.setup, own.setup)) {
      kept.pop();
      const joined = {
        ...own,
        content: before.content + own.content,
        setup: withMissing(before.setup, framesOf(own.setup)),
      };
      kept.push(joined);
      lost.set(joined, lost.get(before) ?? gone);
    } else {
      kept.push(own);
      lost.set(own, gone);
    }
  }
  const end = kept.at(-1);
  if (end !== undefined) end.content += marks;
  return { kept, lost };
}

function hasContent({ content, around }: PageSection): boolean {
  const body = content.replace(/^[\s\S]*<w:body(?:\s[^>]*)?>/, '');
  return shows(body) || (around !== undefined && shows(around.join('')));
}

/** Whether all elements end in the section in which they begin. A content control may span several sections. */
function isWhole({ content, around }: PageSection): boolean {
  const xml = content.slice(rootStart(content).length) + (around?.join('') ?? '');
  let depth = 0;
  for (const [tag] of xml.matchAll(/<\/?[A-Za-z][^>]*>/g)) {
    if (tag.startsWith('</')) depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** The start of the part, which comes before the content of the first section. */
function rootStart(content: string): string {
  return /^[\s\S]*<w:body(?:\s[^>]*)?>/.exec(content)?.[0] ?? '';
}

const rangeMark = /<w:(?:bookmark|commentRange|perm|move(?:From|To)Range)(?:Start|End)\b[^>]*\/>/g;

/** Headers and footers by kind and type of page, as markup. */
type Frames = ReadonlyMap<string, string>;

function framesOf(setup: string): Frames {
  const own = setup.replace(/<w:sectPrChange\b[\s\S]*<\/w:sectPrChange\s*>/, '');
  const found = own.matchAll(/<w:(header|footer)Reference\b([^>]*)(?:\/>|>\s*<\/w:\1Reference\s*>)/g);
  return new Map(
    Array.from(found, ([xml, kind, attributes = '']) => {
      return [`${kind} ${/\sw:type="([^"]*)"/.exec(attributes)?.[1] ?? 'default'}`, xml.replace(/\s*\/?>.*$/s, '/>')];
    }),
  );
}

/** Whether pages look the same with both setups, and the second one has no other headers and footers. */
function isAlike(first: string, second: string): boolean {
  const own = framesOf(first);
  const isSame = [...framesOf(second)].every(([key, xml]) => idOf(own.get(key) ?? xml) === idOf(xml));
  return isSame && pageOf(first) === pageOf(second);
}

const idOf = (reference: string) => /\s[\w.-]+:id="([^"]*)"/.exec(reference)?.[1];

/**
 * The settings that affect how pages look, without headers and footers, and without settings that only the first
 * section needs.
 */
function pageOf(setup: string): string {
  return setup
    .replace(/<w:(?:(?:header|footer)Reference|type|titlePg|docGrid|paperSrc|printerSettings)\b[^>]*\/>/g, '')
    .replace(/<w:pgNumType\b(?![^>]*w:start=)[^>]*\/>/g, '')
    .replace(/\sw:rsid\w*="[^"]*"/g, '')
    .replace(/^<w:sectPr\s*\/>$/, '<w:sectPr></w:sectPr>')
    .replace(/>\s+</g, '><');
}

/** The setup with the headers and footers that it lacks. */
function withMissing(setup: string, frames: Frames): string {
  const own = framesOf(setup);
  const added = [...frames].filter(([key]) => !own.has(key)).map(([, xml]) => xml);
  if (added.length === 0) return setup;
  const [start = ''] = /^<w:sectPr[^>]*>/.exec(setup) ?? [];
  const open = start.replace(/\s*\/>$/, '>');
  return `${open}${added.join('')}${start.endsWith('/>') ? '</w:sectPr>' : setup.slice(start.length)}`;
}

function withFrames({ kept, lost }: KeptSections): readonly PageSection[] {
  const inherited = new Set<string>();
  for (const section of kept) {
    const missing = [...(lost.get(section) ?? [])].filter(([key]) => !inherited.has(key));
    section.setup = withMissing(section.setup, new Map(missing));
    for (const key of framesOf(section.setup).keys()) inherited.add(key);
  }
  return kept;
}

function write(sections: readonly PageSection[]): string {
  return sections.map((section, i) => writeSection(section, i === sections.length - 1)).join('');
}

function writeSection({ content, around, setup, isLeft, isMoved }: PageSection, isLast: boolean): string {
  if (isLast) return content + (around === undefined || !mayStay(around, content) ? '' : around.join('')) + setup;
  if (around !== undefined && !isMoved) return content + around.join(setup);
  if (!isLeft && !isMoved) return content + setup;
  return withSetup(content, setup) ?? `${content}<w:p><w:pPr>${setup}</w:pPr></w:p>`;
}

/** Whether the paragraph that held the setup of the last section is needed without it. */
function mayStay(around: readonly string[], content: string): boolean {
  return shows(around.join('')) || !/<\/w:p>\s*$/.test(content);
}

/** The content with a setup in its last paragraph; undefined if it ends otherwise. */
function withSetup(content: string, setup: string): string | undefined {
  if (!content.endsWith('</w:p>')) return undefined;
  const start = Math.max(content.lastIndexOf('<w:p>'), content.lastIndexOf('<w:p '));
  const paragraph = content.slice(start);
  if (start === -1 || paragraph.includes('</w:txbxContent>') || paragraph.includes('<w:sectPr')) return undefined;
  const tag = /^<w:p(?:\s[^>]*)?>/.exec(paragraph)?.[0] ?? '';
  const inner = paragraph.slice(tag.length);
  const properties = /^<w:pPr(?:\s[^>]*)?>/.exec(inner)?.[0];
  if (properties === undefined || properties.endsWith('/>')) {
    const rest = properties === undefined ? inner : inner.slice(properties.length);
    return `${content.slice(0, start)}${tag}<w:pPr>${setup}</w:pPr>${rest}`;
  }
  const end = inner.search(/<w:pPrChange\b|<\/w:pPr\s*>/);
  return `${content.slice(0, start)}${tag}${inner.slice(0, end)}${setup}${inner.slice(end)}`;
}
