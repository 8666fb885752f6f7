import { PNG } from 'pngjs';
import { buildDocx, type DocxRelationship, paragraph } from '../../../support/documents/docx-builder.ts';
import * as word from '../../../support/documents/word-xml.ts';

/** A picture, of one colour unless pixels are given. */
export const png = (width: number, height: number, pixels = Buffer.alloc(width * height * 3, 0xc0)): Buffer =>
  PNG.sync.write(Object.assign(new PNG({ width, height }), { data: pixels }), {
    colorType: 2,
    inputColorType: 2,
    inputHasAlpha: false,
  });

export const drawing = (blip: string): string =>
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="952500" cy="714375"/><wp:docPr id="1" name="p"/>' +
  `${word.graphic('rIdX', 'cx="952500" cy="714375"').replace(/<a:blip.*?\/>/, blip)}</wp:inline></w:drawing></w:r></w:p>`;

const linked = (target: string): Buffer =>
  hostile('<a:blip r:link="rIdX"/>', [{ id: 'rIdX', type: 'image', target, external: true }]);

const svg = (href: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="75"><image xlink:href="${href}" width="100" height="75"/></svg>`;

/** A document whose SVG contains an embedded picture. */
export const harmlessDocx = (): Buffer =>
  embeddedSvg(`data:image/png;base64,${png(40, 30).toString('base64')}`, 'x.svg');

const embeddedSvg = (href: string, name: string): Buffer =>
  hostile('<a:blip r:embed="rIdX"/>', [{ id: 'rIdX', type: 'image', target: `media/${name}` }], {
    [`word/media/${name}`]: svg(href),
  });

function hostile(blip: string, rels: readonly DocxRelationship[], parts: Record<string, string> = {}): Buffer {
  return buildDocx({ body: paragraph('visible') + drawing(blip), rels, parts, contentTypes: { svg: 'image/svg+xml' } });
}

/** Documents that try to include `secret.png` from a local folder or to connect to a port of this machine. */
export function attacks(secretDir: string, port: number): [string, Buffer][] {
  const web = `http://127.0.0.1:${port}`;
  const file = `file://${secretDir}/secret.png`;
  const relative = `../../../../../../../..${secretDir}/secret.png`;
  const field = (code: string): Buffer =>
    buildDocx({
      body: `${paragraph('visible')}<w:p><w:fldSimple w:instr=' ${code} '><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>`,
    });
  return [
    ['linked picture on the network', linked(`${web}/a.png`)],
    ['linked local picture', linked(file)],
    ['linked picture by a relative path', linked(relative)],
    ['SVG that shows a local file', embeddedSvg(file, 'x.svg')],
    ['SVG named .png that shows a local file', embeddedSvg(file, 'x.png')],
    ['SVG that shows a picture on the network', embeddedSvg(`${web}/b.png`, 'x.svg')],
    ['INCLUDEPICTURE on the network', field(`INCLUDEPICTURE "${web}/c.png"`)],
    ['INCLUDETEXT of a local file', field('INCLUDETEXT "/etc/hostname"')],
    [
      'attached template',
      buildDocx({
        body: paragraph('visible'),
        parts: {
          'word/settings.xml':
            '<w:settings xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:attachedTemplate r:id="rIdT"/></w:settings>',
          'word/_rels/settings.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rIdT" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="${web}/t.dotx" TargetMode="External"/></Relationships>`,
        },
        contentTypes: {
          'word/settings.xml': 'application/vnd.openxmlformats-officedocument.wordprocessingml.settings+xml',
        },
        rels: [{ id: 'rIdS', type: 'settings', target: 'settings.xml' }],
      }),
    ],
  ];
}
