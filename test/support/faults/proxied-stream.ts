import type { Socket } from 'node:net';

/** `up` is from the client to the server, `down` is back. */
export type Direction = 'up' | 'down';

export interface Faults {
  /** Added to every byte, in each direction. */
  readonly delayMs: number;
  /** In each direction; 0 is as fast as the machine. */
  readonly bytesPerSecond: number;
  /** Nothing moves in either direction and neither end notices; bytes sent meanwhile arrive afterwards. */
  readonly isFrozen: boolean;
  /**
   * Called for every piece of data. `swallow` drops it, `reset` drops it and resets both ends, `freeze` drops it and
   * keeps the connection open without any further data, like a server that lost power.
   */
  readonly intercept?: ((piece: Piece) => 'pass' | 'swallow' | 'reset' | 'freeze') | undefined;
}

export interface Piece {
  readonly direction: Direction;
  readonly bytes: Buffer;
  /** 1 for the first connection through the proxy. */
  readonly connection: number;
}

export interface ConnectionControl {
  faults(): Faults;
  /** Settles when nothing is frozen. */
  whenFlowing(): Promise<void>;
  reset(): void;
  /** Stops this connection for good, in both directions. */
  freeze(): void;
  isDead(): boolean;
}

interface Waiting {
  readonly bytes: Buffer;
  readonly dueMs: number;
}

const maxWaitingBytes = 1024 * 1024;
const tickMs = 20;

/** One direction of a proxied connection: forwards bytes in order, delayed and slowed down by the current faults. */
export class ProxiedStream {
  readonly #from: Socket;
  readonly #to: Socket;
  readonly #direction: Direction;
  readonly #connection: number;
  readonly #control: ConnectionControl;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #isMoving = false;
  #isEnded = false;

  constructor(from: Socket, to: Socket, direction: Direction, connection: number, control: ConnectionControl) {
    this.#from = from;
    this.#to = to;
    this.#direction = direction;
    this.#connection = connection;
    this.#control = control;
    from.on('data', (bytes) => this.#take(bytes));
    from.on('end', () => {
      this.#isEnded = true;
      void this.#move();
    });
  }

  #take(bytes: Buffer): void {
    this.#waiting.push({ bytes, dueMs: performance.now() + this.#control.faults().delayMs });
    this.#waitingBytes += bytes.byteLength;
    if (this.#waitingBytes > maxWaitingBytes) this.#from.pause();
    void this.#move();
  }

  async #move(): Promise<void> {
    if (this.#isMoving) return;
    this.#isMoving = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await this.#wait(next.dueMs);
      await this.#pass(next.bytes);
      this.#waitingBytes -= next.bytes.byteLength;
      if (this.#waitingBytes <= maxWaitingBytes) this.#from.resume();
    }
    this.#isMoving = false;
    if (this.#isEnded && !this.#control.isDead()) this.#to.end();
  }

  async #wait(dueMs: number): Promise<void> {
    if (this.#control.faults().isFrozen) await this.#control.whenFlowing();
    const restMs = dueMs - performance.now();
    if (restMs > 0) await pause(restMs);
    if (this.#control.faults().isFrozen) await this.#control.whenFlowing();
  }

  async #pass(bytes: Buffer): Promise<void> {
    if (this.#control.isDead() || this.#to.destroyed) return;
    const fate = this.#control.faults().intercept?.({
      direction: this.#direction,
      bytes,
      connection: this.#connection,
    });
    if (fate === 'reset') this.#control.reset();
    if (fate === 'freeze') this.#control.freeze();
    if (fate !== undefined && fate !== 'pass') return;
    const { bytesPerSecond } = this.#control.faults();
    if (bytesPerSecond <= 0) return this.#write(bytes);
    const stepBytes = Math.max(1, Math.floor((bytesPerSecond * tickMs) / 1_000));
    for (let start = 0; start < bytes.byteLength; start += stepBytes) {
      await pause(tickMs);
      if (this.#control.isDead() || this.#to.destroyed) return;
      await this.#write(bytes.subarray(start, start + stepBytes));
    }
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#to.destroyed || this.#to.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#to.off('drain', done).off('close', done);
        resolve();
      };
      this.#to.on('drain', done).on('close', done);
    });
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
