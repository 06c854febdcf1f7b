import { connect, type Socket } from 'node:net';

import {
  BoltChunks,
  type BoltMessage,
  type BoltRequest,
  clientOpening,
  endsAnswer,
  readRequest,
  serverOpeningEnd,
} from './bolt-messages';

/** What a client of Neo4j awaits: a statement with its rows, or another step of a transaction. */
export interface Call {
  /** `BEGIN`, `COMMIT`, …, or the statement's text. */
  readonly what: string;
  /** The statements of its transaction before it. */
  readonly transaction: readonly string[];
}

/** A call that is about to reach Neo4j, or whose answer is about to reach the client. */
export interface Moment {
  readonly side: 'before' | 'after';
  readonly call: Call;
}

/** Lets things pass in their order, now or later or never; `null` is no moment of anybody's. */
export type Gate = (moment: Moment | null, pass: () => void) => void;

/** What is awaited of a request that is under way: its call's end, if it is that. */
type Due = Call | null;

/**
 * The calls that are no statements. Connections are opened, kept and reset as the driver likes: between a call before and the next one, which are
 * moments.
 */
export const STEPS_OF_TRANSACTIONS: ReadonlySet<string> = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A client's connection to Neo4j through a gate. */
export class BoltConnection {
  private readonly upstream: Socket;
  private readonly requests = new BoltChunks();
  private readonly answers = new BoltChunks();
  private readonly awaited: Due[] = [];
  private opening = Buffer.alloc(0);
  private serverOpening: Buffer | null = null;
  private openingSent = 0;
  private running: Call | null = null;
  private transaction: readonly string[] = [];

  constructor(
    private readonly client: Socket,
    server: Address,
    private readonly gate: Gate,
    closed: () => void,
  ) {
    this.upstream = connect({ ...server, noDelay: true });
    client.on('data', (bytes) => this.fromClient(bytes));
    this.upstream.on('data', (bytes) => this.fromServer(bytes));
    for (const [one, other] of [
      [client, this.upstream],
      [this.upstream, client],
    ] as const) {
      one.on('error', () => other.destroy());
      // The driver says goodbye and closes; a process that is killed just closes.
      one.on('end', () => gate(null, () => other.end()));
      one.on('close', () => {
        if (other.destroyed) closed();
        else gate(null, () => other.destroy());
      });
    }
  }

  destroy(): void {
    this.client.destroy();
    this.upstream.destroy();
  }

  private fromClient(bytes: Buffer): void {
    const rest = clientOpening(this.serverOpening) - this.openingSent;
    const opening = bytes.subarray(0, Math.max(0, rest));
    this.openingSent += opening.length;
    if (opening.length > 0) this.gate(null, () => this.upstream.write(opening));
    for (const message of this.requests.add(bytes.subarray(opening.length))) this.request(message);
  }

  private fromServer(bytes: Buffer): void {
    if (this.serverOpening !== null) return this.answersIn(bytes);
    this.opening = Buffer.concat([this.opening, bytes]);
    const end = serverOpeningEnd(this.opening);
    if (end === null) return;
    const opening = this.opening.subarray(0, end);
    this.serverOpening = opening;
    this.gate(null, () => this.client.write(opening));
    this.answersIn(this.opening.subarray(end));
  }

  private request({ raw, body }: BoltMessage): void {
    const forward = (): void => void this.upstream.write(raw);
    if (body.length === 0) return this.gate(null, forward);
    const request = readRequest(body);
    const begun = this.callBegunBy(request);
    if (request.name !== 'GOODBYE') this.awaited.push(this.callEndedBy(request, begun));
    this.gate(begun === null ? null : { side: 'before', call: begun }, forward);
  }

  private answersIn(bytes: Buffer): void {
    for (const { raw, body } of this.answers.add(bytes)) {
      const call = body.length > 0 && endsAnswer(body) ? (this.awaited.shift() ?? null) : null;
      const forward = (): void => void this.client.write(raw);
      this.gate(call === null ? null : { side: 'after', call }, forward);
    }
  }

  private callBegunBy({ name, text }: BoltRequest): Call | null {
    if (name === 'BEGIN') this.transaction = [];
    const { transaction } = this;
    if (name !== 'RUN') return STEPS_OF_TRANSACTIONS.has(name) ? { what: name, transaction } : null;
    const what = (text ?? '').replace(/^CYPHER .*\n/, '');
    this.transaction = [...transaction, what];
    return { what, transaction };
  }

  /** A statement's call lasts until its rows have come, which are asked for together with it. */
  private callEndedBy({ name }: BoltRequest, begun: Call | null): Due {
    if (name === 'RUN') {
      this.running = begun;
      return null;
    }
    if (name !== 'PULL' && name !== 'DISCARD') return begun;
    const ended = this.running;
    this.running = null;
    return ended;
  }
}
