import { UnknownFeature } from '../unknown-feature.ts';
import { nothing } from './attempt.ts';
import { nothingInherited, readParagraphFormat } from './paragraph-format.ts';
import type { Numbering } from './read-numbering.ts';
import { type FormatContext, readRunFormat } from './run-format.ts';
import type { NumberingReference, ParagraphFormat, RunFormat } from './tree.ts';
import { childOf, type XmlElement } from './xml-element.ts';

/** The formats of a style, including everything it inherits. */
export interface StyleFormats {
  readonly paragraph: ParagraphFormat;
  /** The part of `paragraph` that comes from styles, not from the document defaults. */
  readonly ownParagraph: Partial<ParagraphFormat>;
  readonly run: RunFormat;
  /** The part of `run` that comes from styles. */
  readonly ownRun: Partial<RunFormat>;
}

/**
 * The styles of a document (ECMA-376 part 1, 17.7). Each method throws UnknownFeature for a style that is not fully
 * supported.
 */
export interface StyleSheet {
  /** The id of the default paragraph style. */
  readonly defaultParagraph: string;
  paragraphStyle(id: string): StyleFormats;
  /**
   * The default style without the properties that a table style overrides, unless the document's settings forbid it.
   */
  readonly yieldingStyle: StyleFormats;
  /**
   * The elements of a table style (the default one if there is no id) and of the styles it is based on, from base to
   * derived.
   */
  tableStyles(id: string | undefined): readonly XmlElement[];
  /** The format of a character style with everything it inherits, as the run properties of a paragraph style use it. */
  characterStyle(id: string): Partial<RunFormat>;
  /** The format that run properties set, including their character style (17.3.2). */
  runFormat(properties: XmlElement | undefined): Partial<RunFormat>;
  /** The name of a style; for Word's built-in styles it is in English. */
  nameOf(id: string): string | undefined;
  /** The id of the paragraph style with this name. Throws UnknownFeature if the name differs only in case. */
  paragraphStyleOf(name: string): string | undefined;
}

interface Style {
  readonly type: string;
  readonly basedOn: string | undefined;
  readonly element: XmlElement;
}

const longestChain = 20;

/** Without any properties (17.7.5), LibreOffice uses Times New Roman at 10 points, as Word does. */
const plainRun: RunFormat = {
  family: 'Times New Roman',
  halfPoints: 20,
  isBold: false,
  isItalic: false,
  underline: 'none',
  isStruck: false,
  color: undefined,
  shading: undefined,
  highlight: undefined,
  isUpperCase: false,
  isHidden: false,
  position: 'baseline',
  isKerned: false,
  spacing: 0,
};
const plainParagraph: ParagraphFormat = {
  alignment: 'left',
  before: 0,
  after: 0,
  hasAutoBefore: false,
  hasAutoAfter: false,
  line: 240,
  lineRule: 'auto',
  left: 0,
  right: 0,
  firstLine: 0,
  tabs: [],
  hasContextualSpacing: false,
  hasWidowControl: false,
  keepsLines: false,
  keepsWithNext: false,
  breaksPageBefore: false,
  keepsWords: false,
  shading: undefined,
  borderTop: undefined,
  borderBottom: undefined,
  borderLeft: undefined,
  borderRight: undefined,
  outlineLevel: undefined,
  numbering: { id: '0', level: 0 },
};

