import { plannedJson, sendFile } from '../connectors/send-file';
import type { Registered } from '../property/service-driver';
import { FIRST_WHOLE, INCREMENT, LARGE_WHOLE, OTHER_WHOLE, REFUSED } from './payloads';
import type { Answered, Stage } from './stage';

/** How a push ends when nothing comes between. */
export type End = 'changed' | 'unchanged' | 'refused' | 'deleted';

/** Sends a push; asked again after a crash, it goes on where the answer failed to come, as a client would. */
export type Attempt = () => Promise<Answered>;

/** A kind of push that is struck at each of its moments. They follow on one another, from a new data source to its deletion. */
export interface PushKind {
  readonly name: string;
  readonly end: End;
  /** What it makes of the data source; `null`: it stays as it is, or goes. */
  readonly payload: object | null;
  /** Whether it goes on by itself once it has begun. */
  readonly goesOn?: boolean;
  begin(stage: Stage, source: Registered): Attempt;
}

/** A payload in one request. */
const whole =
  (payload: object) =>
  (stage: Stage, { id, data_source_id, path }: Registered): Attempt =>
  () =>
    stage.send('POST', path, { id, data_source_id, json_data: JSON.stringify(payload) });

/** A payload as a file that an administrator pushes with a browser, to a data source that has nothing yet. */
const asFile =
  (payload: object) =>
  (stage: Stage, { data_source_id, path }: Registered): Attempt => {
    const content = JSON.stringify(payload);
    const planned = plannedJson(content);
    return async () => {
      const pushes = path.replace(/:push$/, '/pushes');
      const { status, leadsTo } = await sendFile(
        stage.service,
        `/console/sources/${data_source_id}/push`,
        { planned, on: '' },
        { name: 'payload.json', content },
      );
      const push = new URLSearchParams(leadsTo?.split('?')[1]).get('push');
      if (push === null) return { status, body: {}, retryAfter: null };
      // The page of the push leads there; its record says what it did.
      const record = await stage.send('GET', `${pushes}/${push}`);
      const { outcome, at } = (record.body.value ?? {}) as Readonly<Record<string, unknown>>;
      return { ...record, body: { at, unchanged: outcome === 'unchanged' } };
    };
  };

const isUnknownUpload = ({ status, body }: Answered): boolean =>
  status === 400 && JSON.stringify(body).includes('UNKNOWN_UPLOAD');

/** A payload in two parts. */
const inParts =
  (payload: object) =>
  (stage: Stage, { path }: Registered): Attempt => {
    const bytes = Buffer.from(JSON.stringify(payload));
    const parts = [bytes.subarray(0, 301), bytes.subarray(301)];
    const send = (body: object): Promise<Answered> =>
      stage.send('POST', path.replace(/:push$/, ':parts'), body);
    let upload: unknown = null;
    let step = 0;
    const steps = [
      async () => {
        const answer = await send({ operation: 'start' });
        upload = answer.body.upload_id;
        return answer;
      },
      ...parts.map((part, index) => () => {
        const data = part.toString('base64');
        return send({ operation: 'upload', upload_id: upload, sequence_number: index + 1, data });
      }),
      () => send({ operation: 'complete', upload_id: upload, sequence_count: parts.length }),
    ];
    const goOn = async (): Promise<Answered> => {
      for (;;) {
        const answer = await steps[step]?.();
        if (answer === undefined) throw new Error(`There is no step ${step}.`);
        if (isUnknownUpload(answer)) {
          // What is complete is there no more.
          step = 0;
        } else if (answer.status !== 200 || step === steps.length - 1) return answer;
        else step += 1;
      }
    };
    return goOn;
  };

const deletion =
  (stage: Stage, { path }: Registered): Attempt =>
  () =>
    stage.send('DELETE', path.replace(/:push$/, ''));

/** The kinds of pushes, in the order in which they are made. */
export const FIRST: PushKind = {
  name: 'first full push',
  end: 'changed',
  payload: FIRST_WHOLE,
  begin: whole(FIRST_WHOLE),
};

export const FILE: PushKind = {
  name: 'file from a page',
  end: 'changed',
  payload: FIRST_WHOLE,
  begin: asFile(FIRST_WHOLE),
};

export const CHANGED: PushKind = {
  name: 'changed full push',
  end: 'changed',
  payload: OTHER_WHOLE,
  begin: whole(OTHER_WHOLE),
};

export const DELETION: PushKind = {
  name: 'deletion of a data source',
  end: 'deleted',
  payload: null,
  begin: deletion,
};

export const KINDS: readonly PushKind[] = [
  FIRST,
  {
    name: 'unchanged repeat',
    end: 'unchanged',
    payload: FIRST_WHOLE,
    begin: whole(FIRST_WHOLE),
  },
  CHANGED,
  { name: 'increment', end: 'changed', payload: INCREMENT, begin: whole(INCREMENT) },
  { name: 'refused push', end: 'refused', payload: null, begin: whole(REFUSED) },
  { name: 'upload in parts', end: 'changed', payload: FIRST_WHOLE, begin: inParts(FIRST_WHOLE) },
  {
    name: 'push applied in parts',
    end: 'changed',
    payload: LARGE_WHOLE,
    goesOn: true,
    begin: whole(LARGE_WHOLE),
  },
  DELETION,
];
