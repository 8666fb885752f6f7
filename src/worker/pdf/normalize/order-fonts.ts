import { dictionaryOf, type PdfFile, type PdfObject, type PdfObjects } from '../pdf-file.ts';

const fontDictionary = /^\d+ 0 obj\n<<((?:\/F\d+ \d+ 0 R\s*)+)>>/;
/** A string, which may contain anything, or a reference (ISO 32000-1, 7.3.4 and 7.3.10). */
const stringOrReference = /\((?:[^\\()]|\\.)*\)|\b(\d+) 0 R\b/gs;

/**
 * Sorts the objects of embedded fonts by the fonts' names in the pages, `F1` first. LibreOffice writes them in the
 * order of their memory addresses, which differs between processes. Fonts keep their names, and other objects their
 * numbers.
 */
export function orderFonts(file: PdfFile, objects: PdfObjects): PdfFile {
  const fonts = file.objects.flatMap(fontNumbers);
  if (fonts.length < 2) return file;
  const members = fontMembers(fonts, objects);
  const ordered = members.flat();
  const numbers = ordered.toSorted((a, b) => a - b);
  if (ordered.every((number, i) => number === numbers[i])) return file;
  const renumbered = new Map(ordered.map((number, i) => [number, numbers[i] ?? number]));
  const rewritten = new Map(file.objects.map((object) => [object.number, renumber(object, renumbered)]));
  const isMember = new Set(ordered);
  let next = 0;
  const inOrder = file.objects.flatMap(({ number }) => {
    const found = rewritten.get(isMember.has(number) ? (ordered[next++] ?? number) : number);
    return found === undefined ? [] : [found];
  });
  return { ...file, objects: inOrder };
}

/** The objects that a font dictionary refers to, in the order of their names. */
function fontNumbers(object: PdfObject): number[] {
  if (!object.bytes.toString('latin1', 0, 32).includes('<</F')) return [];
  const entries = fontDictionary.exec(dictionaryOf(object))?.[1] ?? '';
  const fonts = [...entries.matchAll(/\/F(\d+) (\d+) 0 R/g)].map(
    (found) => [Number(found[1]), Number(found[2])] as const,
  );
  return fonts.toSorted(([a], [b]) => a - b).map(([, number]) => number);
}

/** For each font, the objects that no other font uses, in ascending order. */
function fontMembers(fonts: readonly number[], objects: PdfObjects): number[][] {
  const reached = fonts.map((font) => reachable(font, objects));
  const users = new Map<number, number>();
  for (const numbers of reached) for (const number of numbers) users.set(number, (users.get(number) ?? 0) + 1);
  return reached.map((numbers) => [...numbers].filter((number) => users.get(number) === 1).sort((a, b) => a - b));
}

function reachable(from: number, objects: PdfObjects): ReadonlySet<number> {
  const reached = new Set([from]);
  for (const number of reached) {
    const object = objects.get(number);
    if (object === undefined) continue;
    for (const [, target] of dictionaryOf(object).matchAll(stringOrReference))
      if (target !== undefined) reached.add(Number(target));
  }
  return reached;
}

function renumber(object: PdfObject, numbers: ReadonlyMap<number, number>): PdfObject {
  const number = numbers.get(object.number) ?? object.number;
  const dictionary = dictionaryOf(object);
  const text = dictionary
    .replace(stringOrReference, (found, target: string | undefined) => {
      const to = target === undefined ? undefined : numbers.get(Number(target));
      return to === undefined ? found : `${to} 0 R`;
    })
    .replace(/^\d+/, String(number));
  if (text === dictionary) return object;
  return { number, bytes: Buffer.concat([Buffer.from(text, 'latin1'), object.bytes.subarray(dictionary.length)]) };
}
