/** Something in a document that this layout does not know. LibreOffice alone lays it out. */
export class UnknownFeature extends Error {
  override readonly name = 'UnknownFeature';
}
