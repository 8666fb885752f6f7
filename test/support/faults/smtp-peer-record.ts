import type { PeerEvent, PeerMessage, PeerVerb } from './smtp-peer-script.ts';

/** The messages and events of all sessions of one peer. */
export class PeerRecord {
  readonly messages: PeerMessage[] = [];
  readonly events: PeerEvent[] = [];
  unfinishedBytes = 0;
  #listeners: (() => void)[] = [];

  count(verb: PeerVerb): number {
    return this.events.filter((event) => event.verb === verb).length;
  }

  notify(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#listeners.push(resolve));
  }
}
