const saveAs = 'Open it in Word and save it as a Word document (.docx).';

const compoundFile = Buffer.from('d0cf11e0a1b11ae1', 'hex');
/**
 * A buffer rather than a string: Node.js never ends a search for UTF-16 text in a buffer that begins at an odd address.
 */
const encryptedStream = Buffer.from('EncryptedPackage', 'utf16le');

/** Whether a file is a compound file, the container of old Office formats and of encrypted files. */
export function isCompoundFile(file: Buffer): boolean {
  return file.subarray(0, 8).equals(compoundFile);
}

/** Identifies a file that is not a zip archive, and advises its author what to do. */
export function identifyFile(file: Buffer): string {
  if (file.length === 0) return 'The file is empty.';
  if (isCompoundFile(file)) {
    return file.includes(encryptedStream)
      ? 'The file is protected with a password. Remove the password in Word and upload it again.'
      : `The file is in an old Office format (.doc, .xls or .ppt). ${saveAs}`;
  }
  const head = file.toString('latin1', 0, 1024);
  const text = head
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
    .toLowerCase();
  if (head.includes('%PDF-')) return 'The file is a PDF. Upload the Word document (.docx) it was made from.';
  if (text.startsWith('{\\rtf')) return `The file is in Rich Text Format (.rtf). ${saveAs}`;
  if (/^(?:<!--.*?-->\s*)?<(?:!doctype html|html|head|body)\b/s.test(text))
    return `The file is an HTML page. ${saveAs}`;
  if (text.startsWith('mime-version:')) return `The file is a web archive (.mht). ${saveAs}`;
  if (text.startsWith('<')) return `The file is a plain XML file, not a Word document. ${saveAs}`;
  if (head.startsWith('PK')) return 'The file is a damaged or empty zip archive, not a Word document. Send it again.';
  if (file.subarray(1).includes('PK\u0003\u0004', 0, 'latin1')) {
    return 'The file has other bytes before the Word document. Send the document alone.';
  }
  return `The file is not a Word document. ${saveAs}`;
}

/** Identifies a zip archive that is not a .docx, by its main content type or entries of other formats. */
export function identifyArchive(mainType: string | undefined, has: (name: string) => boolean): string {
  const type = mainType ?? '';
  if (/ms-word.*macroenabled/.test(type)) return `The file is a Word document with macros (.docm). ${saveAs}`;
  if (/spreadsheetml|ms-excel/.test(type) || has('xl/workbook.xml'))
    return 'The file is an Excel workbook, not a Word document.';
  if (/presentationml|ms-powerpoint/.test(type) || has('ppt/presentation.xml')) {
    return 'The file is a PowerPoint presentation, not a Word document.';
  }
  if (has('meta-inf/manifest.xml') || has('content.xml')) return `The file is an OpenDocument text (.odt). ${saveAs}`;
  return `The file is a zip archive, but not a Word document: its main part is missing or of another type. ${saveAs}`;
}
