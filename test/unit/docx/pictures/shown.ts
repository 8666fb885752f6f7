import { readRelationships, relationshipsPartOf, resolveTarget } from '@docmill/word/relationships';
import type { DocxPackage } from '../../../../src/worker/docx/package/open-package.ts';
import type { DocxInput } from '../../../support/documents/docx-builder.ts';
import { type How, render } from '../render/fill.ts';

export interface ShownPicture {
  readonly widthCm: number;
  readonly heightCm: number;
  readonly alt: string;
  readonly id: string;
  /** How much is cropped left, top, right and bottom, in thousandths of a percent. Empty without a crop. */
  readonly crop: readonly number[];
  readonly offsets: readonly number[];
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly xml: string;
}

/** The pictures in a part of the filled template, in document order. */
export function picturesOf(file: DocxPackage, part = 'word/document.xml'): ShownPicture[] {
  const xml = file.readText(part) ?? '';
  const relationships = readRelationships(file.readText(relationshipsPartOf(part)) ?? '');
  return (xml.match(/<w:drawing>(?:(?!<w:drawing>).)*?<\/pic:pic>.*?<\/w:drawing>/gs) ?? []).map((drawing) => {
    const found = (pattern: RegExp) => pattern.exec(drawing)?.slice(1) ?? [];
    const [cx = '0', cy = '0'] = found(/<wp:extent cx="(\d+)" cy="(\d+)"/);
    const shape = found(/<a:ext cx="(\d+)" cy="(\d+)"/);
    if (shape.join() !== [cx, cy].join()) throw new Error(`the shape is ${shape.join()}, its frame ${cx},${cy}`);
    const [embed] = found(/r:embed="([^"]*)"/);
    const target = relationships.find(({ id }) => id === embed)?.target ?? '';
    const name = resolveTarget(part, target);
    return {
      widthCm: Number(cx) / 360_000,
      heightCm: Number(cy) / 360_000,
      alt: found(/<wp:docPr[^>]*? descr="([^"]*)"/)[0] ?? '',
      id: found(/<wp:docPr[^>]*? id="(\d+)"/)[0] ?? '',
      crop: found(/<a:srcRect l="(-?\d+)" t="(-?\d+)" r="(-?\d+)" b="(-?\d+)"/).map(Number),
      offsets: [...drawing.matchAll(/<wp:posOffset>(-?\d+)</g)].map(([, offset]) => Number(offset)),
      bytes: file.read(name) ?? Buffer.alloc(0),
      contentType: file.contentType(name),
      xml: drawing,
    };
  });
}

export function shown(template: DocxInput | string, data: unknown, how: How = {}): ShownPicture[] {
  return picturesOf(render(template, data, how).docx);
}

/** Width and height in centimetres, to a tenth of a millimetre. */
export function sizes(pictures: readonly ShownPicture[]): string[] {
  return pictures.map(({ widthCm, heightCm }) => `${widthCm.toFixed(2)} x ${heightCm.toFixed(2)}`);
}
