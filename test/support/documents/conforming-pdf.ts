/** A PDF whose objects have names. `@name` refers to another object. */
export interface PdfParts {
  readonly objects: Record<string, string>;
  /** Data of streams, by the name of the object. */
  readonly streams: Record<string, Buffer>;
  trailer: string;
  header: string;
  end: string;
}

const cmap = (code: string, value: string): string =>
  `begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <${code}> <${value}> endbfchar endcmap`;

const metadata = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt><rdf:li xml:lang="de">Bericht</rdf:li><rdf:li xml:lang="x-default">Report</rdf:li></rdf:Alt></dc:title></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2026-01-02T03:04:05Z"/>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA</pdfaSchema:schema><pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI><pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource"><pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType><pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>Part of ISO 14289</pdfaProperty:description></rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/"><pdfuaid:part>1</pdfuaid:part></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>`;

const content = `/Artifact BMC 0 0 1 rg 10 10 100 1 re f EMC
/H1 <</MCID 0>> BDC BT /F1 12 Tf (\\001\\001) Tj ET EMC
/P <</MCID 1>> BDC BT /F1 12 Tf [(\\001) 20 <01>] TJ ET EMC
/Figure <</MCID 2>> BDC q 20 0 0 20 50 50 cm /I1 Do Q EMC
/TH <</MCID 3>> BDC BT /F2 9 Tf <0001> Tj ET EMC
/TD <</MCID 4>> BDC /X1 Do EMC
/Link <</MCID 5>> BDC BT /F1 12 Tf (\\001) Tj ET EMC
/Lbl <</MCID 6>> BDC BT /F1 12 Tf (\\001) Tj ET EMC
/Note <</MCID 7>> BDC q /G1 gs BT /F1 8 Tf (\\001) Tj ET Q EMC`;

const element = (type: string, parent: string, kids: string, more = ''): string =>
  `<</Type /StructElem /S /${type} /P @${parent} /Pg @page /K ${kids} ${more}>>`;

/**
 * The parts of a small file with a heading, text, a picture, a table, a link, a list and a note, which meets PDF/A-2b
 * and PDF/UA-1.
 */
export function conformingParts(): PdfParts {
  return {
    header: '%PDF-1.7\n%\xe4\xfc\xf6\xdf\n',
    trailer: '/Root @catalog /Info @info /ID [<0011> <0011>]',
    end: '%%EOF\n',
    objects: {
      catalog:
        '<</Type /Catalog /Pages @pages /Lang (en-GB) /MarkInfo <</Marked true>> /ViewerPreferences <</DisplayDocTitle true>> /StructTreeRoot @root /Metadata @metadata /OutputIntents [@intent]>>',
      pages: '<</Type /Pages /Count 1 /Kids [@page]>>',
      page: '<</Type /Page /Parent @pages /MediaBox [0 0 300 200] /Resources @resources /Contents @content /StructParents 0 /Tabs /S /Annots [@annotation]>>',
      resources: '<</Font <</F1 @font /F2 @wideFont>> /XObject <</I1 @image /X1 @form>> /ExtGState <</G1 @state>>>>',
      content: '<<>>',
      info: '<</Title (Report) /CreationDate (D:20260102030405Z)>>',
      metadata: '<</Type /Metadata /Subtype /XML>>',
      intent: '<</Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) /DestOutputProfile @profile>>',
      profile: '<</N 3>>',
      font: '<</Type /Font /Subtype /TrueType /BaseFont /AAAAAA+Test /FirstChar 0 /LastChar 1 /Widths [0 500] /FontDescriptor @descriptor /ToUnicode @unicode>>',
      descriptor: '<</Type /FontDescriptor /FontName /AAAAAA+Test /Flags 4 /FontFile2 @program>>',
      program: '<<>>',
      unicode: '<<>>',
      wideFont:
        '<</Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Wide /Encoding /Identity-H /DescendantFonts [@cidFont] /ToUnicode @wideUnicode>>',
      cidFont:
        '<</Type /Font /Subtype /CIDFontType2 /BaseFont /AAAAAA+Wide /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /CIDToGIDMap /Identity /W [1 [500]] /FontDescriptor @wideDescriptor>>',
      wideDescriptor: '<</Type /FontDescriptor /FontName /AAAAAA+Wide /Flags 4 /FontFile2 @program>>',
      wideUnicode: '<<>>',
      image: '<</Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB>>',
      form: '<</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</Font <</F1 @font>>>>>>',
      state: '<</Type /ExtGState /ca 1 /BM /Normal>>',
      annotation:
        '<</Type /Annot /Subtype /Link /Rect [0 0 9 9] /F 4 /Contents (the page) /Dest [@page /Fit] /StructParent 1>>',
      root: '<</Type /StructTreeRoot /K @document /ParentTree @parents /RoleMap <</Standard /P /Fancy /Standard>>>>',
      parents:
        '<</Kids [<</Limits [0 1] /Nums [0 [@heading @text @figure @headCell @cell @link @label @note] 1 @link]>>]>>',
      document: element('Document', 'root', '[@heading @text @figure @table @list @note]'),
      heading: element('H1', 'document', '[0]'),
      text: element('Fancy', 'document', '[1 @link]'),
      figure: element('Figure', 'document', '[2]', '/Alt (a square)'),
      table: element('Table', 'document', '[@head @body]'),
      head: element('THead', 'table', '@headRow'),
      body: element('TBody', 'table', '@row'),
      headRow: element('TR', 'head', '[@headCell]'),
      headCell: element('TH', 'headRow', '3', '/A <</O /Table /Scope /Column>>'),
      row: element('TR', 'body', '[@cell]'),
      cell: element('TD', 'row', '4'),
      link: element('Link', 'text', '[5 <</Type /OBJR /Obj @annotation>>]'),
      list: element('L', 'document', '[@item]'),
      item: element('LI', 'list', '[@label @itemBody]'),
      label: element('Lbl', 'item', '6'),
      itemBody: element('LBody', 'item', '[]'),
      note: element('Note', 'document', '7', '/ID (note1)'),
    },
    streams: {
      content: Buffer.from(content),
      metadata: Buffer.from(metadata),
      profile: iccProfile(),
      program: trueTypeProgram(500),
      unicode: Buffer.from(cmap('01', '0041')),
      wideUnicode: Buffer.from(cmap('0001', '0042')),
      image: Buffer.alloc(3),
      form: Buffer.from('BT /F1 9 Tf (\\001) Tj ET'),
    },
  };
}

