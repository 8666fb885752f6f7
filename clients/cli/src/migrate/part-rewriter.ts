import type { Element } from '@xmldom/xmldom';
import type { Finding } from './report.ts';
import { contextOf, Edits, type FoundTags, type SourceTag } from './tags.ts';
import { RowTags, surroundBlocks } from './word-file/layout.ts';

export interface PartResult {
  readonly unchanged: number;
  readonly rewritten: number;
  readonly left: number;
  readonly findings: readonly Finding[];
}

/** Why a tag needs a person, and what to write. */
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

/** Collects what becomes of the tags of a part. Each tag has one outcome; the file changes in `finish`. */
export class PartRewriter {
  readonly edits = new Edits();
  readonly #label: string;
  readonly #outcomes = new Map<SourceTag, Outcome>();
  readonly #findings: Finding[] = [];
  readonly #wraps: Wrap[] = [];
  readonly #removed = new Set<Element>();
  #leftTexts = 0;

  constructor(label: string) {
    this.#label = label;
  }

  /** The tag becomes `text`; with `check`, a person should look at it. */
  rewrite(tag: SourceTag, text: string, check?: Remark): void {
    const isSame = text === tag.written;
    this.#outcomes.set(tag, isSame ? 'unchanged' : 'rewritten');
    if (!isSame) this.edits.replace(tag.paragraph, tag.start, tag.end, text);
    if (check !== undefined) this.#add('check', tag, check, isSame ? undefined : text);
  }

  /** The tag stays as it is. */
  leave(tag: SourceTag, remark: Remark): void {
    this.#outcomes.set(tag, 'left');
    this.#add('left', tag, remark);
  }

  /** Counts a tag whose text was changed together with another one. */
  count(tag: SourceTag, outcome: Outcome): void {
    this.#outcomes.set(tag, outcome);
  }

  isSettled(tag: SourceTag): boolean {
    return this.#outcomes.has(tag);
  }

  /** Puts a section around rows or blocks. Sections around the same elements nest by `order`, the smallest outside. */
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
    this.#findings.push({ status, part: this.#label, context, tag: tag.written, replacement, reason, write });
  }

  /** Reports text that Docmill would take for tags. */
  addLooseTexts({ looseTexts }: FoundTags, isOwnSyntax: boolean): void {
    for (const { paragraph, start, written, kind } of looseTexts) {
      if (paragraph.isFallback) continue;
      this.#leftTexts += 1;
      const reason =
        kind === 'unclosed' && isOwnSyntax
          ? 'The tag has no end in its paragraph. In Docmill a tag begins and ends in the same paragraph.'
          : 'The text has braces, which Docmill reads as a tag. To print a brace, send it as a value.';
      const write = kind === 'unclosed' ? undefined : '{brace}';
      const context = contextOf(paragraph, start, start + written.length);
      this.#findings.push({ status: 'left', part: this.#label, context, tag: written, reason, write });
    }
  }

  /** Makes all changes. */
  finish(): PartResult {
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
      unchanged: count('unchanged'),
      rewritten: count('rewritten'),
      left: count('left') + this.#leftTexts,
      findings: this.#findings,
    };
  }
}
