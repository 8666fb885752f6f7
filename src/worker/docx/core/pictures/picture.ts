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

/** A picture that was read and validated. */
export interface OpenedPicture {
  /** Size of the upright picture. */
  readonly natural: Size;
  /** How the document must rotate it; undefined for a picture that is upright. */
  readonly rotation?: Rotation | undefined;
  /** Characters of its text that no font has, each once. */
  readonly missing?: readonly string[] | undefined;
  /** Returns the bytes to embed if the picture is shown in this width. */
  readonly bitmap: (widthEmu: number) => Bitmap;
}

/** The problem completes "the value …". */
export type PictureOpening = OpenedPicture | { readonly problem: string };

/** A kind of picture that the tag `{%keyword text}` draws from text. */
export interface PictureKind {
  readonly keyword: string;
  /** Parses the text after the keyword; a problem completes "the tag {%x} is not valid: …". */
  readonly read: (text: string) => PictureDrawing | { readonly problem: string; readonly hint?: string };
}

export interface PictureDrawing {
  /** The expression whose value is drawn. */
  readonly formula: string;
  /** A string that can be drawn, used for example data. */
  readonly sample: string;
  /** Equal for drawings with the same settings. */
  readonly key: string;
  readonly draw: (text: string) => PictureOpening;
}
