import { crc32, deflateSync } from 'node:zlib';

/** Pictures written byte by byte, independent of the code under test. */
export interface PngOptions {
  readonly width: number;
  readonly height: number;
  readonly dpi?: number;
  /** 0 to 255; the right half is white. */
  readonly grey?: number;
}

export function png({ width, height, dpi, grey = 96 }: PngOptions): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const density = Buffer.alloc(9);
  density.writeUInt32BE(Math.round((dpi ?? 0) / 0.0254), 0);
  density.writeUInt32BE(Math.round((dpi ?? 0) / 0.0254), 4);
  density[8] = 1;
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(Math.ceil(width / 2), grey), Buffer.alloc(width, 255)]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row.subarray(0, width + 1)));
  const chunks = [chunk('IHDR', header), ...(dpi === undefined ? [] : [chunk('pHYs', density)])];
  const data = [chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks, ...data]);
}

/** A PNG that declares this size but contains almost no pixels. */
export function pngThatSays(width: number, height: number): Buffer {
  const file = png({ width: 1, height: 1 });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([file.subarray(0, 8), chunk('IHDR', header), file.subarray(33)]);
}

function chunk(kind: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(content.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** A JPEG with 16 × 8 pixels. */
const smallJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEAHgAeAAD/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/2wBDARUXFx4aHjshITt8U0ZTfHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHx8fHz/wAARCAAIABADASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwDNmtNUmUK9lckD/pi3+FehQAiCMEYIUcfhRRWk3czgrH//2Q==',
  'base64',
);

/** A JPEG with 48 × 32 pixels: red and green above blue and yellow. */
const quarteredJpeg = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAgADADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAAUIB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAXAQADAQAAAAAAAAAAAAAAAAADBggH/8QAIBEBAAADCQAAAAAAAAAAAAAAAAMHgwZBQ0RFgcHCw//aAAwDAQACEQMRAD8A50ATlIikmqQUS5iU48lU6AAbEnLgFlnEbfYgbfTvPvT6vmZLPYm3IAncyP/Z',
  'base64',
);

export interface JpegOptions {
  readonly dpi?: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation?: number;
}

export function jpeg({ dpi, orientation }: JpegOptions = {}): Buffer {
  const file = Buffer.from(smallJpeg);
  file[13] = dpi === undefined ? 0 : 1;
  if (dpi !== undefined) {
    file.writeUInt16BE(dpi, 14);
    file.writeUInt16BE(dpi, 16);
  }
  return orientation === undefined ? file : withOrientation(file, orientation);
}

/** A four-coloured JPEG that was taken with a rotated camera. */
export function quarteredPhoto(orientation: number): Buffer {
  return withOrientation(quarteredJpeg, orientation);
}

function withOrientation(file: Buffer, orientation: number): Buffer {
  const tiff = Buffer.from('49492a0008000000010012010300010000000000000000000000', 'hex');
  tiff.writeUInt16LE(orientation, 18);
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
  return Buffer.concat([file.subarray(0, 20), segment, file.subarray(20)]);
}

export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export function svg(
  content = '<rect width="200" height="100" fill="#036"/>',
  root = 'width="200" height="100"',
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" ${root}>${content}</svg>`;
}

export function base64(content: Buffer | string): string {
  return Buffer.from(content).toString('base64');
}

export interface PlaceholderInput {
  readonly alt: string;
  readonly cx?: number;
  readonly cy?: number;
  readonly title?: string;
  /** Position of a floating picture, in EMU from the margin. */
  readonly floatsAt?: { readonly x: number; readonly y: number };
  readonly fillXml?: string;
}

/** A run with a picture in Word's form. Its relationship is `rIdPicture`. */
export function pictureRun({
  alt,
  cx = 1_800_000,
  cy = 900_000,
  title,
  floatsAt,
  fillXml = '',
}: PlaceholderInput): string {
  const name = `id="7" name="Picture 7" descr="${alt}"${title === undefined ? '' : ` title="${title}"`}`;
  const extent = `cx="${cx}" cy="${cy}"`;
  const graphic =
    '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr>' +
    '<pic:cNvPr id="7" name="old.png"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rIdPicture"/>' +
    `${fillXml}<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/>` +
    '</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic>';
  const inside = `<wp:extent ${extent}/>%<wp:docPr ${name}/><wp:cNvGraphicFramePr/>${graphic}`;
  const drawing =
    floatsAt === undefined
      ? `<wp:inline distT="0" distB="0" distL="0" distR="0">${inside.replace('%', '')}</wp:inline>`
      : '<wp:anchor distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="1" behindDoc="0" locked="0" ' +
        'layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column">' +
        `<wp:posOffset>${floatsAt.x}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph">` +
        `<wp:posOffset>${floatsAt.y}</wp:posOffset></wp:positionV>${inside.replace('%', '<wp:wrapSquare wrapText="bothSides"/>')}</wp:anchor>`;
  return `<w:r><w:drawing>${drawing}</w:drawing></w:r>`;
}

/** The parts that a template with placeholder pictures needs in addition to its body. */
export const placeholderParts = {
  rels: [{ id: 'rIdPicture', type: 'image', target: 'media/old.png' }],
  parts: { 'word/media/old.png': png({ width: 2, height: 1 }) },
} as const;

/** A text box of 6 cm × 3 cm with one paragraph, in the form of Word 2010 and later. */
export function textBox(paragraphXml: string): string {
  const extent = 'cx="2160000" cy="1080000"';
  return (
    '<w:p><w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0">' +
    `<wp:extent ${extent}/><wp:docPr id="3" name="Text Box 3"/><wp:cNvGraphicFramePr/><a:graphic><a:graphicData ` +
    'uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr>' +
    `<a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr>` +
    `<wps:txbx><w:txbxContent>${paragraphXml}</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic>` +
    '</wp:inline></w:drawing></w:r></w:p>'
  );
}

export interface VmlPictureInput {
  readonly alt: string;
  readonly style?: string;
  /** Markup before the shape, such as its type. */
  readonly before?: string;
}

/** A run with a picture in the form of Word 2003 and many generators. Its relationship is `rIdPicture`. */
export function vmlPictureRun({ alt, style = 'width:141.75pt;height:70.85pt', before = '' }: VmlPictureInput): string {
  return (
    '<w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office">' +
    `${before}<v:shape id="_x0000_i1025" type="#_x0000_t75" alt="${alt}" style="${style}" stroked="f">` +
    '<v:imagedata r:id="rIdPicture" o:title="old" croptop="1000f"/></v:shape></w:pict></w:r>'
  );
}
