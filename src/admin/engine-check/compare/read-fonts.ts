import { runPoppler } from './run-poppler.ts';

/**
 * The sorted names of a PDF's fonts, without subset prefixes. Fonts that are not embedded end with ` (not embedded)`.
 */
export async function readFonts(pdfPath: string): Promise<readonly string[]> {
  return parseFonts(await runPoppler('pdffonts', [pdfPath]));
}

/** Columns: name, type, encoding, embedded, subset, Unicode, object ID (two numbers). */
const row = /^(.*?)\s+(?:Type |TrueType|CID |Type3)[\w ()]*?\s+\S+\s+(yes|no)\s+(?:yes|no)\s+(?:yes|no)\s+\d+\s+\d+$/;

/** Reads the output of `pdffonts`. */
export function parseFonts(output: string): readonly string[] {
  const fonts = new Set<string>();
  for (const line of output.split('\n').slice(2)) {
    const [, name = '', embedded] = row.exec(line.trimEnd()) ?? [];
    if (embedded === undefined) continue;
    fonts.add(`${name.replace(/^[A-Z]{6}\+/, '')}${embedded === 'yes' ? '' : ' (not embedded)'}`);
  }
  return [...fonts].sort();
}
