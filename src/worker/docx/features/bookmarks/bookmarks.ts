import { decodeEntities } from '@docmill/word/xml-tokens';
import { expandStretches } from '../../core/compile/collapse-static.ts';
import type { Feature, PartCompiler, TemplatePart } from '../../core/feature.ts';
import type { FeatureNode, Node } from '../../core/nodes.ts';
import type { ParsedPiece } from '../../core/parsed-piece.ts';
import { oncePerPart } from '../../core/render/render-state.ts';
import { writeXml } from '../../core/render/tag-value.ts';
import { PlacedBookmarks } from './placed-bookmarks.ts';

/** Bookmarks in sections: each item has its own, and references of the same item lead to it. */
export const bookmarks: Feature = { name: 'bookmarks', openPart };

const placed = oncePerPart(() => new PlacedBookmarks());

function openPart({ xml }: TemplatePart): PartCompiler | undefined {
  if (!xml.includes('<w:bookmarkStart')) return undefined;
  const written = new Set(namesIn(xml).map((name) => decodeEntities(name).toLowerCase()));
  let pattern: RegExp | undefined;
  let isRepeated = false;
  return {
    arrange: (pieces, { stretches }) => {
      const inside = textOf(pieces, false);
      const found = expandStretches(inside, stretches).map((piece) => (typeof piece === 'string' ? piece : piece.xml));
      const names = namesIn(found.join(''));
      isRepeated = names.length > 0;
      if (isRepeated) pattern = placesOf(names);
      return pieces;
    },
    readNodes: () => ({ splitText: (text) => pattern && splitAtPlaces(text, pattern, written) }),
    finish: (state) => {
      if (isRepeated) placed(state).finish(state.output.pieces);
    },
  };
}

/** The markup of all sections. */
function textOf(pieces: readonly ParsedPiece[], isInside: boolean): string {
  const texts = pieces.map(({ type, value, subparsed }) => {
    if (subparsed !== undefined) return textOf(subparsed, true);
    return isInside && type !== 'placeholder' ? value : '';
  });
  return texts.join('');
}

function namesIn(xml: string): string[] {
  const names = Array.from(xml.matchAll(/<w:bookmarkStart\b[^>]*?\sw:name="([^"]+)"/g), ([, name = '']) => name);
  return [...new Set(names)].filter((name) => name !== '_GoBack');
}

/** Matches the bookmarks, and the names in links and fields that refer to them. */
function placesOf(names: readonly string[]): RegExp {
  const name = `(${names.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`;
  const inField = `(?<=[\\s"';>])${name}(?=[\\s"'&<\\\\]|$)`;
  const places = [
    `<w:bookmarkStart\\b[^>]*?\\sw:name="${name}"[^>]*>`,
    `(?<=<w:hyperlink\\b[^>]*?\\sw:anchor=")${name}(?=")`,
    `(?<=<w:instrText\\b[^<]*?)${inField}`,
    `(?<=<w:fldSimple\\b[^>]*?\\sw:instr="[^"]*?)${inField}`,
  ];
  return new RegExp(places.join('|'), 'g');
}

function splitAtPlaces(
  xml: string,
  pattern: RegExp,
  taken: ReadonlySet<string>,
): readonly (string | Node)[] | undefined {
  const pieces: (string | Node)[] = [];
  let read = 0;
  for (const match of xml.matchAll(pattern)) {
    const [written, ...names] = match;
    const name = names.find((one) => one !== undefined) ?? '';
    const node = written.startsWith('<') ? bookmark(written, name, taken) : reference(name);
    pieces.push(xml.slice(read, match.index), node);
    read = match.index + written.length;
  }
  return pieces.length === 0 ? undefined : [...pieces, xml.slice(read)];
}

/** `taken` are the names of all bookmarks in the template, in lower case: no copy gets one of them. */
function bookmark(tag: string, name: string, taken: ReadonlySet<string>): FeatureNode {
  const [before = '', after = ''] = tag.split(`w:name="${name}"`, 2);
  return {
    kind: 'feature',
    isTransparent: true,
    render: (scope, state) => {
      const own = placed(state).place(decodeEntities(name), scope, taken);
      writeXml(own === undefined ? tag : `${before}w:name="${own}"${after}`, '', state);
    },
  };
}

function reference(name: string): FeatureNode {
  return {
    kind: 'feature',
    isTransparent: true,
    render: (scope, state) => {
      placed(state).refer(decodeEntities(name), scope, state.output.pieces.length);
      writeXml(name, '', state);
    },
  };
}
