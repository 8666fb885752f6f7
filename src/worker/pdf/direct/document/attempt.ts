import { mostReasons, UnknownFeature } from '../unknown-feature.ts';

/**
 * Reads a part of a document that the rest does not depend on. `otherwise` supplies a substitute if the part has an
 * unknown feature.
 */
export type Attempt = <T>(read: () => T, otherwise: () => T) => T;

/** For conversions: the first unknown feature stops the reading. */
export const strictly: Attempt = (read) => read();

export const nothing = (): undefined => undefined;

/** For inspections: adds unknown features to `reasons`, up to the maximum listed, and continues. */
export function collectInto(reasons: Set<string>): Attempt {
  return (read, otherwise) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnknownFeature)) throw error;
      if (reasons.size < mostReasons) reasons.add(error.message);
      return otherwise();
    }
  };
}
