import { emuPer } from '../../core/pictures/length.ts';
import type { Size } from './fit-picture.ts';

/** The room a picture has where its tag stands. A page's is known only when its setup was read, after its text. */
export interface Column {
  size: Size;
}

/** A4 with margins of 2.54 cm. */
export const defaultPage: Size = { width: 9_026 * emuPer.twip, height: 13_958 * emuPer.twip };

/** Word's default margins of cells, and of text boxes. */
export const cellMarginTwips = 108;
export const boxInset = { width: 2 * 91_440, height: 2 * 45_720 } as const;
