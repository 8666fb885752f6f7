/*
 * Marks in the markup between the compilation of a template and its last repairs. At that point templates contain no
 * other processing instructions, and finished documents contain none of these.
 */

/** Precedes a page setup whose section has tags in the template, so that the section may become empty. */
export const taggedSetup = '<?section tagged?>';
/** Precedes a page setup that was in the paragraph of an opening or closing tag. */
export const movedSetup = '<?section moved?>';
/** Precedes a page setup that was in the paragraph of an opening tag. */
export const openingSetup = '<?section opening?>';

const setup =
  '<w:sectPr\\b(?:[^>]*/>|[\\s\\S]*?(?:<w:sectPrChange\\b[\\s\\S]*?</w:sectPrChange\\s*>[\\s\\S]*?)?</w:sectPr\\s*>)';

/** Matches a page setup with the marks before it. */
export const setupPattern = `(?:<\\?section (?:tagged|moved|opening)\\?>)*${setup}`;
export const marksPattern = /<\?section (?:tagged|moved|opening)\?>/g;

/** The page setups in markup, without their marks. */
export function setupsIn(xml: string): string[] {
  if (!xml.includes('<w:sectPr')) return [];
  return [...(xml.match(new RegExp(setup, 'g')) ?? [])];
}

/** Stands for the page setups of a section that prints nothing. */
export function absentSetups(setups: readonly string[]): string {
  return setups.map((xml, i) => `<?section ${i === 0 ? 'left' : 'gone'} ${xml}?>`).join('');
}

export const absentPattern = '<\\?section (left|gone) ([\\s\\S]*?)\\?>';
