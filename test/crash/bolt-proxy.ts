import { createServer, type Server } from 'node:net';

import { anyPort } from '../../src/embedded/port';
import { type Address, BoltConnection, type Moment } from './bolt-connection';

/** Where Neo4j listens if its address names no port. */
const BOLT_PORT = 7687;

/**
 * A way to Neo4j that knows what passes: it can stop at a chosen call, before the call is forwarded or when its answer has come back, and from then
 * on lets nothing pass in either direction; to both sides the other one hangs.
 */
export class BoltProxy {
  private readonly connections = new Set<BoltConnection>();
  private server: Server | undefined;
  private waiting: (() => void)[] = [];
  private isFrozen = false;
  private armed: { isThere: (moment: Moment) => boolean; reached: () => void } | null = null;

  private constructor(
    readonly port: number,
    private readonly neo4j: Address,
  ) {}

  /** Stands before the server of a Bolt address. */
  static async before(uri: string): Promise<BoltProxy> {
    const { hostname, port } = new URL(uri);
    const proxy = new BoltProxy(await anyPort(), {
      host: hostname,
      port: Number(port || BOLT_PORT),
    });
    await proxy.mend();
    return proxy;
  }

  /** Stops at the first such moment; resolves when it is there. */
  stopAt(isThere: (moment: Moment) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.armed = { isThere, reached: resolve };
    });
  }

  /** Stops nowhere. */
  disarm(): void {
    this.armed = null;
  }

  /** The port of Neo4j. */
  get neo4jPort(): number {
    return this.neo4j.port;
  }

  /** Lets nothing pass any more. */
  freeze(): void {
    this.isFrozen = true;
  }

  /** Lets pass what waits, and all that comes. */
  thaw(): void {
    this.isFrozen = false;
    for (const pass of this.waiting.splice(0)) pass();
  }

  /** How many connections stand. */
  count(): number {
    return this.connections.size;
  }

  /** Ends all connections and forgets what waits, and takes new ones all the time. */
  drop(): void {
    this.waiting = [];
    this.isFrozen = false;
    this.armed = null;
    for (const connection of this.connections) connection.destroy();
  }

  /** Ends all connections, forgets what waits, and takes no more. */
  async cut(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      if (this.server === undefined) resolve();
      else this.server.close(() => resolve());
    });
    this.server = undefined;
    this.drop();
    await closed;
  }

  /** Takes connections again, at the same port. */
  mend(): Promise<void> {
    return new Promise((resolve, reject) => {
      // Or each answer would wait for the word that what came before it was received.
      const server = createServer({ noDelay: true }, (client) => {
        const connection: BoltConnection = new BoltConnection(
          client,
          this.neo4j,
          (moment, pass) => this.pass(moment, pass),
          () => this.connections.delete(connection),
        );
        this.connections.add(connection);
      });
      this.server = server;
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  private pass(moment: Moment | null, pass: () => void): void {
    const { armed } = this;
    if (!this.isFrozen && armed !== null && moment !== null && armed.isThere(moment)) {
      this.armed = null;
      this.isFrozen = true;
      armed.reached();
    }
    if (this.isFrozen) this.waiting.push(pass);
    else pass();
  }
}
