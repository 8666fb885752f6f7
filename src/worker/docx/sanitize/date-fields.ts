const documentDate =
  /^\s*(?:(?:INFO\s+)?"?(?:CREATE|SAVE|PRINT)DATE"?|DOCPROPERTY\s+"?(?:CreateTime|LastSavedTime|LastPrinted)"?)(?![\w"])(.*)$/is;
/** The default date format of these fields (ECMA-376 part 1, 17.16.5.10). */
const usualPicture = ' \\@ "M/d/yyyy h:mm:ss AM/PM"';

/**
 * Replaces a field that shows when the document was created, saved or printed by a DATE field, since all of these are
 * the document's date. LibreOffice would print the time of its conversion instead. Undefined for other fields.
 */
export function asDocumentDate(instruction: string): string | undefined {
  const switches = documentDate.exec(instruction)?.[1];
  if (switches === undefined) return undefined;
  return ` DATE${/\\@/.test(switches) ? '' : usualPicture} ${switches.trim()} `;
}
