/** The colours of Linden Works, the fictional company of the examples. */
export const palette = {
  ink: '1F2A24',
  green: '1F5B45',
  leaf: '3C8A67',
  mist: 'EEF4F0',
  line: 'CBD8D0',
  muted: '62706A',
  amber: 'C98A1B',
  cream: 'FBF6EA',
  white: 'FFFFFF',
} as const;

/** Both have metric-compatible substitutes (Carlito, Caladea), so page breaks stay the same without them. */
export const fonts = { body: 'Calibri', heading: 'Cambria' } as const;
