/** Orval's fetch client has no base address and reads every answer as text; `orval-fetch.ts` does both for it. */
module.exports = {
  docmill: {
    input: './generated/openapi.json',
    output: {
      target: './generated/orval/client.ts',
      client: 'fetch',
      override: { mutator: { path: './orval-fetch.ts', name: 'request' } },
    },
  },
};
