import { emuPer } from '../../core/pictures/length.ts';
import type { Size } from '../../core/pictures/picture.ts';

/** The `style` of a VML shape (ECMA-376 part 4, 19.1.2.19), names in small letters. */
export type Style = ReadonlyMap<string, string>;

const length = /^(-?(?:\d{1,7}(?:\.\d{1,7})?|\.\d{1,7}))(px|pt|pc|mm|cm|in)?$/i;

export function readStyle(text: string): Style {
  const style = new Map<string, string>();
  for (const declaration of text.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon > 0) style.set(declaration.slice(0, colon).trim().toLowerCase(), declaration.slice(colon + 1).trim());
  }
  return style;
}

export function writeStyle(style: Style): string {
  return Array.from(style, ([name, value]) => `${name}:${value}`).join(';');
}

/** A length in EMU; one without a unit counts pixels. */
export function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = 'px'] = length.exec(text ?? '') ?? [];
  return number === undefined ? undefined : Number(number) * emuPer[unit.toLowerCase() as keyof typeof emuPer];
}

/** The style of a shape of another size whose middle stays where it was. */
export function movedBy(style: Style, spare: Size, size: Size): Style {
  const changed = new Map(style);
  changed.set('width', points(size.width));
  changed.set('height', points(size.height));
  // Shares of the page would win over the size.
  changed.delete('mso-width-percent');
  changed.delete('mso-height-percent');
  for (const [name, whole] of [
    ['margin-left', spare.width],
    ['margin-top', spare.height],
  ] as const) {
    const offset = lengthOf(style.get(name));
    if (offset !== undefined && style.get('position') === 'absolute') changed.set(name, points(offset + whole / 2));
  }
  return changed;
}

function points(emu: number): string {
  return `${Number((emu / emuPer.pt).toFixed(2))}pt`;
}
