import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, decodeEntities, readAttributes, scanXmlTags, type XmlTag } from '@docmill/word/xml-tokens';
import { isTemplatedPart } from '../../core/compile/templated-parts.ts';
import { stylesPartOf, withStyle } from '../../core/styles/template-styles.ts';
import type { DocxPackage } from '../../package/open-package.ts';

/**
 * Gives every run of a link a character style, an empty one if the template has none, and returns the changed parts.
 * Without a character style, LibreOffice writes no link into the PDF.
 */
export function keepLinkAnnotations(source: DocxPackage): ReadonlyMap<string, Buffer> {
  const parts = source.partNames.filter((name) => isTemplatedPart(source, name));
  const linked = parts.flatMap((name) => {
    const xml = source.readText(name) ?? '';
    return /hyperlink/i.test(xml) ? [{ name, xml }] : [];
  });
  if (linked.length === 0) return new Map();
  const styles = readStyles(source);
  if (styles === undefined) return new Map();
  const changes = new Map<string, Buffer>();
  for (const { name, xml } of linked) {
    const styled = styleLinkedRuns(xml, styles);
    if (styled !== undefined) changes.set(name, Buffer.from(styled));
  }
  if (changes.size === 0) return changes;
  const { plainId } = styles;
  const style = `<w:style w:type="character" w:customStyle="1" w:styleId="${plainId}"><w:name w:val="${plainId}"/></w:style>`;
  for (const [name, bytes] of withStyle(source, style)) changes.set(name, bytes);
  return changes;
}

function readStyles(source: DocxPackage): LinkStyles | undefined {
  const part = stylesPartOf(source);
  if (part === undefined) return undefined;
  const xml = source.readText(part) ?? '';
  const characterIds = new Set<string>();
  const usedNames = new Set<string>();
  scanXmlTags(xml, (tag) => {
    if (tag.kind === 'close') return;
    if (tag.local === 'name') usedNames.add(attributeOf(xml, tag, 'val') ?? '');
    if (tag.local !== 'style') return;
    const id = attributeOf(xml, tag, 'styleId') ?? '';
    usedNames.add(id);
    if (attributeOf(xml, tag, 'type') === 'character') characterIds.add(id);
  });
  let plainId = 'PlainLink';
  for (let number = 2; usedNames.has(plainId); number++) plainId = `PlainLink${number}`;
  return { characterIds, plainId };
}

interface LinkStyles {
  readonly characterIds: ReadonlySet<string>;
  /** The empty style for runs without one. */
  readonly plainId: string;
}

interface OpenProperties {
  readonly start: number;
  depth: number;
  isStyled: boolean;
}

/** Gives each run of a link a character style; undefined if all have one. */
function styleLinkedRuns(xml: string, { characterIds, plainId }: LinkStyles): string | undefined {
  const edits = new TextEdits();
  const scope = new LinkScope(xml);
  const plain = `<w:rStyle w:val="${plainId}"/>`;
  let runEnd = -1;
  let properties: OpenProperties | undefined;
  const readStyle = (tag: XmlTag) => {
    const value = readAttributes(xml, tag).find(({ local }) => local === 'val');
    if (value !== undefined && !characterIds.has(value.value))
      edits.replace(value.start, value.end, `w:val="${plainId}"`);
  };
  scanXmlTags(xml, (tag) => {
    if (properties !== undefined) {
      // A tracked change contains the former properties, which are skipped.
      if (tag.local === 'rPr') properties.depth += tag.kind === 'open' ? 1 : tag.kind === 'close' ? -1 : 0;
      if (properties.depth === 0) {
        if (!properties.isStyled) edits.replace(properties.start, properties.start, plain);
        properties = undefined;
      } else if (tag.local === 'rStyle' && tag.kind !== 'close' && properties.depth === 1) {
        properties.isStyled = true;
        readStyle(tag);
      }
      return;
    }
    if (runEnd >= 0) {
      if (tag.local !== 'rPr') edits.replace(runEnd, runEnd, `<w:rPr>${plain}</w:rPr>`);
      else if (tag.kind === 'empty') edits.replace(tag.start, tag.end, `<w:rPr>${plain}</w:rPr>`);
      else properties = { start: tag.end, depth: 1, isStyled: false };
      runEnd = -1;
    }
    scope.visit(tag);
    if (scope.isInside && isRun(xml, tag)) runEnd = tag.end;
  });
  return edits.isEmpty ? undefined : edits.apply(xml);
}

function isRun(xml: string, { local, kind, start }: XmlTag): boolean {
  return local === 'r' && kind === 'open' && xml.startsWith('<w:', start);
}

interface OpenField {
  instruction: string;
  isLink: boolean;
}

const isLink = (instruction: string) => /^\s*HYPERLINK\b/i.test(instruction);

/** Tracks the links of one part: hyperlinks, and the results of HYPERLINK fields. */
class LinkScope {
  readonly #xml: string;
  readonly #fields: OpenField[] = [];
  readonly #simpleFields: boolean[] = [];
  #links = 0;
  #textStart = -1;

  constructor(xml: string) {
    this.#xml = xml;
  }

  /** Whether the current position is inside a link. */
  get isInside(): boolean {
    return this.#links > 0;
  }

  visit(tag: XmlTag): void {
    if (tag.local === 'hyperlink') {
      if (tag.kind !== 'empty') this.#links += tag.kind === 'open' ? 1 : -1;
    } else if (tag.local === 'fldSimple') this.#simpleField(tag);
    else if (tag.local === 'instrText') this.#instruction(tag);
    else if (tag.local === 'fldChar' && tag.kind !== 'close')
      this.#fieldChar(attributeOf(this.#xml, tag, 'fldCharType'));
  }

  #simpleField(tag: XmlTag): void {
    if (tag.kind === 'open') {
      const links = isLink(attributeOf(this.#xml, tag, 'instr') ?? '');
      this.#simpleFields.push(links);
      if (links) this.#links++;
    } else if (tag.kind === 'close' && this.#simpleFields.pop() === true) this.#links--;
  }

  #instruction(tag: XmlTag): void {
    const field = this.#fields.at(-1);
    if (tag.kind === 'open') this.#textStart = tag.end;
    else if (tag.kind === 'close' && field !== undefined)
      field.instruction += decodeEntities(this.#xml.slice(this.#textStart, tag.start));
  }

  #fieldChar(type: string | undefined): void {
    const field = this.#fields.at(-1);
    if (type === 'begin') this.#fields.push({ instruction: '', isLink: false });
    else if (type === 'separate' && field !== undefined && !field.isLink && isLink(field.instruction)) {
      field.isLink = true;
      this.#links++;
    } else if (type === 'end' && this.#fields.pop()?.isLink === true) this.#links--;
  }
}
