import type { LinkTarget, PictureInline, RunFormat } from '../document/tree.ts';
import type { ShapedWord, TextFont } from '../fonts/text-font.ts';
import type { LineHeight } from './line-height.ts';

/**
 * Words of one run on a line. `x` and widths are dots from the left margin of the text; `gaps` are the spaces after
 * each word.
 */
export interface TextFragment {
  readonly kind: 'text';
  readonly x: number;
  readonly width: number;
  /** The width of the spaces at the line end, which only shading makes visible. */
  readonly trailing: number;
  readonly words: readonly ShapedWord[];
  readonly gaps: readonly number[];
  readonly font: TextFont;
  readonly format: RunFormat;
  readonly link: LinkTarget | undefined;
}

export interface PictureFragment {
  readonly kind: 'picture';
  readonly x: number;
  readonly width: number;
  readonly picture: PictureInline;
}

export type Fragment = TextFragment | PictureFragment;

/** A line of a paragraph. */
export interface Line extends LineHeight {
  readonly fragments: readonly Fragment[];
}
