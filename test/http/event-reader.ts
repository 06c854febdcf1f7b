import type { RequestListener } from 'node:http';

import { API_KEY, listenLocally } from './service-under-test';

/** An event as a stream tells it. */
export interface Told {
  readonly id: string;
  readonly event: {
    readonly id: string;
    readonly event_type: string;
    readonly provider_id: string;
  };
}

/** How a reader asks. */
export interface ReaderOptions {
  readonly key?: string;
  readonly after?: string;
  readonly query?: Readonly<Record<string, string>>;
}

/** Reads a live stream of events as a browser does. */
export class EventReader {
  readonly told: Told[] = [];
  readonly comments: string[] = [];
  /** What it would send as `Last-Event-ID`. */
  lastId = '';
  hasEnded = false;
  private readonly waiting = new Set<() => void>();

  private constructor(
    readonly status: number,
    readonly body: string,
    private readonly cut: AbortController,
  ) {}

  static async open(
    app: RequestListener,
    { key = API_KEY, after, query = {} }: ReaderOptions = {},
  ): Promise<EventReader> {
    const { port, close } = await listenLocally(app);
    const cut = new AbortController();
    const response = await fetch(
      `http://127.0.0.1:${port}/api/v1/events:stream?${new URLSearchParams(query).toString()}`,
      {
        signal: cut.signal,
        headers: {
          authorization: `Bearer ${key}`,
          ...(after === undefined ? {} : { 'last-event-id': after }),
        },
      },
    );
    if (response.status !== 200 || response.body === null) {
      const reader = new EventReader(response.status, await response.text(), cut);
      await close();
      return reader;
    }
    const reader = new EventReader(200, '', cut);
    void reader.read(response.body).finally(close);
    // Only then does it stand in the stream.
    await reader.until(() => reader.lastId !== '');
    return reader;
  }

  get types(): readonly string[] {
    return this.told.map(({ event }) => event.event_type);
  }

  /** Resolves when something that the reader was told makes it true. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => this.waiting.add(resolve));
    }
  }

  /** The connection breaks. */
  async leave(): Promise<void> {
    this.cut.abort();
    await this.until(() => this.hasEnded);
  }

  private async read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const bytes of body) {
        const blocks = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) this.take(block);
        this.wake();
      }
    } catch {
      // The connection broke.
    }
    this.hasEnded = true;
    this.wake();
  }

  private take(block: string): void {
    const field = (name: string): string | undefined =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2);
    const [id, data] = [field('id'), field('data')];
    if (block.startsWith(':')) this.comments.push(block);
    if (id !== undefined) this.lastId = id;
    if (data !== undefined) {
      this.told.push({ id: id ?? '', event: JSON.parse(data) as Told['event'] });
    }
  }

  private wake(): void {
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const go of woken) go();
  }
}
