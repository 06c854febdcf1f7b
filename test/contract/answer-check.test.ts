import { AnswerCheck, type SentAnswer } from '../support/answer-check';

const READY: SentAnswer = {
  method: 'GET',
  url: '/readyz?x=1',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: '{"status":"ready","store_version":4,"access_graph":"ready"}',
};

const REFUSED = {
  code: 'NotFound',
  message: 'There is no such path.',
  request_id: 'a'.repeat(32),
  timestamp: '2026-11-24T00:00:00.000Z',
  details: [],
};

const check = new AnswerCheck();

const wrongIn = (answer: Partial<SentAnswer>): readonly string[] => {
  check.look({ ...READY, ...answer });
  return check.takeWrong().map((text) => text.replace(/^.*\): /, ''));
};

test.each([
  ['an answer as declared', {}, []],
  [
    'an unknown field',
    { body: '{"status":"ready","store_version":4,"access_graph":"ready","x":1}' },
    ['/x UNKNOWN_FIELD'],
  ],
  [
    'a missing field',
    { body: '{"store_version":4,"access_graph":"ready"}' },
    ['/status MISSING_FIELD'],
  ],
  [
    'another value',
    { body: '{"status":"x","store_version":4,"access_graph":"ready"}' },
    ['/status UNKNOWN_VALUE'],
  ],
  ['no JSON', { body: '{' }, ['is no JSON']],
  ['another type', { contentType: 'text/plain' }, ['should be JSON']],
  ['a refusal', { status: 503, body: JSON.stringify(REFUSED) }, []],
  [
    'a refusal with another status',
    { status: 404, body: JSON.stringify(REFUSED) },
    ['the description does not list this status'],
  ],
  ['a refusal without details', { status: 503, body: '{"code":"Unavailable"}' }, ['/message MIS']],
  ['a refusal of another type', { status: 503, contentType: 'text/html' }, ['should be JSON']],
  ['an unknown route', { url: '/nowhere' }, ['there is no such route']],
  ['HEAD', { method: 'HEAD', body: '' }, []],
  [
    'an event of a stream',
    {
      url: '/api/v1/events:stream',
      contentType: 'text/event-stream; charset=utf-8',
      body: 'retry: 3000\n\nid: 1\ndata: {"id":1}\n\n',
    },
    ['/id WRONG_TYPE'],
  ],
] as const)('%s', (_what, answer, expected) => {
  const wrong = wrongIn(answer);
  expect(wrong.slice(0, 1)).toEqual(
    expected.map((text) => expect.stringContaining(text) as unknown),
  );
});
