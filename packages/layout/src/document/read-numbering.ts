import { UnknownFeature } from '../unknown-feature.ts';
import { nothing } from './attempt.ts';
import { nothingInherited, readParagraphFormat } from './paragraph-format.ts';
import { type FormatContext, readRunFormat } from './run-format.ts';
import type { ParagraphFormat, RunFormat } from './tree.ts';
import { allowAttributes, childOf, wholeNumber, type XmlElement } from './xml-element.ts';

/** A level of a list (ECMA-376 part 1, 17.9.6). */
export interface ListLevel {
  /** Levels with the same key share one numbering. */
  readonly list: string;
  readonly start: number;
  /**
   * The number of the first paragraph with this `w:numId`, wherever it is in the list (17.9.26); undefined to continue
   * the numbering.
   */
  readonly restart: number | undefined;
  /** Whether its labels show the numbers of all levels as decimals (17.9.4). */
  readonly isLegal: boolean;
  readonly numberFormat: string;
  /** The text of its labels, with `%1` as the placeholder for the number of the first level. */
  readonly text: string;
  readonly suffix: 'tab' | 'space' | 'nothing';
  /**
   * The position at which the level asks for its text to begin, in addition to the indent; undefined if there is none.
   */
  readonly tabPosition: number | undefined;
  readonly paragraph: Partial<ParagraphFormat>;
  readonly run: Partial<RunFormat>;
}

export interface Numbering {
  /**
   * The level of a list by its `w:numId`; undefined for a missing list. Throws UnknownFeature for an unsupported one.
   */
  levelOf(id: string, level: number): ListLevel | undefined;
}

/** LibreOffice restarts a level below each paragraph of a higher level, whatever `w:lvlRestart` says. */
const known: ReadonlySet<string> = new Set(
  'w:start w:numFmt w:lvlText w:lvlJc w:pPr w:rPr w:suff w:pStyle w:lvlRestart w:isLgl'.split(' '),
);
const inParagraph: ReadonlySet<string> = new Set(['w:ind', 'w:tabs', 'w:spacing', 'w:contextualSpacing']);

/** Reads the root of the numbering part (17.9.16). A document without this part has no lists. */
export function readNumbering(root: XmlElement | undefined, context: FormatContext): Numbering {
  const abstracts = new Map<string, XmlElement>();
  const lists = new Map<string, XmlElement>();
  for (const element of root?.children ?? []) {
    if (element.name === 'w:abstractNum') abstracts.set(element.attributes.get('w:abstractNumId') ?? '', element);
    if (element.name === 'w:num') lists.set(element.attributes.get('w:numId') ?? '', element);
  }
  const levels = new Map<string, ListLevel | undefined>();

  function read(id: string, level: number): ListLevel | undefined {
    const list = lists.get(id);
    if (list === undefined) return undefined;
    const key = childOf(list, 'w:abstractNumId')?.attributes.get('w:val') ?? '';
    const abstract = abstracts.get(key);
    for (const name of ['w:numStyleLink', 'w:styleLink'])
      if (abstract !== undefined && childOf(abstract, name) !== undefined) throw new UnknownFeature(name);
    const element = abstract && levelIn(abstract, 'w:lvl', level);
    const override = levelIn(list, 'w:lvlOverride', level);
    const own = override && childOf(override, 'w:lvl');
    // LibreOffice inherits missing values from the level that is replaced.
    if (own !== undefined && (element === undefined || !saysAllOf(own, element)))
      throw new UnknownFeature('a list with a part of another level');
    const start = override && childOf(override, 'w:startOverride');
    const restart = start && wholeNumber(start, 'w:val', 0, 32_767);
    const shown = own ?? element;
    return shown && { ...readLevel(shown, key, context), restart };
  }

  return {
    levelOf(id, level) {
      const key = `${id} ${level}`;
      if (!levels.has(key))
        levels.set(
          key,
          context.attempt(() => read(id, level), nothing),
        );
      return levels.get(key);
    },
  };
}

function levelIn(list: XmlElement, name: string, level: number): XmlElement | undefined {
  return list.children.find((child) => child.name === name && child.attributes.get('w:ilvl') === String(level));
}

/** Whether an element has all children of another one, with all of their attributes, regardless of the values. */
function saysAllOf(element: XmlElement, other: XmlElement): boolean {
  return other.children.every((child) => {
    const own = childOf(element, child.name);
    return (
      own !== undefined && [...child.attributes.keys()].every((key) => own.attributes.has(key)) && saysAllOf(own, child)
    );
  });
}

function readLevel(element: XmlElement, list: string, context: FormatContext): Omit<ListLevel, 'restart'> {
  for (const child of element.children) if (!known.has(child.name)) throw new UnknownFeature(`${child.name} of a list`);
  const settingOf = (name: string): string | undefined => childOf(element, name)?.attributes.get('w:val');
  if (!/^(?:left|start)$/.test(settingOf('w:lvlJc') ?? 'left'))
    throw new UnknownFeature('labels that are centred or right');
  const suffix = settingOf('w:suff') ?? 'tab';
  if (suffix !== 'tab' && suffix !== 'space' && suffix !== 'nothing') throw new UnknownFeature(`w:suff ${suffix}`);
  const start = childOf(element, 'w:start');
  const text = childOf(element, 'w:lvlText');
  if (text !== undefined) allowAttributes(text, 'w:val');
  const properties = childOf(element, 'w:pPr');
  for (const child of properties?.children ?? [])
    if (!inParagraph.has(child.name)) throw new UnknownFeature(`${child.name} of a list`);
  const { tabs = [], ...paragraph } = readParagraphFormat(properties, nothingInherited, context.attempt);
  if (tabs.length > 1) throw new UnknownFeature('a list with several tab stops');
  return {
    list,
    start: start === undefined ? 0 : wholeNumber(start, 'w:val', 0, 32_767),
    // LibreOffice ignores its value.
    isLegal: childOf(element, 'w:isLgl') !== undefined,
    numberFormat: settingOf('w:numFmt') ?? 'decimal',
    text: text?.attributes.get('w:val') ?? '',
    suffix,
    tabPosition: tabs[0]?.position,
    paragraph,
    run: readRunFormat(childOf(element, 'w:rPr'), context),
  };
}
