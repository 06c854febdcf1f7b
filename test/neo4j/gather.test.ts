import type { Record as GraphRecord, Result, ResultObserver, ResultSummary } from 'neo4j-driver';

import { gather } from '../../src/neo4j/gather';

/** A result, and who listens to it. */
const listened = () => {
  let observer: ResultObserver = {};
  const result = {
    subscribe: (given: ResultObserver) => {
      observer = given;
    },
  } as unknown as Result;
  const gathered = gather(result);
  return { gathered, observer };
};

const records = ['one', 'two'] as unknown as readonly GraphRecord[];

test('all rows of a result are told, in their order', async () => {
  const { gathered, observer } = listened();
  const summary = {} as ResultSummary;
  for (const record of records) observer.onNext?.(record);
  observer.onCompleted?.(summary);
  expect(await gathered).toEqual({ records, summary });
});

test('a failure is told', async () => {
  const { gathered, observer } = listened();
  for (const record of records) observer.onNext?.(record);
  observer.onError?.(new Error('lost'));
  await expect(gathered).rejects.toThrow('lost');
});

test.each([
  ['told', (observer: ResultObserver) => observer.onCompleted?.({} as ResultSummary)],
  ['failed', (observer: ResultObserver) => observer.onError?.(new Error('lost'))],
])('what is %s is within nobody’s reach by way of the driver', async (_name, end) => {
  const { gathered, observer } = listened();
  for (const record of records) observer.onNext?.(record);
  end(observer);
  await gathered.catch(() => undefined);
  expect(Object.values(observer)).toEqual(expect.arrayContaining([[], null, null]));
  expect(JSON.stringify(observer)).not.toContain('one');
});
