import { UnknownFeature } from '../unknown-feature.ts';
import type { Block } from './tree.ts';

/** LibreOffice prints text of the automatic colour in white on shading that is darker than this, of 255 (`Color::IsDark`). */
const darkest = 70;

/** Throws UnknownFeature if text of the automatic colour stands on dark shading, given as RRGGBB. */
export function requireContrast(shading: string | undefined, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind === 'table') {
      for (const row of block.rows) for (const cell of row.cells) requireContrast(cell.shading ?? shading, cell.blocks);
      continue;
    }
    for (const { format } of block.inlines) {
      const behind = format.shading ?? block.format.shading ?? shading;
      if (format.color === undefined && behind !== undefined && luminanceOf(behind) <= darkest)
        throw new UnknownFeature('text of the automatic colour on dark shading');
    }
  }
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (blue * 29 + green * 151 + red * 76) >> 8;
}
