import type { Element } from '@xmldom/xmldom';
import type { Finding } from './report.ts';
import { findSectionFaults } from './section-faults.ts';
import { contextOf, Edits, type FoundTags, type LooseText, type SourceTag } from './tags.ts';
import { RowTags, surroundBlocks } from './word-file/layout.ts';

export interface PartResult {
  readonly unchanged: number;
  readonly rewritten: number;
  readonly left: number;
  readonly findings: readonly Finding[];
}

/** Why a tag needs manual work, and what to write instead. */
export interface Remark {
  readonly reason: string;
  readonly write?: string | undefined;
}

export interface Wrap {
  readonly kind: 'rows' | 'blocks';
  readonly order: number;
  readonly first: Element;
  readonly last: Element;
  readonly open: string;
  readonly close: string;
}

type Outcome = 'unchanged' | 'rewritten' | 'left';

/** Collects the outcomes of the tags in a part. Each tag has one outcome; the file is changed in `finish`. */
export class PartRewriter {
  readonly edits = new Edits();
  readonly #label: string;
  readonly #outcomes = new Map<SourceTag, Outcome>();
  readonly #texts = new Map<SourceTag, string>();
  readonly #findings = new Map<SourceTag | LooseText, Finding>();
  readonly #wraps: Wrap[] = [];
  readonly #removed = new Set<Element>();
  #filledElsewhere = 0;
  readonly #leftElsewhere: Finding[] = [];
  #leftTexts = 0;
  #altTexts = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** Replaces the tag by `text`; with `check`, the result needs a manual check. */
  rewrite(tag: SourceTag, text: string, check?: Remark): void {
    const isSame = text === tag.written;
    this.#outcomes.set(tag, isSame ? 'unchanged' : 'rewritten');
    this.#texts.set(tag, text);
    if (check !== undefined) this.#add('check', tag, check, isSame ? undefined : text);
  }

  /** Leaves the tag unchanged, even if a rewrite was recorded before. */
  leave(tag: SourceTag, remark: Remark): void {
    this.#texts.delete(tag);
    this.#findings.delete(tag);
    this.#outcomes.set(tag, 'left');
    this.#add('left', tag, remark);
  }

  /** Counts something that Docmill fills without a change, although it is not a tag: a field or a content control. */
  countElsewhere(): void {
    this.#filledElsewhere += 1;
  }

  /** Reports something that is not a tag, and that nothing fills. */
  leaveElsewhere(written: string, { reason, write }: Remark): void {
    this.#leftElsewhere.push({ status: 'left', part: this.#label, context: written, tag: written, reason, write });
  }

  /** Replaces the alternative text of a picture by a tag. */
  rewriteAltText(element: Element, text: string): void {
    element.setAttribute('descr', text);
    this.#altTexts += 1;
  }

  /** Counts a tag whose text was changed together with another one. */
  count(tag: SourceTag, outcome: Outcome): void {
    this.#outcomes.set(tag, outcome);
  }

  isSettled(tag: SourceTag): boolean {
    return this.#outcomes.has(tag);
  }

  /** Wraps rows or blocks in a section. Sections around the same elements nest by `order`, the smallest outermost. */
  wrap(wrap: Wrap): void {
    this.#wraps.push(wrap);
  }

  /** Removes a row or a block. */
  remove(element: Element): void {
    this.#removed.add(element);
  }

  #add(status: Finding['status'], tag: SourceTag, { reason, write }: Remark, replacement?: string): void {
    if (tag.paragraph.isFallback) return;
    const context = contextOf(tag.paragraph, tag.start, tag.end);
    this.#findings.set(tag, { status, part: this.#label, context, tag: tag.written, replacement, reason, write });
  }

  /** Reports text that Docmill would read as tags. */
  addLooseTexts({ looseTexts }: FoundTags, isOwnSyntax: boolean): void {
    for (const loose of looseTexts) {
      const { paragraph, start, written, kind } = loose;
      if (paragraph.isFallback) continue;
      this.#leftTexts += 1;
      const reason =
        kind === 'unclosed' && isOwnSyntax
          ? 'The tag has no end in its paragraph. In Docmill a tag begins and ends in the same paragraph.'
          : 'The text has braces, which Docmill reads as a tag. To print a brace, send it as a value.';
      const write = kind === 'unclosed' ? undefined : '{brace}';
      const context = contextOf(paragraph, start, start + written.length);
      this.#findings.set(loose, { status: 'left', part: this.#label, context, tag: written, reason, write });
    }
  }

  /** Applies all changes. */
  finish(): PartResult {
    for (const [tag, reason] of findSectionFaults(this.#texts)) this.leave(tag, { reason });
    for (const [tag, text] of this.#texts) {
      if (text !== tag.written) this.edits.replace(tag.paragraph, tag.start, tag.end, text);
    }
    this.edits.apply();
    const rows = new RowTags();
    for (const { kind, first, last, open, close } of this.#wraps.sort((a, b) => a.order - b.order)) {
      if (kind === 'rows') rows.add(first, last, open, close);
      else surroundBlocks(first, last, open, close);
    }
    rows.write();
    for (const element of this.#removed) element.parentNode?.removeChild(element);
    const outcomes = [...this.#outcomes]
      .filter(([{ paragraph }]) => !paragraph.isFallback)
      .map(([, outcome]) => outcome);
    const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
    return {
      unchanged: count('unchanged') + this.#filledElsewhere,
      rewritten: count('rewritten') + this.#altTexts,
      left: count('left') + this.#leftTexts + this.#leftElsewhere.length,
      findings: [...this.#findings.values(), ...this.#leftElsewhere],
    };
  }
}
