/** A place in the output: an offset in one of its pieces. */
export interface Place {
  readonly piece: number;
  readonly at: number;
}

/** A tag in the output, within one piece. */
export interface OutputTag {
  readonly name: string;
  readonly kind: 'open' | 'close' | 'empty';
  readonly piece: number;
  readonly start: number;
  readonly end: number;
}

const tagPattern = /<(\/?)([^\s/>!?]+)(?:[^"'>]|"[^"]*"|'[^']*')*>/g;

/** The tags from a place on, in order. Skips a tag whose attributes span several pieces. */
export function* tagsFrom(pieces: readonly string[], { piece: first, at }: Place): Generator<OutputTag> {
  for (let piece = first; piece < pieces.length; piece++) {
    const text = pieces[piece] ?? '';
    const pattern = new RegExp(tagPattern);
    pattern.lastIndex = piece === first ? at : 0;
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const [whole, slash, name = ''] = found;
      const kind = slash === '/' ? 'close' : whole.endsWith('/>') ? 'empty' : 'open';
      yield { name, kind, piece, start: found.index, end: found.index + whole.length };
    }
  }
}

/** The start tag of the innermost element of this name that is open before a piece. */
export function openBefore(pieces: readonly string[], before: number, name: string): Place | undefined {
  let closed = 0;
  for (let piece = before - 1; piece >= 0; piece--) {
    const text = pieces[piece] ?? '';
    for (let at = text.lastIndexOf(name); at > 0; at = text.lastIndexOf(name, at - 1)) {
      if (!/[\s>]/.test(text.charAt(at + name.length))) continue;
      if (text.charAt(at - 1) === '<' && closed-- === 0) return { piece, at: at - 1 };
      if (text.startsWith('</', at - 2)) closed++;
    }
  }
  return undefined;
}
