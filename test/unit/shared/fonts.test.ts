import { describe, expect, it } from 'vitest';
import { checkFonts } from '../../../src/shared/fonts.ts';

describe('checkFonts', () => {
  it('reports which fonts are available, substituted and missing', () => {
    expect(checkFonts(['Calibri', 'carlito', 'Papyrus', 'constructor'], ['Carlito', 'Liberation Sans'])).toEqual([
      { name: 'Calibri', status: 'substituted', substitute: 'Carlito' },
      { name: 'carlito', status: 'available' },
      { name: 'Papyrus', status: 'missing' },
      { name: 'constructor', status: 'missing' },
    ]);
  });

  it('replaces free fonts with the same widths by each other', () => {
    expect(checkFonts(['Arimo', 'Tinos', 'Nimbus Sans L', 'Carlito'], ['Liberation Sans', 'Liberation Serif'])).toEqual(
      [
        { name: 'Arimo', status: 'substituted', substitute: 'Liberation Sans' },
        { name: 'Tinos', status: 'substituted', substitute: 'Liberation Serif' },
        { name: 'Nimbus Sans L', status: 'substituted', substitute: 'Liberation Sans' },
        { name: 'Carlito', status: 'missing', substitute: 'Liberation Sans' },
      ],
    );
  });

  it('names the font that replaces one with other widths', () => {
    const installed = ['Liberation Sans', 'Liberation Serif', 'DejaVu Sans Mono', 'Noto Sans'];
    expect(checkFonts(['Consolas', 'SEGOE UI Light', 'Georgia', 'Arial Narrow', 'Acme Sans'], installed)).toEqual([
      { name: 'Consolas', status: 'missing', substitute: 'DejaVu Sans Mono' },
      { name: 'SEGOE UI Light', status: 'missing', substitute: 'Liberation Sans' },
      { name: 'Georgia', status: 'missing', substitute: 'Liberation Serif' },
      { name: 'Arial Narrow', status: 'missing', substitute: 'Liberation Sans' },
      { name: 'Acme Sans', status: 'missing', substitute: 'Liberation Sans' },
    ]);
  });

  it("does not replace a missing font by an account's font, which documents must name", () => {
    expect(checkFonts(['Georgia', 'Gelasio'], ['Caladea'], ['gelasio'])).toEqual([
      { name: 'Georgia', status: 'missing', substitute: 'Caladea' },
      { name: 'Gelasio', status: 'available' },
    ]);
  });

  it('does not warn about the bullets in every Word document', () => {
    expect(checkFonts(['Symbol', 'Webdings', 'Wingdings'], ['OpenSymbol'])).toEqual([
      { name: 'Symbol', status: 'substituted', substitute: 'OpenSymbol' },
      { name: 'Webdings', status: 'missing' },
      { name: 'Wingdings', status: 'substituted', substitute: 'OpenSymbol' },
    ]);
    expect(checkFonts(['Wingdings'], ['Carlito'])).toEqual([{ name: 'Wingdings', status: 'missing' }]);
  });

  it('reports every font as unknown until a worker has announced its fonts', () => {
    expect(checkFonts(['Calibri'], undefined)).toEqual([{ name: 'Calibri', status: 'unknown' }]);
  });
});
