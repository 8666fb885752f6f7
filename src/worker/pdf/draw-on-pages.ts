import { dictionaryOf, type PdfFile, type PdfObject } from './pdf-file.ts';

/** Content streams (ISO 32000-1, 7.8.2) to put before and after that of a page. */
export interface PageLayers {
  readonly below: string;
  readonly above: string;
}

export interface PageDrawing {
  /** Returns what to draw on pages with this media box: left, bottom, right, top. */
  layersOf(box: readonly number[]): PageLayers;
  /** Objects that the layers use, and the numbers of their XObjects by name. */
  readonly objects?: readonly PdfObject[] | undefined;
  readonly xObjects?: ReadonlyMap<string, number> | undefined;
}

const pageStart = /^\d+ 0 obj\s*<<\s*\/Type\s*\/Page(?![A-Za-z])/;
const number = '(-?[\\d.]+)';
const mediaBox = new RegExp(`/MediaBox\\s*\\[\\s*${number}\\s+${number}\\s+${number}\\s+${number}\\s*\\]`);
const contents = /\/Contents\s*(?:(\d+ 0 R)|\[([^\]]*)\])/;
const resources = /\/Resources\s+(\d+) 0 R/;

/** The lowest object number above all that the file uses. */
export const unusedNumber = ({ objects }: Pick<PdfFile, 'objects'>): number =>
  objects.reduce((most, object) => Math.max(most, object.number + 1), 1);

/** The media box of a page; undefined for other objects. */
export function mediaBoxOf(object: PdfObject): readonly number[] | undefined {
  if (!pageStart.test(object.bytes.toString('latin1', 0, 64))) return undefined;
  return mediaBox.exec(dictionaryOf(object))?.slice(1).map(Number);
}

/**
 * Draws on every page of a file. Pages of the same size share the content streams. Throws unless the file has exactly
 * `pages` pages.
 */
export function drawOnPages(file: PdfFile, pages: number, drawing: PageDrawing): PdfFile {
  const { objects: used = [], xObjects = new Map<string, number>() } = drawing;
  let next = unusedNumber({ objects: [...file.objects, ...used] });
  const added: PdfObject[] = [...used];
  const layers = new Map<string, readonly [below: number, above: number]>();
  const layersOf = (box: readonly number[]): readonly [below: number, above: number] => {
    const known = layers.get(String(box));
    if (known !== undefined) return known;
    const drawn = drawing.layersOf(box);
    const both = [next, next + 1] as const;
    next += 2;
    added.push(streamObject(both[0], drawn.below), streamObject(both[1], drawn.above));
    layers.set(String(box), both);
    return both;
  };
  let drawnPages = 0;
  const extended = new Set<number>();
  const drawn = file.objects.map((object) => {
    const box = mediaBoxOf(object);
    const dictionary = dictionaryOf(object);
    const found = resources.exec(dictionary)?.[1];
    if (box === undefined || !contents.test(dictionary) || (xObjects.size > 0 && found === undefined)) return object;
    drawnPages += 1;
    extended.add(Number(found));
    const [below, above] = layersOf(box);
    const changed = dictionary.replace(
      contents,
      (_found, one: string | undefined, several: string | undefined) =>
        `/Contents[${below} 0 R ${one ?? several ?? ''} ${above} 0 R]`,
    );
    return { number: object.number, bytes: Buffer.from(changed, 'latin1') };
  });
  if (drawnPages !== pages) throw new Error(`${drawnPages} of ${pages} pages were drawn on`);
  const objects = drawn.map((object) => (extended.has(object.number) ? withXObjects(object, xObjects) : object));
  return { ...file, objects: [...objects, ...added], trailer: file.trailer.replace(/\/Size\s+\d+/, `/Size ${next}`) };
}

/** A resource dictionary with the additional XObjects. */
function withXObjects(object: PdfObject, xObjects: ReadonlyMap<string, number>): PdfObject {
  if (xObjects.size === 0) return object;
  const entries = Array.from(xObjects, ([name, number]) => `/${name} ${number} 0 R`).join(' ');
  const dictionary = object.bytes.toString('latin1');
  const changed = dictionary.includes('/XObject <<')
    ? dictionary.replace('/XObject <<', `/XObject <<${entries} `)
    : dictionary.replace('<<', `<</XObject <<${entries}>> `);
  return { number: object.number, bytes: Buffer.from(changed, 'latin1') };
}

function streamObject(number: number, content: string): PdfObject {
  const text = `${number} 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj\n\n`;
  return { number, bytes: Buffer.from(text, 'latin1') };
}
