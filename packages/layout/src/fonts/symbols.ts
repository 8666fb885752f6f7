/** Bullets of Word's Symbol font in its private encoding, mapped to LibreOffice's OpenSymbol font. */
const symbols: ReadonlyMap<string, string> = new Map([['\uf0b7', '\ue12c']]);

/** Whether a text in this font is a known symbol. Symbol fonts have no other text. */
export function isSymbol({ family }: { readonly family: string }, text: string): boolean {
  return family === 'Symbol' && symbols.has(text);
}

/** The character that is drawn for a text. */
export function drawnSymbol(text: string): string {
  return symbols.get(text) ?? text;
}
