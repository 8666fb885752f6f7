import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accentColours, accentStyle, backgrounds } from '../../../../../src/api/pages/brand/accent-style.ts';

/** WCAG 2.2, relative luminance, written as in its definition. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const tokens = readFileSync('src/console/styles/tokens.css', 'utf8');
/** The colour of a token of the console, in light or in dark mode. */
const token = (name: string, mode: 'light' | 'dark'): string => {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  return mode === 'light' ? light : dark;
};
const modes = ['light', 'dark'] as const;
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('the colours of an accent', () => {
  it('are legible on every background in light and in dark mode, whatever the accent', () => {
    fc.assert(
      fc.property(hex, (accent) => {
        for (const mode of modes) {
          const {
            accent: text = '',
            'accent-hover': hover = '',
            'on-accent': on = '',
            tint = '',
          } = accentColours(accent)[mode];
          for (const background of [...backgrounds[mode], tint])
            expect(contrast(text, background)).toBeGreaterThan(4.5);
          expect(contrast(text, on)).toBeGreaterThan(4.5);
          expect(contrast(hover, on)).toBeGreaterThan(4.5);
          for (const name of ['text', 'muted']) expect(contrast(token(name, mode), tint)).toBeGreaterThan(4.5);
        }
      }),
      { examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#0000ff'], ['#808080']] },
    );
  });

  it('keep an accent that is legible already', () => {
    expect(accentColours('#1f5fd0').light.accent).toBe('#1f5fd0');
    expect(accentColours('#7fadff').dark.accent).toBe('#7fadff');
  });

  it('are checked against the backgrounds of the console', () => {
    for (const mode of modes)
      expect(backgrounds[mode]).toEqual(['ground', 'raised', 'sunken'].map((name) => token(name, mode)));
  });

  it('replace the tokens of the console', () => {
    const names = [...accentStyle('#0a7d55').matchAll(/--([\w-]+): light-dark\(#\w{6}, #\w{6}\);/g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(['accent', 'accent-hover', 'on-accent', 'tint']);
    for (const name of names) expect(tokens).toContain(`--${name}: light-dark(`);
  });
});
