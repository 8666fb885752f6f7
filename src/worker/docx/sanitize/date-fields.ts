const documentDate =
  /^\s*(?:(?:INFO\s+)?"?(?:CREATE|SAVE|PRINT)DATE"?|DOCPROPERTY\s+"?(?:CreateTime|LastSavedTime|LastPrinted)"?)(?![\w"])(.*)$/is;
/** The picture of these fields when they have none (ECMA-376 part 1, 17.16.5.10). */
const usualPicture = ' \\@ "M/d/yyyy h:mm:ss AM/PM"';

/**
 * The instruction of a DATE field in place of one that shows when the document was created, saved or printed: all of them
 * are the date of the document. LibreOffice would show the time of its conversion. Undefined for other fields.
 */
export function asDocumentDate(instruction: string): string | undefined {
  const switches = documentDate.exec(instruction)?.[1];
  if (switches === undefined) return undefined;
  return ` DATE${/\\@/.test(switches) ? '' : usualPicture} ${switches.trim()} `;
}
