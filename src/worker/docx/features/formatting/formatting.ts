import type { Feature, ScannedText } from '../../core/feature.ts';
import { applyFormats } from './apply-formats.ts';
import { arrangeFormats } from './arrange-formats.ts';
import { formatNode, requestedFormats } from './format-node.ts';
import { checkFormatTag, formatPrefix } from './format-tag.ts';

/** `{@text …}`, `{@cell …}` and `{@row …}`: colours, shading, bold and styles that data chooses, and rows that it hides. */
export const formatting: Feature = {
  name: 'formatting',
  tag: { prefix: formatPrefix, isExpression: false, check: checkFormatTag },
  openPart: () => ({
    arrange: (pieces, part) => (hasFormats(part) ? arrangeFormats(pieces, part) : pieces),
    readNodes: ({ parser }) => ({
      prefix: formatPrefix,
      build: (tag, { runProperties }) => formatNode(tag, parser, runProperties),
    }),
    finish: (state) => applyFormats(state.output.pieces, requestedFormats(state), state),
  }),
};

function hasFormats({ tags }: ScannedText): boolean {
  return tags.some(({ syntax }) => syntax?.prefix === formatPrefix);
}
