/** Bullets of Word's font Symbol in its private encoding, and where LibreOffice's font OpenSymbol has them. */
const symbols: ReadonlyMap<string, string> = new Map([['\uf0b7', '\ue12c']]);

/** Whether a text in this font is a known symbol. Fonts of symbols have no other text. */
export function isSymbol({ family }: { readonly family: string }, text: string): boolean {
  return family === 'Symbol' && symbols.has(text);
}

/** The character that is drawn for a text. */
export function drawnSymbol(text: string): string {
  return symbols.get(text) ?? text;
}
