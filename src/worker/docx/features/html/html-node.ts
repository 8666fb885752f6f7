import type { Mark } from '../../core/structure.ts';
import type { Expression } from '../../language/scope.ts';

/** The paragraph that HTML stands alone in, and replaces. */
export interface ReplacedParagraph {
  /** Its `w:pPr`, empty without one. */
  readonly properties: string;
  /** Bookmarks and the like that began or ended before and after the tag. */
  readonly before: string;
  readonly after: string;
}

/** An HTML tag that stands alone in its paragraph, as the parser of parts hands it on. */
export interface LiftedHtml extends ReplacedParagraph {
  /** The `w:rPr` of its run, empty without one. */
  readonly runProperties: string;
  /** Stands after sections with HTML, which may all be left out: there must be a paragraph then. */
  readonly isKeeper: boolean;
}

/** `{~html}` */
export interface HtmlNode {
  readonly kind: 'html';
  readonly expression: Expression;
  readonly tag: string;
  /** The `w:rPr` of its run, empty without one; undefined when it stands in no Word run, where it prints plain text. */
  readonly runProperties: string | undefined;
  /** Undefined for a tag within text. */
  readonly paragraph: ReplacedParagraph | undefined;
  /** Whether a link may stand here. */
  readonly mayLink: boolean;
  readonly mark: Mark | undefined;
}
