type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** Backgrounds of the pages (`src/console/styles/tokens.css`): ground, raised and sunken. */
export const backgrounds = {
  light: ['#fbfbfa', '#ffffff', '#f1f2f3'],
  dark: ['#0f1318', '#171d25', '#0a0d11'],
} as const;

/** WCAG 2.2, 1.4.3, for text of a usual size. Rounding of colours may cost a hundredth. */
const minContrast = 4.52;
const steps = 100;

/**
 * The colours that depend on the accent, in light and in dark mode: the accent itself as text on every background and
 * below the text of buttons, the same under the pointer, and a tint behind texts. They are the given colour, mixed with
 * as little black or white as the contrast requires.
 *
 * @param accent `#rrggbb`
 */
export function accentColours(accent: string): Record<'light' | 'dark', Record<string, string>> {
  const base = rgbOf(accent);
  return { light: derive(base, white, black, backgrounds.light), dark: derive(base, black, white, backgrounds.dark) };
}

/** A style sheet that replaces these colours. */
export function accentStyle(accent: string): string {
  const { light, dark } = accentColours(accent);
  const lines = Object.keys(light).map((name) => `  --${name}: light-dark(${light[name]}, ${dark[name]});`);
  return `:root {\n${lines.join('\n')}\n}\n`;
}

function derive(base: Rgb, far: Rgb, near: Rgb, pages: readonly string[]): Record<string, string> {
  const isDark = far === black;
  const tint = mix(isDark ? rgbOf(backgrounds.dark[1]) : white, base, isDark ? 0.16 : 0.09);
  const onAccent = isDark ? mix(black, base, 0.15) : white;
  const against = [...pages.map(rgbOf), tint, onAccent];
  const isLegible = (colour: Rgb): boolean => against.every((other) => contrast(colour, other) >= minContrast);
  let share = 0;
  while (share < steps && !isLegible(rounded(mix(base, near, share / steps)))) share += 1;
  const accent = mix(base, near, share / steps);
  return {
    accent: hexOf(accent),
    'accent-hover': hexOf(mix(accent, near, 0.2)),
    'on-accent': hexOf(onAccent),
    tint: hexOf(tint),
  };
}

const mix = (from: Rgb, to: Rgb, share: number): Rgb => {
  const channel = (index: 0 | 1 | 2): number => from[index] + (to[index] - from[index]) * share;
  return [channel(0), channel(1), channel(2)];
};

const rounded = ([red, green, blue]: Rgb): Rgb => [Math.round(red), Math.round(green), Math.round(blue)];

const rgbOf = (hex: string): Rgb => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

const hexOf = (colour: Rgb): string =>
  `#${rounded(colour)
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

/** WCAG 2.2, contrast ratio: 1 to 21. */
function contrast(one: Rgb, other: Rgb): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (channel: number): number => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
