/** Characters that a terminal or a report would interpret: controls, line ends and bidirectional marks. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;
/** Invisible characters, except those that join, select or shape visible ones. */
const invisible =
  /(?!\p{Variation_Selector}|\p{Join_Control}|\u034f|[\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point}/u;
/** Excludes the Braille pattern without dots, which is blank. */
const visible = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a name is visible text on one line, without control or invisible characters. */
export const isDisplayName = (name: string): boolean =>
  !unprintable.test(name) && !invisible.test(name) && visible.test(name);
