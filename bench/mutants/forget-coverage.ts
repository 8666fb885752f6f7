/**
 * Stryker's runner sends the covered code after each file. Files share one process, so each would otherwise resend the
 * coverage of all files before it. This runs before each file, after the last coverage was sent.
 */
const { __stryker__: stryker } = globalThis as {
  __stryker__?: { mutantCoverage?: { static: object; perTest: object } };
};
if (stryker?.mutantCoverage !== undefined) {
  stryker.mutantCoverage.static = {};
  stryker.mutantCoverage.perTest = {};
}
