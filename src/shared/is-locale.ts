/** Whether a text is a language tag (BCP 47) whose numbers and dates this Node.js can format, such as `de-AT`. */
export function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}
