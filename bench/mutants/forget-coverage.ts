/**
 * Stryker's runner sends what was covered after each file. Files share one process, so without this each would send again what all files
 * before it covered. It runs before each file, when the last one was sent.
 */
const { __stryker__: stryker } = globalThis as {
  __stryker__?: { mutantCoverage?: { static: object; perTest: object } };
};
if (stryker?.mutantCoverage !== undefined) {
  stryker.mutantCoverage.static = {};
  stryker.mutantCoverage.perTest = {};
}
