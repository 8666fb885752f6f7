import type { Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import type { FeatureNode, Node } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { oncePerPart } from '../../core/render/render-state.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { numberingOf } from '../../core/styles/numbering.ts';
import { numberedLevels } from './numbered-levels.ts';
import { type RestartingLists, restartingLists } from './restarting-lists.ts';

/** Numbered lists in sections: those that belong to an item begin again in the next one. */
export const lists: Feature = { name: 'lists', openPart };

function openPart({ source, xml }: TemplatePart): PartCompiler | undefined {
  if (!xml.includes('<w:numId')) return undefined;
  const restarting = new Set<string>();
  return {
    arrange: (pieces, { stretches }) => {
      if (!pieces.some(({ subparsed }) => subparsed !== undefined)) return pieces;
      const found = restartingLists(pieces, stretches, numberedLevels(source));
      for (const ids of found.values()) for (const id of ids) restarting.add(id);
      return restarting.size === 0 ? pieces : withResets(pieces, found);
    },
    readNodes: () => ({ splitText: (text) => splitAtLists(text, restarting) }),
  };
}

function withResets(pieces: readonly ParsedPiece[], found: RestartingLists): readonly ParsedPiece[] {
  return pieces.map((piece) => {
    const { subparsed } = piece;
    if (subparsed === undefined) return piece;
    const ids = found.get(piece);
    const reset: ParsedPiece[] = ids === undefined ? [] : [{ type: 'placeholder', value: '', node: resetNode(ids) }];
    return { ...piece, subparsed: [...withResets(subparsed, found), ...reset] };
  });
}

const listId = /(<w:numId\b[^>]*?w:val=["'])(\d+)(?=["'])/;

function splitAtLists(xml: string, restarting: ReadonlySet<string>): readonly (string | Node)[] | undefined {
  if (restarting.size === 0 || !xml.includes('<w:numId')) return undefined;
  const pieces: (string | Node)[] = [];
  for (const [i, piece] of xml.split(listId).entries()) {
    if (i % 3 === 2 && restarting.has(piece)) pieces.push(listNode(piece));
    else pieces.push(piece);
  }
  return pieces;
}

/** The lists of one part that are in use, by their ids in the template. */
interface UsedList {
  current: string;
  hasEnded: boolean;
}

const usedLists = oncePerPart(() => new Map<string, UsedList>());

function listNode(id: string): FeatureNode {
  return {
    kind: 'feature',
    isTransparent: true,
    render: (_, state) => {
      const used = usedLists(state);
      const list = used.get(id) ?? { current: id, hasEnded: false };
      used.set(id, list);
      if (list.hasEnded) list.current = String(numberingOf(state.render).restart(id));
      list.hasEnded = false;
      writeXml(list.current, '', state);
    },
  };
}

/** Ends the lists of an item. */
function resetNode(ids: ReadonlySet<string>): FeatureNode {
  return {
    kind: 'feature',
    isTransparent: true,
    render: (_, state) => {
      for (const id of ids) {
        const list = usedLists(state).get(id);
        if (list !== undefined) list.hasEnded = true;
      }
    },
  };
}
