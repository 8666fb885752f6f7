/** A feature of a document that direct layout does not support. LibreOffice lays out the document instead. */
export class UnknownFeature extends Error {
  override readonly name = 'UnknownFeature';
}
