/** The format of a style in a table, whose style is stronger than the defaults of the document alone (17.7.2). */
export function withTable<T extends object>(ofStyle: T, table: Partial<T> | undefined, own: Partial<T>): T {
  const format = overlay(ofStyle, table);
  return format === ofStyle ? ofStyle : overlay(format, own);
}

/** The last result for each format on top of another one. */
const overlays = new WeakMap<object, { readonly under: object; readonly format: object }>();

/** What is under it, with what `over` sets. The paragraphs of a long table share few formats. */
export function overlay<T extends object>(under: T, over: Partial<T> | undefined): T {
  if (over === undefined || Object.keys(over).length === 0) return under;
  const last = overlays.get(over);
  if (last?.under === under) return last.format as T;
  const format = { ...under, ...over };
  overlays.set(over, { under, format });
  return format;
}
