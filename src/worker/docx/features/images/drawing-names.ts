/** The namespaces of a picture in a Word document: transitional (ECMA-376) or strict (ISO/IEC 29500). */
export interface DrawingNames {
  readonly wp: string;
  readonly a: string;
  readonly pic: string;
  readonly r: string;
}

const transitional: DrawingNames = {
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
};
const strict: DrawingNames = {
  wp: 'http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing',
  a: 'http://purl.oclc.org/ooxml/drawingml/main',
  pic: 'http://purl.oclc.org/ooxml/drawingml/picture',
  r: 'http://purl.oclc.org/ooxml/officeDocument/relationships',
};

export function drawingNames(isStrict: boolean): DrawingNames {
  return isStrict ? strict : transitional;
}
