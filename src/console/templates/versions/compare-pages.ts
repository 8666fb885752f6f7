import pixelmatch from 'pixelmatch';
import { openPdf, type Pdf } from '../../pdf/open-pdf.ts';

export interface ComparedPage {
  /** The URL of the picture; undefined if the version has no such page. The caller revokes it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Translucent marks to lie over either picture where the versions differ; undefined if they do not. */
  readonly marks: string | undefined;
  /** The share of the page that differs, from 0 to 1; 1 if one version lacks the page. */
  readonly share: number;
  /** Width divided by height. */
  readonly ratio: number;
}

/** About 110 dpi: small enough for twenty pages, large enough to read. */
const pixelsPerPoint = 1.5;
/** Ignores anti-aliasing of letters. */
const threshold = 0.12;
const markColor: [number, number, number] = [214, 40, 90];
const markOpacity = 60;
const fieldPixels = 14;

/**
 * Compares the pages of two PDFs one by one. Yields each as soon as it is compared, as pictures kept outside the page's
 * memory.
 */
export async function* comparePages(
  beforeBytes: Uint8Array<ArrayBuffer>,
  afterBytes: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): AsyncGenerator<ComparedPage> {
  const opened: Pdf[] = [];
  try {
    const before = await openPdf(beforeBytes);
    opened.push(before);
    const after = await openPdf(afterBytes);
    opened.push(after);
    for (let page = 0; page < Math.max(before.pageCount, after.pageCount); page += 1) {
      signal.throwIfAborted();
      const [old, next] = await Promise.all([drawPage(before, page, signal), drawPage(after, page, signal)]);
      yield await comparePage(old, next);
    }
  } finally {
    for (const pdf of opened) pdf.close();
  }
}

async function drawPage(pdf: Pdf, page: number, signal: AbortSignal): Promise<HTMLCanvasElement | undefined> {
  return page < pdf.pageCount ? await pdf.draw(page, pixelsPerPoint, signal) : undefined;
}

async function comparePage(
  before: HTMLCanvasElement | undefined,
  after: HTMLCanvasElement | undefined,
): Promise<ComparedPage> {
  const shown = before ?? after;
  const ratio = shown === undefined ? 1 : shown.width / shown.height;
  const [old, next] = await Promise.all([before && toObjectUrl(before), after && toObjectUrl(after)]);
  if (before === undefined || after === undefined) {
    return { before: old, after: next, marks: undefined, share: 1, ratio };
  }
  const width = Math.max(before.width, after.width);
  const height = Math.max(before.height, after.height);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return { before: old, after: next, marks: undefined, share: 0, ratio };
  const marks = context.createImageData(width, height);
  const pixels = [pixelsOf(before, width, height), pixelsOf(after, width, height)] as const;
  const options = { threshold, diffMask: true, diffColor: markColor };
  const count = pixelmatch(...pixels, marks.data, width, height, options);
  paintFields(marks);
  context.putImageData(marks, 0, 0);
  const share = count / (width * height);
  return { before: old, after: next, marks: count === 0 ? undefined : await toObjectUrl(canvas), share, ratio };
}

/**
 * Replaces the differing pixels by translucent marks around them, so that even a changed comma is visible, and a version
 * does not show what only the other one has.
 */
function paintFields({ data, width, height }: ImageData): void {
  const [red, green, blue] = markColor;
  const columns = Math.ceil(width / fieldPixels);
  const differs = new Uint8Array(columns * Math.ceil(height / fieldPixels));
  const fieldAt = (pixel: number): number =>
    Math.floor(Math.floor(pixel / width) / fieldPixels) * columns + Math.floor((pixel % width) / fieldPixels);
  // Anti-aliased pixels have another colour and do not count as differences.
  const isMarked = (pixel: number): boolean => data[pixel * 4 + 3] === 255 && data[pixel * 4 + 1] === green;
  for (let pixel = 0; pixel < width * height; pixel += 1) if (isMarked(pixel)) differs[fieldAt(pixel)] = 1;
  for (let pixel = 0; pixel < width * height; pixel += 1)
    data.set([red, green, blue, differs[fieldAt(pixel)] === 1 ? markOpacity : 0], pixel * 4);
}

/** The pixels of a page, placed on white paper of this size. */
function pixelsOf(page: HTMLCanvasElement, width: number, height: number): Uint8ClampedArray {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return new Uint8ClampedArray(width * height * 4);
  context.fillStyle = 'white';
  context.fillRect(0, 0, width, height);
  context.drawImage(page, 0, 0);
  return context.getImageData(0, 0, width, height).data;
}

function toObjectUrl(canvas: HTMLCanvasElement): Promise<string> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The browser could not keep the picture of a page.'));
      else resolve(URL.createObjectURL(blob));
    });
  });
}
