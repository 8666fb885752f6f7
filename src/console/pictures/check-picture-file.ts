import { pictureTexts } from '../texts/pictures.ts';

export const pictureEndings = '.png,.jpg,.jpeg,.gif,.svg';

/** The API's limit. */
const maxBytes = 5 * 1024 * 1024;

/** Why a file cannot be a picture, as far as that is known before it is sent. The service reads its type. */
export function checkPictureFile({ size }: Blob): string | undefined {
  return size > maxBytes ? pictureTexts.tooLarge : undefined;
}
