/** The operators of content streams by what they do (ISO 32000-1, annex A). */
export const pathPainting = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*']);
export const textShowing = new Set(['Tj', 'TJ', "'", '"']);
export const deviceColours: ReadonlyMap<string, string> = new Map([
  ...[['g', 'DeviceGray'] as const, ['G', 'DeviceGray'] as const],
  ...[['rg', 'DeviceRGB'] as const, ['RG', 'DeviceRGB'] as const],
  ...[['k', 'DeviceCMYK'] as const, ['K', 'DeviceCMYK'] as const],
]);
export const settingColours = new Set(['cs', 'CS', 'sc', 'scn', 'SC', 'SCN', ...deviceColours.keys()]);
export const silentOperators = new Set(
  'w J j M d i cm m l c v y h re W W* n BT ET Tc Tw Tz TL Ts Td TD Tm T* d0 d1 SC SCN sc scn BX EX BI ID EI MP DP'.split(
    ' ',
  ),
);
