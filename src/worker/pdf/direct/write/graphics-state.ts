import { pdfNumber } from './pdf-objects.ts';

export const black = '000000';

/**
 * What the content of a page has set so far: operators for what changes, each with a space behind it (ISO 32000-1, 8.4 and 9.3). Pages of
 * text and tables change little.
 */
export class GraphicsState {
  #fill = black;
  #stroke = black;
  #lineWidth = '1';
  #font = '';

  /** The colour of text and areas, RRGGBB. */
  fill(color: string): string {
    if (color === this.#fill) return '';
    this.#fill = color;
    return `${components(color)} rg `;
  }

  /** The colour of lines, RRGGBB. */
  stroke(color: string): string {
    if (color === this.#stroke) return '';
    this.#stroke = color;
    return `${components(color)} RG `;
  }

  /** The width of lines in points. */
  lineWidth(points: number): string {
    const width = pdfNumber(points);
    if (width === this.#lineWidth) return '';
    this.#lineWidth = width;
    return `${width} w `;
  }

  /** A font by the name of its resource, and its size in points. */
  font(name: string, size: number): string {
    const font = `/${name} ${pdfNumber(size)} Tf `;
    if (font === this.#font) return '';
    this.#font = font;
    return font;
  }
}

/** The parts of a colour (8.6.8). */
function components(color: string): string {
  return [0, 2, 4].map((at) => pdfNumber(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ');
}
