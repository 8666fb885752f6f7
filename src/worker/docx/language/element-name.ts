/** The name, prefix included, of the element whose tag starts at `start` (after `<` or `</`) and ends at `close`. */
export function elementName(xml: string, start: number, close: number): string {
  let end = start;
  while (end < close) {
    const code = xml.charCodeAt(end);
    if (code === 0x20 || code === 0x2f || code === 0x0a || code === 0x0d || code === 0x09) break;
    end++;
  }
  return xml.slice(start, end);
}
