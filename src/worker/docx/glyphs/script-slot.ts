const eastAsian =
  /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\u{20000}-\u{3ffff}]/u;
const complex = /[\u0590-\u109f\u1780-\u18af\ua8e0-\ua8ff\ufb1d-\ufdff\ufe70-\ufefc]/u;

/** Which of the four fonts of a run prints a character (ECMA-376 part 1, 17.3.2.26). */
export function slotOf(character: string): 'eastAsia' | 'cs' | 'ascii' | 'hAnsi' {
  if (eastAsian.test(character)) return 'eastAsia';
  if (complex.test(character)) return 'cs';
  return character < '\u0080' ? 'ascii' : 'hAnsi';
}
