import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import { type DocxPackage, openPackage } from '../package/open-package.ts';
import { writePackage } from '../package/write-package.ts';
import { fieldLanguage } from './format-number.ts';
import { factsOfPages, fieldMark, framesOfSections, type LaidOutPages } from './page-facts.ts';
import { isStory } from './update-document.ts';
import { mayHaveComputedFields, updateFields } from './update-fields.ts';

/** A form of a document whose headers and footers are right on some of its pages. */
export interface PageVariant {
  readonly docx: Buffer;
  /** Counted from 1. */
  readonly pages: readonly number[];
}

export interface PageVariants {
  /** Those of most pages first. */
  readonly variants: readonly PageVariant[];
  /** The number of pages that no variant is right for, because there are too many. */
  readonly wrongPages: number;
}

const maxVariants = 20;

/**
 * Computes the fields of a document that depend on its pages, after it was laid out once. Headers and footers show the
 * same on all pages of a document, so each different content of them makes another variant of the document.
 */
export function pageVariants(bytes: Uint8Array, laidOut: LaidOutPages, locale: string): PageVariants {
  const source = openPackage(bytes);
  const language = fieldLanguage(locale);
  const textOf = (name: string): string => source.readText(name) ?? '';
  const body = textOf(source.mainPart);
  const facts = factsOfPages(body, laidOut);
  const countsPages = facts[0]?.pages !== laidOut.pages + laidOut.pagesAfterBlank.length;
  const hasFields = (xml: string): boolean => mayHaveComputedFields(xml) || (countsPages && /\bNUMPAGES\b/i.test(xml));
  const parts = source.partNames.filter((name) => isStory(source, name) && hasFields(textOf(name)));
  const update = (name: string, pageOf: (index: number) => (typeof facts)[number] | undefined): string => {
    const xml = textOf(name);
    const isBody = name === source.mainPart;
    const known = { language, fileName: undefined, isBody, countsPages };
    const found = updateFields(xml, { facts: known, replaces: true, pageOf });
    return found.xml ?? xml;
  };
  const margins = parts.filter((name) => name !== source.mainPart);
  const shown = marginsOfSections(source, body, new Set(margins));
  const found: Variant[] = [];
  let lost = 0;
  for (const [index, page] of facts.entries()) {
    const contents = new Map((shown[page.section - 1] ?? []).map((name) => [name, update(name, () => page)]));
    const known = found.find((variant) => fits(contents, variant));
    for (const [name, content] of contents) known?.contents.set(name, content);
    if (known !== undefined) known.pages.push(index + 1);
    else if (found.length < mostTried) found.push({ contents, pages: [index + 1] });
    else lost++;
  }
  const ordered = found.sort((a, b) => b.pages.length - a.pages.length);
  const changedBody = parts.includes(source.mainPart)
    ? [[source.mainPart, Buffer.from(update(source.mainPart, (index) => inBody(index)))] as const]
    : [];
  const variants = ordered.slice(0, maxVariants).map(({ contents, pages }) => {
    const changes = [...contents].map(([name, content]) => [name, Buffer.from(content)] as const);
    const docx = writePackage(source, new Map([...changedBody, ...changes]), { compression: 'store' });
    return { docx, pages };
  });
  const wrongPages = ordered.slice(maxVariants).reduce((sum, { pages }) => sum + pages.length, lost);
  return { variants, wrongPages };

  function inBody(index: number): (typeof facts)[number] | undefined {
    const page = laidOut.marks[fieldMark(index)] ?? 1;
    return facts[page - 1] ?? facts.at(-1);
  }
}

interface Variant {
  /** The contents of the headers and footers on its pages, by part name. */
  readonly contents: Map<string, string>;
  readonly pages: number[];
}

/**
 * The number of variants that a page is compared with. Without a limit, the time would grow with the square of the
 * pages.
 */
const mostTried = 10 * maxVariants;

/**
 * Whether a variant can also take these contents: none of them differs from its own. Pages of other sections show other
 * headers.
 */
function fits(contents: ReadonlyMap<string, string>, variant: Variant): boolean {
  return [...contents].every(([name, content]) => (variant.contents.get(name) ?? content) === content);
}

/** The headers and footers with fields, for each section. */
function marginsOfSections(
  source: DocxPackage,
  body: string,
  margins: ReadonlySet<string>,
): readonly (readonly string[])[] {
  const relationships = readRelationships(source.readText(relationshipsPartOf(source.mainPart)) ?? '');
  const names = new Map(
    relationships.flatMap(({ id, target, isExternal }) => {
      const part = isExternal ? undefined : source.entry(resolveTarget(source.mainPart, target))?.name;
      return part === undefined || !margins.has(part) ? [] : [[id, part] as const];
    }),
  );
  return framesOfSections(body).map((ids) => ids.flatMap((id) => names.get(id) ?? []));
}
