/** The e-mail addresses of a text, between commas, semicolons or line breaks; a tag in braces may contain those. */
export function splitAddresses(text: string): readonly string[] {
  return text
    .split(/[,;\n](?![^{]*\})/)
    .map((address) => address.trim())
    .filter((address) => address !== '');
}
