import type { Feature, NodeReader, PartCompiler, ScannedText, TemplatePart } from '../../core/feature.ts';
import { pageSpace, SpaceReader } from '../../core/pictures/available-space.ts';
import { arrangeImages } from './arrange-images.ts';
import { pictureNode } from './image-node.ts';
import { checkPictureTag, type PictureKinds, picturePrefix } from './image-tag.ts';
import { markPlaceholders } from './placeholders/mark-placeholders.ts';
import type { Placeholder } from './placeholders/placeholder.ts';

/** `{%picture}`: pictures from the data, inline or in place of a template picture. */
export const images: Feature = {
  name: 'images',
  tag: { prefix: picturePrefix, isExpression: false, check: checkPictureTag },
  openPart,
  withoutFilled: (xml) => markPlaceholders(xml).xml,
};

function openPart({ xml: original, features: { pictures } }: TemplatePart): PartCompiler {
  const { xml, placeholders } = markPlaceholders(original);
  return {
    xml,
    arrange: (pieces, part) => (hasPictures(part) ? arrangeImages(pieces, part) : pieces),
    readNodes: (part) => (hasPictures(part) ? readPictures(part, placeholders, pictures) : {}),
  };
}

function hasPictures({ tags }: ScannedText): boolean {
  return tags.some(({ syntax }) => syntax?.prefix === picturePrefix);
}

function readPictures(
  { parser, mainXml }: ScannedText,
  placeholders: readonly Placeholder[],
  kinds: PictureKinds,
): NodeReader {
  const reader = new SpaceReader(pageSpace(mainXml));
  return {
    prefix: picturePrefix,
    read: (xml) => reader.read(xml),
    build: (tag, { runProperties }) => {
      return pictureNode(tag, { parser, kinds, runProperties, space: reader.space, placeholders });
    },
  };
}
