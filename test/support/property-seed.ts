import fc from 'fast-check';

// The same cases in each run: a test that passed fails only when something changed. The nightly run, which sets a
// volume, draws new ones, and fast-check prints the seed of a failure.
if (process.env.TEST_VOLUME === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_128 });
