import { mostReasons, UnknownFeature } from '../unknown-feature.ts';

/** Reads a part of a document that the rest can be read without; `otherwise` stands for it where it has an unknown feature. */
export type Attempt = <T>(read: () => T, otherwise: () => T) => T;

/** For conversions: the first unknown feature ends the reading. */
export const strictly: Attempt = (read) => read();

export const nothing = (): undefined => undefined;

/** For inspections: adds unknown features to `reasons`, as many as are listed, and goes on. */
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
