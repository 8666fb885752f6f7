/** Whether a string is a BCP 47 language tag, such as `de-AT`, whose numbers and dates this Node.js can format. */
export function isLocale(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}
