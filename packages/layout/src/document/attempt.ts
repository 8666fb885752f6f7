import { UnknownFeature } from '../unknown-feature.ts';

/**
 * Reads a part of a document that the rest does not depend on. `otherwise` supplies a substitute if the part has an
 * unknown feature.
 */
export type Attempt = <T>(read: () => T, otherwise: () => T) => T;

/** For conversions: the first unknown feature stops the reading. */
export const strictly: Attempt = (read) => read();

export const nothing = (): undefined => undefined;

/** For inspections: adds unknown features to `reasons`, `most` at most, and continues. */
export function collectInto(reasons: Set<string>, most: number): Attempt {
  return (read, otherwise) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnknownFeature)) throw error;
      if (reasons.size < most) reasons.add(error.message);
      return otherwise();
    }
  };
}
