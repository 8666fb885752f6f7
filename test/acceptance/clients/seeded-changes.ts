import { addPart, edit, editData, plainPicture, type SampleCase } from './sample-project.ts';

type Change = (sample: SampleCase) => void;

const replace =
  (from: string | RegExp, to: string, part?: string): Change =>
  (sample) =>
    edit(sample, from, to, part);

/** The beginning of the text of the last paragraph. */
const regards = '<w:t xml:space="preserve">Kind';
const lastParagraph = `<w:p><w:r>${regards}`;

/** Adds XML to a part, before the end of its element. */
const append = (one: SampleCase, element: string, xml: string, part: string): void =>
  edit(one, `</${element}>`, `${xml}</${element}>`, part);

/** Mistakes that an author may make, and what the report must contain for each. */
export const mistakes: Readonly<Record<string, readonly [change: Change, message: RegExp]>> = {
  'a tag with a wrong key': [replace('{customer.name}', '{customer.fullName}'), /"Dear Ada Lovelace of London,"/],
  'a tag for another value': [replace('{customer.city}', '{customer.name}'), /of Ada Lovelace/],
  'another format of the price': [replace('price | number:2', 'price | number:0'), /"1,250\.50" became "1,25[01]"/],
  'another format of the date': [replace('long&quot;', 'short&quot;'), /"Due /],
  'a tag that is not closed': [replace('long&quot;}', 'long&quot;'), /not closed|tag/i],
  'a key of the data that is misspelt': [(one) => editText(one, '"due":', '"deu":'), /"Due /],
  'a lost row': [(one) => editData(one, ({ items }) => items.splice(1, 1)), /"Chair" is missing|"Chair" became/],
  'a row twice': [(one) => editData(one, ({ items }) => items.push(...items.slice(2))), /"Lamp" is new|moved/],
  'a condition the wrong way round': [replace('{#vip}', '{^vip}'), /many years.*is missing|became/],
  'another language': [(one) => Object.assign(one.output, { locale: 'de-DE' }), /"1\.250,50"/],
  'two columns that change places': [
    (one) => {
      edit(one, '{#items}{name}', '{#items}{price | number:2}');
      edit(one, '{price | number:2}{/items}', '{name}{/items}');
    },
    /Oak table/,
  ],
  'text aligned to the wrong side': [
    replace('w:jc w:val="right"', 'w:jc w:val="left"'),
    /"Total 1,660\.40" moved .* left/,
  ],
  'another font': [replace(/"Carlito"/g, '"Liberation Serif"'), /pixels differ/],
  'a larger font': [replace('<w:sz w:val="40"/>', '<w:sz w:val="44"/>'), /moved|pixels differ/],
  'a title that is no longer bold': [replace('<w:b/><w:color', '<w:color'), /pixels differ/],
  'another colour': [replace('1F4E79', 'C00000'), /pixels differ/],
  'the wrong picture': [(one) => one.parts.set('word/media/logo.png', plainPicture(20, 120, 40)), /pixels differ/],
  'a picture of another size': [replace(/1143000/g, '1000000'), /pixels differ/],
  'a table without borders': [replace(/<w:tblBorders>.*?<\/w:tblBorders>/, ''), /pixels differ/],
  'a header that is lost': [
    replace('Oak and Sons, 27 Wexford Street', '', 'word/header1.xml'),
    /"Oak and Sons, 27 Wexford Street" is missing/,
  ],
  'wider margins': [replace('w:left="1440"', 'w:left="1700"'), /moved 13\.0 pt right/],
  'American paper': [replace('w:w="11906" w:h="16838"', 'w:w="12240" w:h="15840"'), /the page measures 612 × 792 pt/],
  'a page too many': [replace(regards, `<w:br w:type="page"/>${regards}`), /2 pages, not 1/],
};

function editText(sample: SampleCase, from: string, to: string): void {
  if (!sample.data.includes(from)) throw new Error(`the data has no ${from}`);
  sample.data = sample.data.replace(from, to);
}

/** Changes by Word, editors and version control that leave the document the same. */
export const harmlessEdits: Readonly<Record<string, Change>> = {
  'files of the .docx in another order': (one) => {
    const files = [...one.parts].reverse();
    one.parts.clear();
    for (const [name, content] of files) one.parts.set(name, content);
  },
  'a .docx without compression': (one) => {
    one.compression = 'store';
  },
  'revision ids of paragraphs': replace(
    /<w:p>/g,
    '<w:p w:rsidR="00A77B3E" w:rsidRDefault="00B12C4D" w:rsidP="00C31F22">',
  ),
  'revision ids of runs': replace(/<w:r>/g, '<w:r w:rsidRPr="00D4412A">'),
  'paragraph ids': (one) => {
    const before = String(one.parts.get('word/document.xml')).split('<w:p>');
    const idOf = (index: number) => (0x10000000 + index).toString(16).toUpperCase();
    const after = before.map((xml, index) => (index === 0 ? xml : `<w:p w14:paraId="${idOf(index)}">${xml}`));
    one.parts.set('word/document.xml', after.join(''));
  },
  'core properties': (one) => {
    const metadata = 'http://schemas.openxmlformats.org/package/2006/metadata/core-properties';
    const names = `xmlns:cp="${metadata}" xmlns:dc="http://purl.org/dc/elements/1.1/"`;
    const content =
      '<dc:creator>Ada</dc:creator><cp:lastModifiedBy>Grace</cp:lastModifiedBy><cp:revision>17</cp:revision>';
    one.parts.set('docProps/core.xml', `<cp:coreProperties ${names}>${content}</cp:coreProperties>`);
    const type = 'application/vnd.openxmlformats-package.core-properties+xml';
    append(one, 'Types', `<Override PartName="/docProps/core.xml" ContentType="${type}"/>`, '[Content_Types].xml');
    const uri = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';
    const relationship = `<Relationship Id="rIdCore" Type="${uri}" Target="docProps/core.xml"/>`;
    append(one, 'Relationships', relationship, '_rels/.rels');
  },
  'a comment': (one) => {
    const text = '<w:p><w:r><w:t>Check this</w:t></w:r></w:p>';
    addPart(one, 'comments', 'comments', `<w:comment w:id="0" w:author="Ada">${text}</w:comment>`);
    edit(one, 'Kind regards</w:t></w:r>', 'Kind regards</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r>');
  },
  'a bookmark': replace(
    lastParagraph,
    `<w:p><w:bookmarkStart w:id="3" w:name="_GoBack"/><w:bookmarkEnd w:id="3"/><w:r>${regards}`,
  ),
  'marks of the spelling checker': replace(
    lastParagraph,
    `<w:p><w:proofErr w:type="spellStart"/><w:proofErr w:type="spellEnd"/><w:r>${regards}`,
  ),
  'a sentence divided into runs': replace('Kind regards', 'Kind </w:t></w:r><w:r w:rsidR="00A1"><w:t>regards'),
  'a tag divided into runs': replace(
    '{customer.name}',
    '{custo</w:t></w:r><w:r w:rsidR="00A1"><w:t xml:space="preserve">mer.name}',
  ),
  'where the last page ended': replace(regards, `<w:lastRenderedPageBreak/>${regards}`),
  'a style that nothing uses': (one) => {
    const name = '<w:name w:val="Quote 2"/><w:rPr><w:i/></w:rPr>';
    const style = `<w:style w:type="paragraph" w:customStyle="1" w:styleId="Quote2">${name}</w:style>`;
    append(one, 'w:styles', style, 'word/styles.xml');
  },
  'another id of a style': replace('w:styleId="Normal"', 'w:styleId="Standard"', 'word/styles.xml'),
  'settings of the window': (one) => {
    const ids = '<w:rsids><w:rsidRoot w:val="00A77B3E"/></w:rsids>';
    addPart(one, 'settings', 'settings', `<w:zoom w:percent="140"/>${ids}`);
  },
  'a font table': (one) =>
    addPart(one, 'fontTable', 'fonts', '<w:font w:name="Carlito"><w:family w:val="swiss"/></w:font>'),
  'another name of a picture file': (one) => {
    const picture = one.parts.get('word/media/logo.png') ?? '';
    one.parts.delete('word/media/logo.png');
    one.parts.set('word/media/image7.png', picture);
    edit(one, 'media/logo.png', 'media/image7.png', 'word/_rels/document.xml.rels');
  },
  'an alternative text': replace('name="Logo"/><a:graphic>', 'name="Logo" descr="The logo"/><a:graphic>'),
  'other relationship ids': (one) => {
    for (const part of ['word/document.xml', 'word/_rels/document.xml.rels']) edit(one, 'rIdLogo', 'rId77', part);
  },
  'a tag with spaces': replace('{total | number:2}', '{ total|number:2 }'),
  'data in another order': (one) => {
    one.data = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(one.data) as object).reverse()));
  },
  'data with line breaks and indents': (one) => {
    one.data = `${JSON.stringify(JSON.parse(one.data), null, '\t')}\r\n`;
  },
  'data that the template does not use': (one) => editText(one, '{"customer"', '{"$comment":"a case","customer"'),
};
