import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Fonts and pictures are kept deflated; pages are new in each document, and a small part of its file. */
const fastest = 1;

/** The objects of a PDF (ISO 32000-1, 7.3.10), numbered from 1 in the order in which they are reserved. */
export class PdfObjects {
  /** Text in Latin-1, and the bytes of streams. */
  readonly #objects: (readonly (string | Uint8Array)[] | undefined)[] = [];

  /** A number for an object that `set` gives later. */
  reserve(): number {
    return this.#objects.push(undefined);
  }

  set(number: number, text: string): void {
    this.#objects[number - 1] = [text];
  }

  add(text: string): number {
    return this.#objects.push([text]);
  }

  /** A stream; `entries` are those of its dictionary but the length and, for one that is compressed here, the filter. */
  addStream(entries: string, data: Uint8Array, isCompressed = false): number {
    const bytes = isCompressed ? data : deflateSync(data, { level: fastest });
    const filter = isCompressed ? '' : '/Filter /FlateDecode ';
    return this.#objects.push([`<<${entries} ${filter}/Length ${bytes.length}>>\nstream\n`, bytes, '\nendstream']);
  }

  /** The whole file. Its identifier follows from its content, so that equal documents are equal files. */
  end(root: number, info: number): Buffer {
    const parts: (string | Uint8Array)[] = ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'];
    let length = parts[0]?.length ?? 0;
    const push = (part: string | Uint8Array): void => {
      parts.push(part);
      length += part.length;
    };
    const offsets: number[] = [];
    for (const [index, object] of this.#objects.entries()) {
      if (object === undefined) throw new Error(`object ${index + 1} of a PDF has no content`);
      offsets.push(length);
      push(`${index + 1} 0 obj\n`);
      for (const part of object) push(part);
      push('\nendobj\n');
    }
    const size = offsets.length + 1;
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const trailerOf = (id: string): string =>
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size} /Root ${root} 0 R /Info ${info} 0 R ` +
      `/ID [<${id}> <${id}>]>>\nstartxref\n${length}\n%%EOF\n`;
    const file = Buffer.allocUnsafe(length + trailerOf('0'.repeat(idDigits)).length);
    let at = 0;
    for (const part of parts) {
      if (typeof part === 'string') file.write(part, at, 'latin1');
      else file.set(part, at);
      at += part.length;
    }
    file.write(trailerOf(hash('sha256', file.subarray(0, length), 'hex').slice(0, idDigits)), length, 'latin1');
    return file;
  }
}

const idDigits = 32;

/** A number with up to three decimals, without zeros at its end. */
export function pdfNumber(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Object.is(rounded, -0) ? '0' : String(rounded);
}

/** A text string (7.9.2.2) in UTF-16. */
export function textString(text: string): string {
  return `<${Buffer.from(`\ufeff${text.toWellFormed()}`, 'utf16le').swap16().toString('hex')}>`;
}
