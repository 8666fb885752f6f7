import { deflatedStream, type PdfParts, rawStream } from './pdf-stream.ts';
import { writeFile } from './write-file.ts';

/** The objects of a PDF (ISO 32000-1, 7.3.10), numbered from 1 in the order of their reservation. */
export class PdfObjects {
  readonly #objects: (PdfParts | undefined)[] = [];

  /** Reserves a number for an object that `set` defines later. */
  reserve(): number {
    return this.#objects.push(undefined);
  }

  set(number: number, text: string): void {
    this.#objects[number - 1] = [text];
  }

  add(text: string): number {
    return this.#objects.push([text]);
  }

  /**
   * Adds a stream. `entries` are those of its dictionary, without the length and, if it is compressed here, without the
   * filter.
   */
  addStream(entries: string, data: Uint8Array, isCompressed = false): number {
    return this.#objects.push(isCompressed ? rawStream(entries, data) : deflatedStream(entries, data));
  }

  /** Returns the whole file. `root` and `info` are the object numbers of the catalog and the document information. */
  end(root: number, info: number): Buffer {
    return writeFile(this.#objects, root, info);
  }
}

/** A number with up to three decimals, without trailing zeros. */
export function pdfNumber(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

/** Encodes a text string (7.9.2.2) in UTF-16. */
export function textString(text: string): string {
  return `<${Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16().toString('hex')}>`;
}
