import { pdfNumber } from './pdf-objects.ts';

export const black = '000000';

/**
 * The graphics state that the content of a page has set so far. Returns operators only for changes, each followed by a
 * space (ISO 32000-1, 8.4 and 9.3), because pages of text and tables change little.
 */
export class GraphicsState {
  #fill = black;
  #stroke = black;
  #lineWidth = '1';
  #font = '';

  /** Sets the colour of text and areas, as RRGGBB. */
  fill(color: string): string {
    if (color === this.#fill) return '';
    this.#fill = color;
    return `${components(color)} rg `;
  }

  /** Sets the colour of lines, as RRGGBB. */
  stroke(color: string): string {
    if (color === this.#stroke) return '';
    this.#stroke = color;
    return `${components(color)} RG `;
  }

  /** Sets the width of lines in points. */
  lineWidth(points: number): string {
    const width = pdfNumber(points);
    if (width === this.#lineWidth) return '';
    this.#lineWidth = width;
    return `${width} w `;
  }

  /** Sets a font by its resource name, and its size in points. */
  font(name: string, size: number): string {
    const font = `/${name} ${pdfNumber(size)} Tf `;
    if (font === this.#font) return '';
    this.#font = font;
    return font;
  }
}

/** The components of a colour (8.6.8). */
function components(color: string): string {
  return [0, 2, 4].map((at) => pdfNumber(Number.parseInt(color.slice(at, at + 2), 16) / 255)).join(' ');
}