/** Reads the root of the styles part. A document without this part has only defaults. */
export function readStyleSheet(root: XmlElement | undefined, numbering: Numbering, context: FormatContext): StyleSheet {
  const styles = new Map<string, Style>();
  let [defaultParagraph, normal] = ['', ''];
  let defaultCharacter = '';
  let defaultTable = '';
  for (const element of root?.children ?? []) {
    if (element.name !== 'w:style') continue;
    const [id, type] = [element.attributes.get('w:styleId') ?? '', element.attributes.get('w:type') ?? ''];
    styles.set(id, { type, element, basedOn: childOf(element, 'w:basedOn')?.attributes.get('w:val') });
    if (type === 'paragraph' && childOf(element, 'w:name')?.attributes.get('w:val') === 'Normal') normal = id;
    if (!/^(?:1|true|on)$/.test(element.attributes.get('w:default') ?? '')) continue;
    if (type === 'paragraph') defaultParagraph = id;
    if (type === 'character') defaultCharacter = id;
    if (type === 'table') defaultTable = id;
  }
  // LibreOffice uses the style of this name as its own default style.
  if (defaultParagraph === '') defaultParagraph = normal;
  const { attempt } = context;
  attempt(() => requireDefaultStyle(defaultParagraph), nothing);
  const defaults = readDefaults(root, context);
  const paragraphs = new Map<string, StyleFormats>();
  const characters = new Map<string, Partial<RunFormat>>();

  /**
   * A table style overrides the size of the default style if that is 11 or 12 points, and its alignment if that is left
   * (`DomainMapperTableHandler::ApplyParagraphPropertiesFromTableStyle`).
   */
  function yieldingStyle(): StyleFormats {
    const made = paragraphStyle(defaultParagraph, 0);
    const { halfPoints, ...ownRun } = made.ownRun;
    const { alignment, ...ownParagraph } = made.ownParagraph;
    const yieldsSize = halfPoints === 22 || halfPoints === 24;
    const yieldsAlignment = alignment === 'left';
    return {
      paragraph: yieldsAlignment ? { ...made.paragraph, alignment: defaults.paragraph.alignment } : made.paragraph,
      ownParagraph: yieldsAlignment ? ownParagraph : made.ownParagraph,
      run: yieldsSize ? { ...made.run, halfPoints: defaults.run.halfPoints } : made.run,
      ownRun: yieldsSize ? ownRun : made.ownRun,
    };
  }
  let yielding: StyleFormats | undefined;

  function styleOf(id: string, type: string, depth: number): Style | undefined {
    const style = styles.get(id);
    if (depth > longestChain) throw new UnknownFeature('a long chain of styles');
    return style?.type === type ? style : undefined;
  }

  function paragraphStyle(id: string, depth: number): StyleFormats {
    const known = paragraphs.get(id);
    if (known !== undefined) return known;
    const style = styleOf(id, 'paragraph', depth);
    if (style === undefined) {
      if (id !== defaultParagraph) {
        attempt(() => requireUnknownName(id), nothing);
        return paragraphStyle(defaultParagraph, depth + 1);
      }
      return defaults;
    }
    const { basedOn } = style;
    attempt(() => requireBase(styles, basedOn), nothing);
    const base = basedOn === undefined ? defaults : paragraphStyle(basedOn, depth + 1);
    const own = readParagraphFormat(childOf(style.element, 'w:pPr'), base.paragraph, attempt);
    attempt(() => requireKnownList(base.paragraph.numbering, own.numbering), nothing);
    const ofList = own.numbering && numbering.levelOf(own.numbering.id, own.numbering.level)?.paragraph;
    const ownRun = { ...base.ownRun, ...readRunFormat(childOf(style.element, 'w:rPr'), context) };
    const made = {
      paragraph: { ...base.paragraph, ...ofList, ...own },
      ownParagraph: { ...base.ownParagraph, ...ofList, ...own },
      run: { ...base.run, ...ownRun },
      ownRun,
    };
    paragraphs.set(id, made);
    return made;
  }

  function characterStyle(id: string, depth: number): Partial<RunFormat> {
    const known = characters.get(id);
    if (known !== undefined) return known;
    const style = styleOf(id, 'character', depth);
    if (style === undefined) return {};
    const base = style.basedOn === undefined ? {} : characterStyle(style.basedOn, depth + 1);
    const made = { ...base, ...readRunFormat(childOf(style.element, 'w:rPr'), context) };
    characters.set(id, made);
    return made;
  }

  /** Keyed by the properties: those with the same text share one element. */
  const runs = new WeakMap<XmlElement, Partial<RunFormat>>();
  const noProperties: Partial<RunFormat> = {};

  function runFormat(properties: XmlElement | undefined): Partial<RunFormat> {
    if (properties === undefined) return noProperties;
    const known = runs.get(properties);
    if (known !== undefined) return known;
    const style = childOf(properties, 'w:rStyle')?.attributes.get('w:val');
    const own = readRunFormat(properties, context);
    const format = style === undefined ? own : { ...characterStyle(style, 0), ...own };
    runs.set(properties, format);
    return format;
  }

  function tableStyles(id: string, depth: number): readonly XmlElement[] {
    const style = styleOf(id, 'table', depth);
    if (style === undefined) return [];
    return [...(style.basedOn === undefined ? [] : tableStyles(style.basedOn, depth + 1)), style.element];
  }

  attempt(() => requirePlain(characterStyle(defaultCharacter, 0)), nothing);
  return {
    defaultParagraph,
    paragraphStyle: (id) => paragraphStyle(id, 0),
    get yieldingStyle() {
      yielding ??= yieldingStyle();
      return yielding;
    },
    characterStyle: (id) => characterStyle(id, 0),
    runFormat,
    nameOf(id) {
      const element = styles.get(id)?.element;
      return element && childOf(element, 'w:name')?.attributes.get('w:val');
    },
    paragraphStyleOf(name) {
      for (const [id, { type, element }] of styles) {
        const own = childOf(element, 'w:name')?.attributes.get('w:val') ?? '';
        if (type !== 'paragraph' || own.toLowerCase() !== name) continue;
        if (own !== name) throw new UnknownFeature(`a style with the name ${own}`);
        return id;
      }
      return undefined;
    },
    tableStyles: (id) => tableStyles(id ?? defaultTable, 0),
  };
}