/** Writes the parts as a file with a cross-reference table. */
export function toPdf({ objects, streams, header, trailer, end }: PdfParts): Buffer {
  const names = Object.keys(objects);
  const refer = (text: string): string =>
    text.replace(/@(\w+)/g, (_all, name: string) => (names.includes(name) ? `${names.indexOf(name) + 1} 0 R` : 'null'));
  let text = header;
  const offsets = names.map((name, index) => {
    const offset = text.length;
    const data = streams[name];
    const body = refer(objects[name] ?? 'null');
    const object =
      data === undefined
        ? body
        : `${body.slice(0, -2)} /Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = text.length;
  text += `xref\n0 ${names.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<</Size ${names.length + 1} ${refer(trailer)}>>\nstartxref\n${start}\n${end}`;
  return Buffer.from(text, 'latin1');
}

/** The head of an ICC profile for an RGB screen, version 2. */
export function iccProfile(space = 'RGB ', version = 2): Buffer {
  const profile = Buffer.alloc(132);
  profile[8] = version;
  profile.write('mntr', 12, 'latin1');
  profile.write(space, 16, 'latin1');
  profile.write('acsp', 36, 'latin1');
  return profile;
}

/** A TrueType program with two glyphs; the second has this width and the code 1. */
export function trueTypeProgram(width: number): Buffer {
  const head = Buffer.alloc(54);
  head.writeUInt16BE(1_000, 18);
  const maxp = Buffer.from([0, 1, 0, 0, 0, 2]);
  const hhea = Buffer.alloc(36);
  hhea.writeUInt16BE(2, 34);
  const hmtx = Buffer.alloc(8);
  hmtx.writeUInt16BE(width, 4);
  const numbers = [0, 1, 3, 0, 0, 12, 4, 32, 0, 4, 4, 1, 0, 0xf001, 0xffff, 0, 0xf001, 0xffff, 0x1000, 1, 0, 0];
  const encoding = Buffer.alloc(numbers.length * 2);
  for (const [index, number] of numbers.entries()) encoding.writeUInt16BE(number, index * 2);
  const tables = Object.entries({ cmap: encoding, head, hhea, hmtx, maxp });
  const directory = Buffer.alloc(12 + tables.length * 16);
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  let offset = directory.length;
  for (const [index, [name, data]] of tables.entries()) {
    directory.write(name, 12 + index * 16, 'latin1');
    directory.writeUInt32BE(offset, 20 + index * 16);
    directory.writeUInt32BE(data.length, 24 + index * 16);
    offset += data.length;
  }
  return Buffer.concat([directory, ...tables.map(([, data]) => data)]);
}
