import { deflateSync } from 'node:zlib';

/** A PDF with an empty page and an attachment. Its metadata declares a profile of Factur-X. */
export function pdfWithAttachment(name: string, content: Uint8Array, profile: string): Buffer {
  const packed = deflateSync(content);
  const xmp = Buffer.from(
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">' +
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ' +
      'xmlns:fx="urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#">' +
      `<fx:ConformanceLevel>${profile}</fx:ConformanceLevel></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`,
  );
  const objects: readonly (readonly [text: string, stream?: Uint8Array])[] = [
    [`<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R/AF[5 0 R]/Names<</EmbeddedFiles<</Kids[7 0 R]>>>>>>`],
    ['<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    ['<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>'],
    [`<</Type/EmbeddedFile/Subtype/text#2Fxml/Filter/FlateDecode/Length ${packed.length}>>`, packed],
    [`<</Type/Filespec/F(${name})/UF(${name})/AFRelationship/Alternative/EF<</F 4 0 R>>>>`],
    [`<</Type/Metadata/Subtype/XML/Length ${xmp.length}>>`, xmp],
    [`<</Names[(${name})5 0 R]/Limits[(${name})(${name})]>>`],
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  for (const [index, [text, stream]] of objects.entries()) {
    offsets.push(Buffer.concat(parts).length);
    const body =
      stream === undefined ? [] : [Buffer.from('\nstream\n'), Buffer.from(stream), Buffer.from('\nendstream')];
    parts.push(Buffer.from(`${index + 1} 0 obj\n${text}`), ...body, Buffer.from('\nendobj\n'));
  }
  const start = Buffer.concat(parts).length;
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
