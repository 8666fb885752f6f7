/** The format of a style within a table. The table style overrides only the document defaults (17.7.2). */
export function withTable<T extends object>(ofStyle: T, table: Partial<T> | undefined, own: Partial<T>): T {
  const format = overlay(ofStyle, table);
  return format === ofStyle ? ofStyle : overlay(format, own);
}

/** The last result for each overlaid format. */
const overlays = new WeakMap<object, { readonly under: object; readonly format: object }>();

/**
 * The values of `over` on top of `under`. The results are shared, because the paragraphs of a long table have few
 * formats.
 */
export function overlay<T extends object>(under: T, over: Partial<T> | undefined): T {
  if (over === undefined || Object.keys(over).length === 0) return under;
  const last = overlays.get(over);
  if (last?.under === under) return last.format as T;
  const format = { ...under, ...over };
  overlays.set(over, { under, format });
  return format;
}
