import { resolveTarget } from '@docmill/word/relationships';
import type { Delimiters } from '../../../../shared/template-syntax.ts';
import { type Composition, type IncludedFiles, IncludesNeeded, type Inclusion } from '../../core/inclusion.ts';
import { hasDefaultDelimiters } from '../../language/delimiters.ts';
import { checkExpression } from '../../language/expressions/parse-tag-text.ts';
import { type DocxPackage, openPackage } from '../../package/open-package.ts';
import { findIncludeTags, type IncludeTag, mayInclude } from './find-tags.ts';
import { includeError } from './include-error.ts';
import { IncludedTemplate } from './included-template.ts';
import { IncludingTemplate } from './including-template.ts';
import { hasEvenPages, type PageFrames, readFrames, withEvenPages, withFrames } from './letterhead.ts';
import { includeLimits } from './limits.ts';
import { PrefixConflict } from './namespaces.ts';
import { type Body, findSections, lastElement, readBody, withoutSections } from './read-body.ts';

/**
 * Replaces the include tags of a template with the content of the other templates. A style whose name exists takes the
 * including template's definition; lists, notes, bookmarks and parts get new ids. Throws IncludesNeeded without
 * `files`, and `template_invalid` for a template that includes itself, an unknown template, or an exceeded limit. Only
 * templates with braces as delimiters can include others.
 */
export function replaceIncludeTags(
  source: DocxPackage,
  files: IncludedFiles | undefined,
  delimiters: Delimiters,
): Composition {
  if (!hasDefaultDelimiters(delimiters)) return { source, sizeBytes: 0, inclusions: [], templates: [] };
  const composer = new Composer(files);
  const { source: composed, sizeBytes, templates } = composer.compose(source, []);
  return { source: composed, sizeBytes, inclusions: composer.inclusions, templates };
}

interface Composed {
  readonly source: DocxPackage;
  readonly sizeBytes: number;
  readonly templates: readonly string[];
  /** Number of tags that were replaced, also in included templates. */
  readonly tags: number;
}

class Composer {
  readonly inclusions: Inclusion[] = [];
  readonly #files: IncludedFiles | undefined;
  readonly #composed = new Map<string, Composed>();
  #partBytes = 0;
  #chars = 0;

  constructor(files: IncludedFiles | undefined) {
    this.#files = files;
  }

  /** `path`: the templates around this one, outermost first, ending with itself. */
  compose(source: DocxPackage, path: readonly string[]): Composed {
    const xml = source.readText(source.mainPart) ?? '';
    const unchanged = { source, sizeBytes: 0, templates: [], tags: 0 };
    if (!mayInclude(xml)) return unchanged;
    const tags = findIncludeTags(xml);
    const body = readBody(xml);
    if (tags.length === 0 || body === undefined) return unchanged;
    if (this.#files === undefined) throw new IncludesNeeded(templatesOf(tags));
    const target = new IncludingTemplate(source, xml, (chars) => this.#countChars(chars));
    return this.#replaceTags({ target, body, tags, path });
  }

  #replaceTags({ target, body, tags, path }: Job): Composed {
    const known = new Map<string, IncludedTemplate>();
    let count = 0;
    let letterhead: string | undefined;
    for (const tag of tags) {
      const place = { written: tag.written, path };
      const child = this.#open(tag, path);
      count += 1 + child.tags;
      if (count > includeLimits.tags)
        throw includeError(place, `is one of more than ${includeLimits.tags}`, 'include fewer templates');
      checkScope(tag, path);
      const included = known.get(tag.template) ?? this.#included(child.source, target);
      known.set(tag.template, included);
      if (tag.kind === 'letterhead') {
        if (letterhead !== undefined)
          throw includeError(place, `is a second letterhead, after ${letterhead}`, 'keep one letterhead');
        letterhead = tag.written;
        this.#setLetterhead(target, body, included, tag);
      }
      const content = tag.kind === 'letterhead' ? '' : this.#contentOf(included, tag, target);
      replaceParagraph(target, tag, content);
    }
    try {
      return { ...target.finish(), templates: templatesOf(tags), tags: count };
    } catch (error) {
      if (!(error instanceof PrefixConflict)) throw error;
      const [first] = tags;
      const hint = 'save both templates in Word as "Word Document (*.docx)", not as "Strict Open XML Document"';
      throw includeError({ written: first?.written ?? '', path }, 'and its template differ in their form of XML', hint);
    }
  }

  #included(source: DocxPackage, target: IncludingTemplate): IncludedTemplate {
    const xml = source.readText(source.mainPart) ?? '';
    return new IncludedTemplate(source, xml, target, (bytes) => this.#countBytes(bytes));
  }

  #open({ template, written }: IncludeTag, path: readonly string[]): Composed {
    const place = { written, path };
    if (path.includes(template))
      throw includeError(place, `includes itself: ${[...path, template].join(', ')}`, 'remove one of the tags');
    if (path.length >= includeLimits.depth) {
      const problem = `is in more than ${includeLimits.depth} levels of included templates`;
      throw includeError(place, problem, 'include the template from an outer one');
    }
    const known = this.#composed.get(template);
    if (known !== undefined) return known;
    const file = this.#files?.get(template);
    if (file === undefined)
      throw includeError(place, 'names a template that was not resolved', 'upload the template again');
    const composed = this.compose(openPackage(file), [...path, template]);
    this.#composed.set(template, composed);
    return composed;
  }

