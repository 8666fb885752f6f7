/** True in `npm run test:extended`, which also runs rare and expensive tests. */
export const isExtended = process.env.TEST_EXTENDED === '1';

/** `TEST_VOLUME=4` makes the extended numbers four times as large, as the nightly run does. */
const factor = Number(process.env.TEST_VOLUME ?? 1);

/** True in a run with larger numbers, such as the nightly one. */
export const isLarge = factor > 1;

/** The number of generated cases of a property: `usual` in `npm test`, `extended` in `npm run test:extended`. */
export const volume = (usual: number, extended: number): number => (isExtended ? extended * factor : usual);
