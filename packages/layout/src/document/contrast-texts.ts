import type { Block, Inline, Paragraph } from './tree.ts';

/**
 * The lightest shading, of 255, on which LibreOffice prints text of automatic colour in white (`Color::IsDark`, 25.2).
 */
const darkest = 158;
const white = 'FFFFFF';

/**
 * Sets the colour of text of automatic colour on dark shading. `shading` is the colour behind the blocks, as RRGGBB.
 */
export function contrastTexts(blocks: readonly Block[], shading?: string): readonly Block[] {
  return blocks.map((block) => {
    if (block.kind === 'paragraph') return contrastParagraph(block, shading);
    const rows = block.rows.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => ({ ...cell, blocks: contrastTexts(cell.blocks, cell.shading ?? shading) })),
    }));
    return { ...block, rows };
  });
}

function contrastParagraph(paragraph: Paragraph, shading: string | undefined): Paragraph {
  const around = paragraph.format.shading ?? shading;
  const isOnDark = ({ format }: Inline): boolean => {
    const behind = format.shading ?? around;
    return format.color === undefined && behind !== undefined && luminanceOf(behind) <= darkest;
  };
  if (!paragraph.inlines.some(isOnDark)) return paragraph;
  const inlines = paragraph.inlines.map((inline) =>
    isOnDark(inline) ? { ...inline, format: { ...inline.format, color: white } } : inline,
  );
  return { ...paragraph, inlines };
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  return (blue * 29 + green * 151 + red * 76) >> 8;
}
