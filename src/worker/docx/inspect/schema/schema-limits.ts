/** Names a schema tells at most, how long they may be, and how deep they may lie: what is beyond is left out of it. */
export const schemaLimits = { names: 1000, nameChars: 200, depth: 24 } as const;
