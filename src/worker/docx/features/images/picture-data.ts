import type { DataSchema } from '../../../../shared/data-schema.ts';
import type { DataType } from '../../language/use.ts';

const length: DataSchema = { anyOf: [{ type: 'string' }, { type: 'number' }] };

/** The schema of a picture in the data (docs/reference/template-language.md, "Pictures and barcodes"). */
const pictureSchema: DataSchema = {
  description:
    'A picture: base64 or a data URL of PNG, JPEG, GIF or SVG, or an object that holds one or names an asset.',
  anyOf: [
    { type: 'string', contentEncoding: 'base64' },
    {
      type: 'object',
      properties: {
        data: { type: 'string', contentEncoding: 'base64' },
        asset: { type: 'string' },
        width: length,
        height: length,
        fit: { enum: ['contain', 'cover', 'stretch'] },
        alt: { type: 'string' },
      },
      anyOf: [{ required: ['data'] }, { required: ['asset'] }],
    },
  ],
};

/** A grey 32-pixel square as base64 PNG. */
export const examplePicture =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAAAAABWESUoAAAAFklEQVR42mPYQAAwjCoYVTCqYKQqAABZNMAfIHkEegAAAABJRU5ErkJggg==';

/** A picture as a data type. */
export const pictureData: DataType = {
  name: 'picture',
  schema: pictureSchema,
  example: () => examplePicture,
  mayBeObject: true,
};
