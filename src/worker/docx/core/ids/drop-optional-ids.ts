const optional = / w14:(?:paraId|textId)=(?:"[^"]*"|'[^']*')|<w:id\b[^>]*\/>/g;

/** What sections repeat without the ids that need not be there: of paragraphs, rows and content controls. */
export function dropOptionalIds(xml: string): string {
  return xml.includes(' w14:') || xml.includes('<w:id ') ? xml.replace(optional, '') : xml;
}