/** Ids that LibreOffice mistakes for its own built-in styles if the document has no style with the id. */
const ownStyles: ReadonlySet<string> = new Set(
  (
    'BodyText BodyTextIndent Caption caption Closing Drawing Figure Heading Illustration List Subtitle Table Text ' +
    'Title TOCHeading'
  ).split(' '),
);

function requireUnknownName(id: string): void {
  if (ownStyles.has(id) || id.includes(' ')) throw new UnknownFeature('a missing style that LibreOffice has');
}

/** If the base of a style is missing, LibreOffice does not fall back to the default style. */
function requireBase(styles: ReadonlyMap<string, Style>, basedOn: string | undefined): void {
  if (basedOn !== undefined && styles.get(basedOn)?.type !== 'paragraph')
    throw new UnknownFeature('a style based on a missing one');
}

function requireDefaultStyle(id: string): void {
  if (id === '') throw new UnknownFeature('a document without a default style');
}

function requirePlain(defaultCharacter: Partial<RunFormat>): void {
  if (Object.keys(defaultCharacter).length > 0) throw new UnknownFeature('a default character style with properties');
}

/**
 * Throws UnknownFeature for styles based on a style with a list or level, because LibreOffice removes some of them from
 * the list.
 */
function requireKnownList(base: NumberingReference, own: NumberingReference | undefined): void {
  const isInList = own !== undefined && own.id !== '0';
  const isBasedOnList = base.id !== '0';
  if (base.level > 0 ? isBasedOnList || isInList : isBasedOnList && isInList)
    throw new UnknownFeature('a style of a list based on another one');
}

/** `w:docDefaults` (17.7.5.1). In LibreOffice, paragraph defaults in a document turn widow control on by default. */
function readDefaults(root: XmlElement | undefined, context: FormatContext): StyleFormats {
  const defaults = root && childOf(root, 'w:docDefaults');
  const run = defaults && childOf(defaults, 'w:rPrDefault');
  context.attempt(() => requireDefaults(run), nothing);
  const paragraph = defaults && childOf(defaults, 'w:pPrDefault');
  const format = readParagraphFormat(paragraph && childOf(paragraph, 'w:pPr'), nothingInherited, context.attempt);
  context.attempt(() => requireNoAutoSpacing(format), nothing);
  return {
    paragraph: { ...plainParagraph, hasWidowControl: paragraph !== undefined, ...format },
    ownParagraph: {},
    run: { ...plainRun, ...readRunFormat(run && childOf(run, 'w:rPr'), context) },
    ownRun: {},
  };
}

function requireNoAutoSpacing({ hasAutoBefore, hasAutoAfter }: Partial<ParagraphFormat>): void {
  if (hasAutoBefore === true || hasAutoAfter === true) throw new UnknownFeature('automatic space by default');
}

/** LibreOffice uses its own defaults for a document without any. */
function requireDefaults(run: XmlElement | undefined): void {
  if (run === undefined) throw new UnknownFeature('a document without default formats');
}