  #number({ template, scope }: IncludeTag, isScopeOptional: boolean): number {
    return this.inclusions.push({ template, scope, isScopeOptional }) - 1;
  }

  #contentOf(included: IncludedTemplate, tag: IncludeTag, target: IncludingTemplate): string {
    const xml = included.source.readText(included.source.mainPart) ?? '';
    const body = readBody(xml);
    if (body === undefined) return '';
    const markup = withoutSections(body);
    // Notes are filled where the content refers to them, with its data.
    const numbers = { content: this.#number(tag, false), notes: this.#number({ ...tag, scope: undefined }, false) };
    const content = included.content(markup, numbers);
    const { section, start, end } = tag;
    const [before, after] = [target.xml.slice(0, start).trimEnd(), target.xml.slice(end).trimStart()];
    // Word joins two tables that have no paragraph in between.
    const isBelowTable = before.endsWith('</w:tbl>') && markup.trimStart().startsWith('<w:tbl');
    const isAboveTable = lastElement(markup) === 'w:tbl' && section === undefined && !/^<w:p[\s>]/.test(after);
    return `${isBelowTable ? '<w:p/>' : ''}${content}${isAboveTable ? '<w:p/>' : ''}`;
  }

  /** Gives all sections of a template the headers, footers and margins of the letterhead's last section. */
  #setLetterhead(target: IncludingTemplate, body: Body, included: IncludedTemplate, tag: IncludeTag): void {
    const { source } = included;
    const own = readBody(source.readText(source.mainPart) ?? '');
    const found = readFrames(own?.lastSection ?? '');
    const frames = found.frames.flatMap((frame) => {
      const relationship = included.parts.relationshipsOf(source.mainPart).get(frame.id);
      if (relationship === undefined || relationship.isExternal) return [];
      const part = included.copyFrame(resolveTarget(source.mainPart, relationship.target), this.#number(tag, true));
      if (part === undefined) return [];
      return [{ ...frame, id: target.additions.relate(target.source.mainPart, relationship.type, { part }) }];
    });
    setFrames(target, body, { ...found, frames });
    setEvenPages(target, included);
  }

  #countBytes(bytes: number): void {
    this.#partBytes += bytes;
    if (this.#partBytes <= includeLimits.partBytes) return;
    const limit = `${includeLimits.partBytes / 1024 / 1024} MB`;
    throw includeError(
      anyTag,
      `and others bring more than ${limit} of pictures and other parts`,
      'use smaller pictures',
    );
  }

  #countChars(chars: number): void {
    this.#chars += chars;
    if (this.#chars <= includeLimits.markupChars) return;
    const limit = `${includeLimits.markupChars / 1024 / 1024} MB`;
    const hint = 'include fewer or smaller templates';
    throw includeError(anyTag, `and others bring more than ${limit} of text, styles and lists, as XML`, hint);
  }
}

const anyTag = { written: '{include …}', path: [] };

const templatesOf = (tags: readonly IncludeTag[]): readonly string[] => [
  ...new Set(tags.map(({ template }) => template)),
];

interface Job {
  readonly target: IncludingTemplate;
  readonly body: Body;
  readonly tags: readonly IncludeTag[];
  readonly path: readonly string[];
}

/** Replaces the paragraph of a tag; the page setup that it carries stays. A cell keeps a paragraph. */
function replaceParagraph(
  { xml, edits }: IncludingTemplate,
  { start, end, section }: IncludeTag,
  content: string,
): void {
  const isNeeded = /<w:(?:tc|sdtContent)(?:\s[^>]*)?>$|<\/w:tcPr\s*>$/.test(xml.slice(Math.max(0, start - 500), start));
  const isLast = /^\s*<\/w:(?:tc|sdtContent)\s*>/.test(xml.slice(end, end + 500));
  if (section === undefined) edits.replace(start, end, content === '' && isNeeded && isLast ? '<w:p/>' : content);
  else {
    edits.replace(start, section.start, `${content}<w:p><w:pPr>`);
    edits.replace(section.end, end, '</w:pPr></w:p>');
  }
}

function checkScope({ scope, written }: IncludeTag, path: readonly string[]): void {
  const problem = scope === undefined ? undefined : checkExpression(scope);
  if (problem?.message === undefined) return;
  throw includeError(
    { written, path },
    `is not valid: ${problem.message}`,
    problem.hint ?? 'write the name of an object',
  );
}

function setFrames({ edits, additions }: IncludingTemplate, body: Body, frames: PageFrames): void {
  const { isStrict } = additions;
  let isFirstSection = true;
  for (const { start, end } of findSections(body.content)) {
    const section = body.content.slice(start, end);
    edits.replace(body.start + start, body.start + end, withFrames(section, { ...frames, isStrict, isFirstSection }));
    isFirstSection = false;
  }
  const last = body.lastSection === '' ? '<w:sectPr/>' : body.lastSection;
  edits.replace(
    body.end,
    body.end + body.lastSection.length,
    withFrames(last, { ...frames, isStrict, isFirstSection }),
  );
}

function setEvenPages(target: IncludingTemplate, { source }: IncludedTemplate): void {
  const ofLetterhead = source.partNames.find((name) => source.contentType(name)?.endsWith('.settings+xml'));
  const isWanted = hasEvenPages((ofLetterhead && source.readText(ofLetterhead)) ?? '');
  const settings = target.partOf('settings');
  const xml = (settings && target.source.readText(settings)) ?? '';
  if (settings === undefined || hasEvenPages(xml) === isWanted) return;
  target.change(settings, withEvenPages(xml, isWanted));
}
