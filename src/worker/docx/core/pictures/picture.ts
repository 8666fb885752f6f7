/** Width and height in EMU. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bitmap {
  readonly bytes: Uint8Array;
  readonly type: 'png' | 'jpeg' | 'gif';
}

/** How the stored pixels become the upright picture: first mirrored left to right, then rotated clockwise. */
export interface Rotation {
  readonly quarters: 0 | 1 | 2 | 3;
  readonly isMirrored: boolean;
}

/** A picture that was read and found good. */
export interface OpenedPicture {
  /** Of the upright picture. */
  readonly natural: Size;
  /** How the document must rotate it; undefined for a picture that is upright. */
  readonly rotation?: Rotation | undefined;
  /** The bytes to put into the document, for the width it is shown in. */
  readonly bitmap: (widthEmu: number) => Bitmap;
}

/** The problem completes "the value …". */
export type PictureOpening = OpenedPicture | { readonly problem: string };

/** A kind of picture that is drawn from a text, by the tag `{%keyword text}`. */
export interface PictureKind {
  readonly keyword: string;
  /** Reads what follows the keyword; a problem completes "the tag {%x} is not valid: …". */
  readonly read: (text: string) => PictureDrawing | { readonly problem: string; readonly hint?: string };
}

export interface PictureDrawing {
  /** The formula of the text. */
  readonly formula: string;
  /** A text that can be drawn, for example data. */
  readonly sample: string;
  /** Equal for drawings that draw the same text alike. */
  readonly key: string;
  readonly draw: (text: string) => PictureOpening;
}
