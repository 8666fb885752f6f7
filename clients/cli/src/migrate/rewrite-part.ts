import type { PartRewriter } from './part-rewriter.ts';
import type { Delimiters } from './tags.ts';
import type { WordPart } from './word-file/open-word-file.ts';

/** Rewrites the tags of one part, and adds the required changes of the data to `data`. */
export type RewritePart = (part: WordPart, rewriter: PartRewriter, job: RewriteJob) => void;

export interface RewriteJob {
  /** Undefined for the engine's default delimiters. */
  readonly delimiters: Delimiters | undefined;
  /** Sentences about the data, without duplicates. */
  readonly data: Set<string>;
  /** Definitions in one part that apply to all parts. The body is read first. */
  readonly aliases: Map<string, string>;
}
