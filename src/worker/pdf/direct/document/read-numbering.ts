import { UnknownFeature } from '../unknown-feature.ts';
import { readParagraphFormat } from './paragraph-format.ts';
import { type FormatContext, readRunFormat } from './run-format.ts';
import type { ParagraphFormat, RunFormat } from './tree.ts';
import { allowAttributes, childOf, isOn, wholeNumber, type XmlElement } from './xml-element.ts';

/** A level of a list (ECMA-376 part 1, 17.9.6). */
export interface ListLevel {
  /** Levels of lists with the same key count together. */
  readonly list: string;
  readonly start: number;
  readonly numberFormat: string;
  /** The text of its labels, with `%1` for the number of the first level. */
  readonly text: string;
  readonly suffix: 'tab' | 'space' | 'nothing';
  /** Where the level asks for its text to begin, besides the indent; undefined without. */
  readonly tabPosition: number | undefined;
  readonly paragraph: Partial<ParagraphFormat>;
  readonly run: Partial<RunFormat>;
}

export interface Numbering {
  /** The level of a list by its `w:numId`; undefined for a list that is not there. Throws UnknownFeature for one that is not known. */
  levelOf(id: string, level: number): ListLevel | undefined;
}

const known: ReadonlySet<string> = new Set(
  'w:start w:numFmt w:lvlText w:lvlJc w:pPr w:rPr w:suff w:pStyle w:lvlRestart w:isLgl'.split(' '),
);
const inParagraph: ReadonlySet<string> = new Set(['w:ind', 'w:tabs', 'w:spacing', 'w:contextualSpacing']);

/** Reads the root of the numbering part (17.9.16); a document without one has no lists. */
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
    if (list.children.some(({ name }) => name === 'w:lvlOverride'))
      throw new UnknownFeature('a list with other levels');
    const key = childOf(list, 'w:abstractNumId')?.attributes.get('w:val') ?? '';
    const abstract = abstracts.get(key);
    for (const name of ['w:numStyleLink', 'w:styleLink'])
      if (abstract !== undefined && childOf(abstract, name) !== undefined) throw new UnknownFeature(name);
    const element = abstract?.children.find(
      (child) => child.name === 'w:lvl' && child.attributes.get('w:ilvl') === String(level),
    );
    return element && readLevel(element, key, context);
  }

  return {
    levelOf(id, level) {
      const key = `${id} ${level}`;
      if (!levels.has(key)) levels.set(key, read(id, level));
      return levels.get(key);
    },
  };
}

function readLevel(element: XmlElement, list: string, context: FormatContext): ListLevel {
  for (const child of element.children) if (!known.has(child.name)) throw new UnknownFeature(`${child.name} of a list`);
  const settingOf = (name: string): string | undefined => childOf(element, name)?.attributes.get('w:val');
  if (!/^(?:left|start)$/.test(settingOf('w:lvlJc') ?? 'left'))
    throw new UnknownFeature('labels that are centred or right');
  if (settingOf('w:lvlRestart') !== undefined) throw new UnknownFeature('w:lvlRestart');
  const legal = childOf(element, 'w:isLgl');
  if (legal !== undefined && isOn(legal)) throw new UnknownFeature('w:isLgl');
  const suffix = settingOf('w:suff') ?? 'tab';
  if (suffix !== 'tab' && suffix !== 'space' && suffix !== 'nothing') throw new UnknownFeature(`w:suff ${suffix}`);
  const start = childOf(element, 'w:start');
  const text = childOf(element, 'w:lvlText');
  if (text !== undefined) allowAttributes(text, 'w:val');
  const properties = childOf(element, 'w:pPr');
  for (const child of properties?.children ?? [])
    if (!inParagraph.has(child.name)) throw new UnknownFeature(`${child.name} of a list`);
  const { tabs = [], ...paragraph } = readParagraphFormat(properties, []);
  if (tabs.length > 1) throw new UnknownFeature('a list with several tab stops');
  return {
    list,
    start: start === undefined ? 0 : wholeNumber(start, 'w:val', 0, 32_767),
    numberFormat: settingOf('w:numFmt') ?? 'decimal',
    text: text?.attributes.get('w:val') ?? '',
    suffix,
    tabPosition: tabs[0]?.position,
    paragraph,
    run: readRunFormat(childOf(element, 'w:rPr'), context),
  };
}
