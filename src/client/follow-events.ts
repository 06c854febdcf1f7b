import { setTimeout as sleep } from 'node:timers/promises';

import type { EventAnswer } from '../contract/answers/events';
import { type Client, RefusedRequest, Unreachable } from './client';
import { before } from '../model/trailing';

const PAUSE_MILLISECONDS = 1_000;

/** One message of a stream of server-sent events. */
interface Message {
  readonly id: string | undefined;
  readonly data: string;
}

const messageOf = (block: string): Message => {
  const fields = block.split(/\r?\n/).map((line) => {
    const name = before(line, ':');
    const value = line.slice(name.length + 1);
    return [name, value.startsWith(' ') ? value.slice(1) : value] as const;
  });
  const data = fields.flatMap(([name, value]) => (name === 'data' ? [value] : [])).join('\n');
  return { id: fields.findLast(([name]) => name === 'id')?.[1], data };
};

async function* messagesOf(answer: Response): AsyncGenerator<Message> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    yield* blocks.map(messageOf);
  }
}

/**
 * Events of a stream, as they are committed (docs/api.md: Pushes and events). If the connection
 * breaks, the client opens it again and goes on after the last event that it received.
 */
export async function* followEvents(
  client: Client,
  path: string,
  filter?: string,
): AsyncGenerator<EventAnswer, never> {
  const search = filter === undefined ? '' : `?${new URLSearchParams({ filter }).toString()}`;
  let last: string | undefined;
  for (;;) {
    try {
      const headers = { accept: 'text/event-stream' };
      const answer = await client.open(
        `${path}${search}`,
        last === undefined ? headers : { ...headers, 'last-event-id': last },
      );
      for await (const { id, data } of messagesOf(answer)) {
        last = id ?? last;
        if (data !== '') yield JSON.parse(data) as EventAnswer;
      }
    } catch (error) {
      // If an open connection breaks, fetch throws a TypeError.
      const mayPass =
        error instanceof Unreachable ||
        error instanceof TypeError ||
        (error instanceof RefusedRequest && error.mayPass);
      if (!mayPass) throw error;
    }
    await sleep(PAUSE_MILLISECONDS);
  }
}
