import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** Fonts and pictures are kept deflated; pages are new in each document, and a small part of its file. */
const fastest = 1;

/** The objects of a PDF (ISO 32000-1, 7.3.10), numbered from 1 in the order in which they are reserved. */
export class PdfObjects {
  readonly #objects: (readonly Buffer[] | undefined)[] = [];

  /** A number for an object that `set` gives later. */
  reserve(): number {
    return this.#objects.push(undefined);
  }

  set(number: number, text: string): void {
    this.#objects[number - 1] = [Buffer.from(text, 'latin1')];
  }

  add(text: string): number {
    const number = this.reserve();
    this.set(number, text);
    return number;
  }

  /** A stream; `entries` are those of its dictionary but the length and, for one that is compressed here, the filter. */
  addStream(entries: string, data: Uint8Array, isCompressed = false): number {
    const number = this.reserve();
    const bytes = isCompressed ? data : deflateSync(data, { level: fastest });
    const filter = isCompressed ? '' : '/Filter /FlateDecode ';
    this.#objects[number - 1] = [
      Buffer.from(`<<${entries} ${filter}/Length ${bytes.length}>>\nstream\n`, 'latin1'),
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      Buffer.from('\nendstream'),
    ];
    return number;
  }

  /** The whole file. Its identifier follows from its content, so that equal documents are equal files. */
  end(root: number, info: number): Buffer {
    const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
    let length = parts[0]?.length ?? 0;
    const push = (part: Buffer): void => {
      parts.push(part);
      length += part.length;
    };
    const offsets: number[] = [];
    for (const [index, object] of this.#objects.entries()) {
      if (object === undefined) throw new Error(`object ${index + 1} of a PDF has no content`);
      offsets.push(length);
      push(Buffer.from(`${index + 1} 0 obj\n`));
      for (const part of object) push(part);
      push(Buffer.from('\nendobj\n'));
    }
    const digest = createHash('sha256');
    for (const part of parts) digest.update(part);
    const id = `<${digest.digest('hex').slice(0, 32)}>`;
    const size = offsets.length + 1;
    const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    parts.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size} /Root ${root} 0 R /Info ${info} 0 R ` +
          `/ID [${id} ${id}]>>\nstartxref\n${length}\n%%EOF\n`,
      ),
    );
    return Buffer.concat(parts);
  }
}

/** A number with up to three decimals, without zeros at its end. */
export function pdfNumber(value: number): string {
  const rounded = Math.round(value * 1000) / 1000;
  return Object.is(rounded, -0) ? '0' : String(rounded);
}
