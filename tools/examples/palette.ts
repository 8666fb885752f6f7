/** The house colours of Linden Works, the made-up company whose documents these are. */
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

/** Both have substitutes of equal metrics (Carlito, Caladea), so that pages break alike without them. */
export const fonts = { body: 'Calibri', heading: 'Cambria' } as const;
