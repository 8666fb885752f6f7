import type { Docmill } from '@docmill/client';
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import type { SharedFolder } from './open-folder.ts';

/** The dependencies of the tools. */
export interface ToolDeps {
  readonly docmill: Docmill;
  readonly folder: SharedFolder | undefined;
  readonly allowsGenerate: boolean;
  readonly signal: AbortSignal;
}

/**
 * Wraps the handler of a tool: `run` gets the input and the signal that ends the call. Errors become results that a
 * model can act on.
 */
export type Guard = <Input>(
  run: (input: Input, signal: AbortSignal) => Promise<CallToolResult>,
) => (input: Input, context: ServerContext) => Promise<CallToolResult>;
