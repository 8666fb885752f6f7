import type { PartRewriter } from './part-rewriter.ts';
import type { Delimiters } from './tags.ts';
import type { WordPart } from './word-file/open-word-file.ts';

/** Rewrites the tags of one part and adds to `data` what the data of a request must be. */
export type RewritePart = (part: WordPart, rewriter: PartRewriter, job: RewriteJob) => void;

export interface RewriteJob {
  /** Undefined: those that the engine has by default. */
  readonly delimiters: Delimiters | undefined;
  /** Sentences about the data, without repetitions. */
  readonly data: Set<string>;
  /** Definitions of one part that hold in all parts. The body comes first. */
  readonly aliases: Map<string, string>;
}
