import colorString from 'color-string';

const maxColourLength = 64;

/** A CSS colour as six hexadecimal digits; undefined if invalid or transparent. */
export function hexColour(text: string): string | undefined {
  const css = text.trim().toLowerCase();
  if (css.length > maxColourLength) return undefined;
  const found = colorString.get(css);
  if (found === null) return undefined;
  const [a = 0, b = 0, c = 0, alpha = 1] = found.value;
  if (alpha === 0 || found.model === 'hwb') return undefined;
  return (found.model === 'rgb' ? [a, b, c] : rgbOfHsl(a, b / 100, c / 100)).map(hexByte).join('');
}

function hexByte(value: number): string {
  const byte = Math.min(255, Math.max(0, Math.round(value)));
  return byte.toString(16).padStart(2, '0').toUpperCase();
}

/** CSS Color 4, 7.1: hue in degrees, saturation and lightness from 0 to 1. */
function rgbOfHsl(hue: number, saturation: number, lightness: number): number[] {
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12;
    const range = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - range * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
