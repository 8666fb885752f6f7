/** A short notation of a document's body: paragraphs and runs with their properties, links and tables. */
export function outline(xml: string): string {
  const body = /<w:body>([\s\S]*)<w:sectPr/.exec(xml)?.[1] ?? xml;
  return body
    .replace(/<w:r>(?:<w:rPr>[\s\S]*?<\/w:rPr>)?<w:t xml:space="preserve"><\/w:t><\/w:r>/g, '')
    .replace(/<w:rPr>([\s\S]*?)<\/w:rPr>/g, (_, inner: string) => `{${short(inner)}}`)
    .replace(/<w:pPr>([\s\S]*?)<\/w:pPr>/g, (_, inner: string) => `[${short(inner)}]`)
    .replace(/<w:t(?: [^>]*)?>|<\/w:t>|<w:r>|<\/w:r>/g, '')
    .replace(/<w:hyperlink[^>]*>/g, '<a>')
    .replaceAll('</w:hyperlink>', '</a>')
    .replaceAll('<w:br/>', '⏎')
    .replaceAll('<w:tab/>', '⇥')
    .replace(/<w:tblPr>[\s\S]*?<\/w:tblGrid>/g, '')
    .replace(/<w:tcPr><w:tcW[^>]*>([\s\S]*?)<\/w:tcPr>/g, (_, inner: string) =>
      inner === '' ? '' : `[${short(inner)}]`,
    )
    .replace(/<w:trPr>([\s\S]*?)<\/w:trPr>/g, (_, inner: string) => `[${short(inner)}]`)
    .replaceAll('w:', '');
}

function short(properties: string): string {
  return properties
    .replace(/<w:(\w+)((?: [^<>]*)?)\/>/g, (_, name: string, attributes: string) => {
      const values = [...attributes.matchAll(/="([^"]*)"/g)].map(([, value]) => value);
      return values.length === 0 ? `${name} ` : `${name}=${values.join(',')} `;
    })
    .replace(/<w:(\w+)>/g, '$1(')
    .replace(/ ?<\/w:\w+>/g, ') ')
    .trim();
}
