/** Something in a document that this layout does not know. LibreOffice alone lays it out. */
export class UnknownFeature extends Error {
  override readonly name = 'UnknownFeature';
}

/** How many unknown features an inspection lists at most. */
export const mostReasons = 20;
