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

  it('does not warn about the bullets of every Word document', () => {
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
