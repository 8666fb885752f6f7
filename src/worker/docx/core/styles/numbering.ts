import { wordNamespaces } from '@docmill/word/namespaces';
import { TextEdits } from '@docmill/word/text-edits';
import { attributeOf, scanXmlTags } from '@docmill/word/xml-tokens';
import type { DocxPackage } from '../../package/open-package.ts';
import { oncePerRender, type Render } from '../render/render-state.ts';
import { leftOf } from './template-styles.ts';

const numberingType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml';

export type NumberFormat = 'decimal' | 'lowerLetter' | 'upperLetter' | 'lowerRoman' | 'upperRoman';

export interface NumberingLevel {
  readonly leftTwips: number | undefined;
}

interface NumberingPart {
  /** Undefined for a part that must be added to the package. */
  readonly name: string | undefined;
  readonly xml: string;
}

const newNumberingPart = { name: 'numbering.xml', contentType: numberingType, kind: 'numbering' } as const;

const inRender = oncePerRender((): { numbering: Numbering | undefined } => ({ numbering: undefined }));

/** The numbering of a render, read when it is first needed. */
export function numberingOf(render: Render): Numbering {
  const holder = inRender({ render });
  holder.numbering ??= new Numbering(render.source, render.additions.isStrict);
  return holder.numbering;
}

/** The numbering part with the lists that a render added. Adds the part to a document without one. */
export function changedNumbering(render: Render): ReadonlyMap<string, Buffer> {
  const part = inRender({ render }).numbering?.changed();
  if (part === undefined) return new Map();
  const bytes = Buffer.from(part.xml);
  if (part.name !== undefined) return new Map([[part.name, bytes]]);
  render.additions.addPart(render.source.mainPart, { ...newNumberingPart, bytes });
  return new Map();
}

/** The numbering of a template plus the lists of one render. Every numbered HTML list is counted separately. */
export class Numbering {
  readonly #partName: string | undefined;
  readonly #xml: string;
  readonly #abstractOf = new Map<string, string>();
  /** Levels by the id of their definition. */
  readonly #levels = new Map<string, ReadonlyMap<number, NumberingLevel>>();
  readonly #ownAbstracts = new Map<NumberFormat | 'bullet', number>();
  readonly #abstracts: string[] = [];
  readonly #nums: string[] = [];
  /** The overrides of levels that make a copy of a list begin again, by the id of the list. */
  readonly #restarts = new Map<string, string>();
  #nextAbstract = 0;
  #nextNum = 1;
  #bullets: number | undefined;

