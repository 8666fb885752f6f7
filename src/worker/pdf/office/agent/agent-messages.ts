import { z } from 'zod';

const maxKept = 20;
const maxStarts = 2;

const int = z.int();
const id = int;
const name = z.string().regex(/^\w[\w. +-]{0,39}$/);
/** The resident memory of LibreOffice. */
const residentBytes = int;

const readyMessage = z.object({
  event: z.literal('ready'),
  /** The name of the product, such as LibreOffice. */
  name,
  version: name,
  confinement: z.array(z.string()),
  sockets: z.array(z.string()),
  residentBytes,
});

const keptIndex = z.object({
  /** The engine's service, such as ContentIndex. */
  kind: z.string(),
  begins: z.string(),
  reason: z.string(),
  /** The entry that a refresh would lose. */
  lost: z.string(),
});

/** The pages of a document with bookmarks that mark its sections and fields. Without such marks it has none. */
const layout = z.object({
  pages: int,
  /** Pages that follow a blank page that the PDF omits. The numbers here do not count blank pages. */
  pagesAfterBlank: z.array(int),
  /** The page of each mark by its name. */
  marks: z.record(z.string(), int),
});
export type Layout = z.infer<typeof layout>;

const doneMessage = z.object({
  event: z.literal('done'),
  id,
  /** The number of parts in which long tables were laid out; 0 if there were none or they stayed whole. */
  tableParts: int.default(0),
  kept: z.array(keptIndex).max(maxKept).default([]),
  layout: layout.default({ pages: 0, pagesAfterBlank: [], marks: {} }),
  residentBytes,
});

/** A long table whose first rows are laid out. The agent waits for the joints of the other rows. */
const tableMessage = z.object({
  event: z.literal('table'),
  id,
  start: int,
  end: int,
  headerRows: int,
  partRows: int,
  section: z.string(),
  found: z.array(z.object({ row: int, pages: int, gap: int })).max(maxStarts),
  measured: z.array(z.object({ row: int, height: z.number() })),
});

const refusedMessage = z.object({
  event: z.literal('refused'),
  id,
  stage: z.string(),
  reason: z.string(),
  /** The number of pages of the document, if it was loaded. */
  pages: int,
  residentBytes,
});

const agentMessage = z.discriminatedUnion('event', [
  readyMessage,
  z.object({ event: z.enum(['started', 'refreshing', 'refreshed']), id }),
  doneMessage,
  tableMessage,
  refusedMessage,
]);

export type ReadyMessage = z.infer<typeof readyMessage>;
/** An index of the document that is kept as the author made it. */
export type KeptIndex = z.infer<typeof keptIndex>;
/** A message from agent.py. */
export type AgentMessage = z.infer<typeof agentMessage>;

/**
 * The message in a line of the agent; undefined if the line is not a message. The agent shares its jail with
 * LibreOffice, so its messages are untrusted input.
 */
export function readAgentMessage(line: string): AgentMessage | undefined {
  try {
    return agentMessage.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
