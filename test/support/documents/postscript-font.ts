/** A PostScript font (Adobe Type 1 Font Format) with one empty glyph. */
export function buildPostScriptFont(family: string): Buffer {
  const name = family.replaceAll(' ', '');
  const head = `%!PS-AdobeFont-1.0: ${name} 001.000
11 dict begin
/FontInfo 3 dict dup begin
/FullName (${family}) readonly def
/FamilyName (${family}) readonly def
/Weight (Medium) readonly def
end readonly def
/FontName /${name} def
/PaintType 0 def
/FontType 1 def
/FontMatrix [0.001 0 0 0.001 0 0] readonly def
/Encoding StandardEncoding def
/FontBBox {0 0 500 500} readonly def
currentdict end
currentfile eexec
`;
  // hsbw 0 500, endchar
  const empty = encrypt(Buffer.from([0, 0, 0, 0, 139, 248, 136, 13, 14]), 4330);
  const hidden = Buffer.concat([
    Buffer.from(`0000dup /Private 6 dict dup begin
/RD {string currentfile exch readstring pop} executeonly def
/ND {noaccess def} executeonly def
/NP {noaccess put} executeonly def
/BlueValues [] def
/password 5839 def
2 index /CharStrings 2 dict dup begin
/.notdef ${empty.length} RD `),
    empty,
    Buffer.from(` ND
/A ${empty.length} RD `),
    empty,
    Buffer.from(` ND
end
end
readonly put
noaccess put
dup/FontName get exch definefont pop
mark currentfile closefile
`),
  ]);
  const tail = `\n${`${'0'.repeat(64)}\n`.repeat(8)}cleartomark\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(encrypt(hidden, 55_665).toString('hex')), Buffer.from(tail)]);
}

/** Chapter 7 of the specification. */
function encrypt(plain: Uint8Array, key: number): Buffer {
  let r = key;
  return Buffer.from(
    Array.from(plain, (byte) => {
      const cipher = byte ^ (r >> 8);
      r = ((cipher + r) * 52_845 + 22_719) & 0xffff;
      return cipher;
    }),
  );
}
