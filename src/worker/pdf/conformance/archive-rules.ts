import { rule } from './rule.ts';

/** The rules for the file, its metadata, graphics, annotations and actions. Most belong to PDF/A only. */
export const archiveRules = {
  'file-readable': rule('The file could not be read, so its conformance is not known.', {
    a1: '6.1',
    a2: '6.1',
    ua: '6.1',
  }),
  'content-readable': rule('The content of a page or of a form could not be read.', {
    a1: '6.1.10',
    a2: '6.1.7',
    ua: '6.1',
  }),
  'file-header': rule('The file must begin with %PDF-1.n and a comment of at least four bytes above 127.', {
    a1: '6.1.2',
    a2: '6.1.2',
  }),
  'file-end': rule('Nothing but a line end may follow the last %%EOF.', { a1: '6.1.3', a2: '6.1.3' }),
  'file-identifier': rule('The trailer has no identifier (ID) of two parts.', { a1: '6.1.3', a2: '6.1.3' }),
  'file-encrypted': rule('The file is encrypted.', { a1: '6.1.3', a2: '6.1.3' }),
  'compressed-objects': rule('Cross-reference streams and object streams are not allowed in PDF/A-1.', {
    a1: '6.1.4',
  }),
  'cross-reference-table': rule('The keyword xref and its first section must be separated by one line end.', {
    a1: '6.1.4',
    a2: '6.1.4',
  }),
  'hexadecimal-string': rule('A hexadecimal string has an odd number of digits, or other characters.', {
    a1: '6.1.6',
    a2: '6.1.6',
  }),
  'stream-keywords': rule('The data of a stream must begin after a line end and be followed by one.', {
    a1: '6.1.7',
    a2: '6.1.7.1',
  }),
  'external-stream': rule('A stream refers to data in another file.', { a1: '6.1.7', a2: '6.1.7.1' }),
  'lzw-filter': rule('A stream is compressed with LZW, or with a filter that encrypts.', {
    a1: '6.1.10',
    a2: '6.1.7.2',
  }),
  'implementation-limit': rule('A name, a string, a number or the nesting of graphics states exceeds its limit.', {
    a1: '6.1.12',
    a2: '6.1.13',
  }),
  'page-size': rule('A page is shorter than 3 or longer than 14,400 units (508 cm).', { a2: '6.1.13' }),
  'document-permissions': rule('The permissions of the document have entries that are not allowed.', { a2: '6.1.12' }),
  'object-keywords': rule(
    'The keywords obj and endobj must be on lines of their own, after numbers separated by one space.',
    { a1: '6.1.8', a2: '6.1.9' },
  ),
  'embedded-file': rule('Embedded files are not allowed.', { a1: '6.1.11', a2: '6.8', a3: false }),
  'embedded-file-relation': rule(
    'The specification of an embedded file must have F, UF and AFRelationship, and be associated with a part of the document.',
    { a3: '6.8' },
  ),
  'optional-content': rule('Optional content (layers) is not allowed in PDF/A-1.', { a1: '6.1.13' }),
  'optional-content-configuration': rule('A configuration of optional content has no Name, or has an AS entry.', {
    a2: '6.9',
    ua: '7.10',
    matterhorn: '20-001 to 20-003',
  }),
  'document-requirements': rule('Requirements, alternate presentations and page transitions are not allowed.', {
    a2: '6.10, 6.11',
  }),
  'resources-explicit': rule('A content stream uses resources that its page or form does not list itself.', {
    a2: '6.2.2',
  }),
  'unknown-operator': rule('A content stream has an operator that PDF does not define.', {
    a1: '6.2.10',
    a2: '6.2.2',
  }),
  'output-intent': rule('There must be one output intent of PDF/A, with an ICC profile.', {
    a1: '6.2.2',
    a2: '6.2.3',
  }),
  'output-profile': rule(
    'The ICC profile of the output intent is damaged, too new, or not for a device or a colour space.',
    {
      a1: '6.2.2',
      a2: '6.2.3',
    },
  ),
  'device-colour': rule(
    'A device colour (RGB, CMYK) does not match the output intent, which is sRGB. Convert CMYK pictures to RGB.',
    { a1: '6.2.3.3', a2: '6.2.4.3' },
  ),
  'icc-colour': rule('An ICC colour space has a damaged profile, or one with a different number of components.', {
    a1: '6.2.3.2',
    a2: '6.2.4.2',
  }),
  'image-alternates': rule('A picture has alternates, is interpolated, or refers to an OPI server.', {
    a1: '6.2.4',
    a2: '6.2.8',
  }),
  'form-postscript': rule('A form contains PostScript, an OPI reference or a reference to another file.', {
    a1: '6.2.5',
    a2: '6.2.9',
    ua: '7.20',
    matterhorn: '30-001',
  }),
  'image-jpeg2000': rule('A picture in JPEG 2000 has channels, colour spaces or a depth that PDF/A does not allow.', {
    a2: '6.2.8.3',
  }),
  'spot-colour': rule('A spot colour is not described (Colorants), or is described in different ways in one file.', {
    a2: '6.2.4.4',
  }),
  'transfer-function': rule('A graphics state has a transfer function or a halftone that depends on a device.', {
    a1: '6.2.8',
    a2: '6.2.5',
  }),
  'rendering-intent': rule('A rendering intent is not one of the four that PDF defines.', {
    a1: '6.2.9',
    a2: '6.2.6',
  }),
  transparency: rule('Transparency is not allowed in PDF/A-1. Remove it, or request PDF/A-2b.', { a1: '6.4' }),
  'blend-mode': rule('A blend mode is not one that PDF defines.', { a2: '6.2.10' }),
  'transparency-colour-space': rule('A page with transparency has no colour space for blending.', { a2: '6.2.10' }),
  'annotation-type': rule('An annotation of this type is not allowed.', { a1: '6.5.2', a2: '6.3.1' }),
  'annotation-flags': rule('An annotation must be printed and must not be hidden.', { a1: '6.5.3', a2: '6.3.2' }),
  'annotation-appearance': rule('An annotation has no appearance of its own.', { a1: '6.5.3', a2: '6.3.3' }),
  'form-rendering': rule('The form asks the reader to draw its fields, or is an XFA form.', {
    a1: '6.9',
    a2: '6.4.1',
    ua: '7.15',
    matterhorn: '25-001',
  }),
  'field-action': rule('A form field has an action.', { a2: '6.4.1' }),
  'forbidden-action': rule('An action is not allowed, such as a script, a sound or the start of a program.', {
    a1: '6.6.1',
    a2: '6.5.1',
  }),
  'additional-action': rule('An action that an event triggers is not allowed.', { a1: '6.6.2', a2: '6.5.2' }),
  'metadata-present': rule('The document has no metadata (XMP).', {
    a1: '6.7.2',
    a2: '6.6.2.1',
    ua: '7.1',
    matterhorn: '06-001',
  }),
  'metadata-readable': rule('The metadata is not well-formed XMP.', {
    a1: '6.7.9',
    a2: '6.6.2.1',
    ua: '7.1',
    matterhorn: '06-001',
  }),
  'metadata-filter': rule('The metadata of PDF/A-1 must not be compressed.', { a1: '6.7.2' }),
  'metadata-packet': rule('The header of the metadata must not have the attributes bytes and encoding.', {
    a1: '6.7.5',
    a2: '6.6.2.1',
  }),
  'metadata-schema': rule('The metadata has a property that is neither predefined nor described.', {
    a1: '6.7.8',
    a2: '6.6.2.3.1',
  }),
  'metadata-value': rule('The value of a property of the metadata is not of the type of the property.', {
    a2: '6.6.2.3.1',
  }),
  'metadata-description': rule('The description of a schema in the metadata is incomplete or wrong.', {
    a2: '6.6.2.3.3',
  }),
  'metadata-agrees': rule('The information dictionary and the metadata disagree.', { a1: '6.7.3' }),
  'archive-identifier': rule('The metadata does not declare the requested part of PDF/A.', {
    a1: '6.7.11',
    a2: '6.6.4',
  }),
} as const;
