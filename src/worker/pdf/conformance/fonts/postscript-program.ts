/** The glyphs of a Type 1 or CFF program, which are known by name. */
export interface PostScriptProgram {
  /** Names with advance widths in thousandths of an em; undefined where the width is unknown. */
  readonly glyphs: ReadonlyMap<string, number | undefined>;
  /** The program's own encoding. */
  readonly encoding: ReadonlyMap<number, string>;
}