  constructor(source: DocxPackage, isStrict: boolean) {
    this.#partName = source.partNames.find((part) => source.contentType(part) === numberingType);
    const empty = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${isStrict ? wordNamespaces.strict : wordNamespaces.transitional}"></w:numbering>`;
    const xml = (this.#partName === undefined ? undefined : source.readText(this.#partName)) ?? empty;
    this.#xml = xml.replace(/(<w:numbering\b[^>]*[^/])\s*\/>\s*$/, '$1></w:numbering>');
    let num: string | undefined;
    let levels: Map<number, NumberingLevel> | undefined;
    let level = 0;
    scanXmlTags(this.#xml, (tag) => {
      if (tag.kind === 'close') return;
      if (tag.local === 'abstractNum') {
        const id = attributeOf(this.#xml, tag, 'abstractNumId') ?? '';
        levels = new Map();
        this.#levels.set(id, levels);
        this.#nextAbstract = Math.max(this.#nextAbstract, Number(id) + 1 || 0);
      } else if (tag.local === 'lvl' && num === undefined) {
        level = Number(attributeOf(this.#xml, tag, 'ilvl'));
        levels?.set(level, { leftTwips: undefined });
      } else if (tag.local === 'ind' && num === undefined) {
        levels?.set(level, { leftTwips: leftOf(this.#xml, tag) });
      } else if (tag.local === 'num') {
        num = attributeOf(this.#xml, tag, 'numId');
        this.#nextNum = Math.max(this.#nextNum, Number(num) + 1 || 1);
      } else if (tag.local === 'abstractNumId' && num !== undefined) {
        this.#abstractOf.set(num, attributeOf(this.#xml, tag, 'val') ?? '');
      }
    });
  }

  /** Adds a list in a default format that begins with `start`; returns its `numId`. */
  addList(format: NumberFormat | 'bullet', level: number, start: number): number {
    if (format !== 'bullet') return this.#addNum(this.#ownAbstract(format), level, start);
    this.#bullets ??= this.#addNum(this.#ownAbstract(format));
    return this.#bullets;
  }

  /** A level of the template's list `numId`, if it exists. */
  level(numId: string, level: number): NumberingLevel | undefined {
    return this.#levels.get(this.#abstractOf.get(numId) ?? '')?.get(level);
  }

  /** Adds a list formatted like the template's list `numId`, which must have this level. */
  addListLike(numId: string, level: number, start: number): number {
    return this.#addNum(this.#abstractOf.get(numId) ?? '', level, start);
  }

  /** Adds a list that looks like the template's list `numId` and begins again at its first numbers. */
  restart(numId: string): number {
    const overrides = this.#restarts.get(numId) ?? this.#restartOf(numId);
    this.#restarts.set(numId, overrides);
    const id = this.#nextNum++;
    const abstract = this.#abstractOf.get(numId) ?? '';
    this.#nums.push(`<w:num w:numId="${id}"><w:abstractNumId w:val="${abstract}"/>${overrides}</w:num>`);
    return id;
  }

  #restartOf(numId: string): string {
    const levels = [...(this.#levels.get(this.#abstractOf.get(numId) ?? '')?.keys() ?? [])];
    const own = new Map(this.#overridesOf(numId));
    // A definition that only links to a style has no levels of its own.
    for (const level of levels.length === 0 ? allLevels : levels) if (!own.has(level)) own.set(level, '');
    const overrides = [...own]
      .sort(([a], [b]) => a - b)
      .map(([level, inner]) => {
        const start = /<w:start\b[^>]*\sw:val="(\d+)"/.exec(inner)?.[1] ?? this.#startOf(numId, level);
        const begin = inner.includes('<w:startOverride') ? '' : `<w:startOverride w:val="${start}"/>`;
        return `<w:lvlOverride w:ilvl="${level}">${begin}${inner}</w:lvlOverride>`;
      });
    return overrides.join('');
  }

  #overridesOf(numId: string): (readonly [level: number, xml: string])[] {
    const num =
      new RegExp(`<w:num\\s[^>]*?w:numId="${numId}"[^>]*>([\\s\\S]*?)</w:num\\s*>`).exec(this.#xml)?.[1] ?? '';
    return Array.from(
      num.matchAll(/<w:lvlOverride\b[^>]*?w:ilvl="(\d)"[^>]*>([\s\S]*?)<\/w:lvlOverride\s*>/g),
      (found) => [Number(found[1]), found[2] ?? ''],
    );
  }

  #startOf(numId: string, level: number): string {
    const id = this.#abstractOf.get(numId) ?? '';
    const abstract = new RegExp(
      `<w:abstractNum\\s[^>]*?w:abstractNumId="${id}"[^>]*>[\\s\\S]*?</w:abstractNum\\s*>`,
    ).exec(this.#xml)?.[0];
    const own = new RegExp(`<w:lvl\\s[^>]*?w:ilvl="${level}"[^>]*>[\\s\\S]*?</w:lvl\\s*>`).exec(abstract ?? '')?.[0];
    return /<w:start\s[^>]*?w:val="(\d+)"/.exec(own ?? '')?.[1] ?? '1';
  }

  /** The changed part; undefined if nothing was added. */
  changed(): NumberingPart | undefined {
    if (this.#nums.length === 0) return undefined;
    const xml = this.#xml;
    // Definitions precede lists, and lists precede `w:numIdMacAtCleanup` (ECMA-376 part 1, 17.9.17).
    let firstNum = -1;
    let end = -1;
    scanXmlTags(xml, (tag) => {
      if (tag.local === 'num' && tag.kind === 'open' && firstNum < 0) firstNum = tag.start;
      if (tag.local === 'numIdMacAtCleanup' && end < 0) end = tag.start;
      if (tag.local === 'numbering' && tag.kind === 'close' && end < 0) end = tag.start;
    });
    const edits = new TextEdits();
    if (firstNum >= 0) edits.replace(firstNum, firstNum, this.#abstracts.join(''));
    edits.replace(end, end, (firstNum >= 0 ? '' : this.#abstracts.join('')) + this.#nums.join(''));
    return { name: this.#partName, xml: edits.apply(xml) };
  }

  #addNum(abstract: number | string, level?: number, start = 1): number {
    const id = this.#nextNum++;
    const override =
      level === undefined ? '' : `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;
    this.#nums.push(`<w:num w:numId="${id}"><w:abstractNumId w:val="${abstract}"/>${override}</w:num>`);
    return id;
  }

  #ownAbstract(format: NumberFormat | 'bullet'): number {
    const known = this.#ownAbstracts.get(format);
    if (known !== undefined) return known;
    const id = this.#nextAbstract++;
    const levels = Array.from({ length: 9 }, (_, level) => levelXml(format, level));
    this.#abstracts.push(
      `<w:abstractNum w:abstractNumId="${id}"><w:multiLevelType w:val="hybridMultilevel"/>${levels.join('')}</w:abstractNum>`,
    );
    this.#ownAbstracts.set(format, id);
    return id;
  }
}

const allLevels = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const bullets = ['•', '◦', '▪'];
export const indentTwips = 720;
export const hangingTwips = 360;

function levelXml(format: NumberFormat | 'bullet', level: number): string {
  const text = format === 'bullet' ? (bullets[level % bullets.length] ?? '•') : `%${level + 1}.`;
  const indent = `<w:pPr><w:ind w:left="${indentTwips * (level + 1)}" w:hanging="${hangingTwips}"/></w:pPr>`;
  return `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/>${indent}</w:lvl>`;
}
