import type { Character } from './read-characters.ts';

/** A word and its place. Lengths are points (1/72 inch) from the left and the upper edge of the page. */
export interface Word {
  readonly text: string;
  /** Counted from 1. */
  readonly page: number;
  readonly left: number;
  readonly right: number;
  /** The position of its base line, which does not depend on the metrics of its font as the edges of a box do. */
  readonly y: number;
  /** The height of its first character's font. */
  readonly sizePt: number;
  /** The fonts, colours and links of its characters; several are separated by commas. */
  readonly font: string;
  readonly colour: string;
  readonly link: string;
}

/** The words among the characters of a page, in printing order, without leaders. */
export function toWords(characters: readonly Character[], page: number): Word[] {
  return divide(characters, ({ startsWord }) => startsWord)
    .map(withoutLeaders)
    .flatMap((word) => toWord(word, page) ?? []);
}

function toWord(characters: readonly Character[], page: number): Word | undefined {
  const [first] = characters;
  if (first === undefined) return undefined;
  const all = (read: (character: Character) => string): string => [...new Set(characters.map(read))].join(', ');
  const [, , c, d] = first.shape;
  return {
    text: characters.map(({ codePoint }) => String.fromCodePoint(codePoint)).join(''),
    page,
    left: Math.min(...characters.map(({ box }) => box.left)),
    right: Math.max(...characters.map(({ box }) => box.right)),
    y: first.y,
    sizePt: Math.hypot(c, d),
    font: all(({ font }) => font),
    colour: all(({ colour }) => colour),
    link: all(({ link }) => link),
  };
}

const leaderSigns: ReadonlySet<number> = new Set(Array.from('.·_-', (sign) => sign.charCodeAt(0)));
/** Three dots are an ellipsis. */
const minLeader = 4;

/** Removes leaders, such as dots up to a tab stop, whose number depends on the remaining space. */
function withoutLeaders(characters: readonly Character[]): readonly Character[] {
  const isLeader = (run: readonly Character[]): boolean =>
    run.length >= minLeader && leaderSigns.has(run[0]?.codePoint ?? 0);
  const runs = divide(characters, ({ codePoint }, before) => codePoint !== before?.codePoint);
  return runs.filter((run) => !isLeader(run)).flat();
}

/** Divides characters into groups. `starts` reports whether a character begins one. */
function divide(
  characters: readonly Character[],
  starts: (character: Character, before: Character | undefined) => boolean,
): readonly (readonly Character[])[] {
  const groups: Character[][] = [];
  for (const [index, character] of characters.entries()) {
    const group = groups.at(-1);
    if (group === undefined || starts(character, characters[index - 1])) groups.push([character]);
    else group.push(character);
  }
  return groups;
}
