import type { RequestHandler } from 'express';

import type { Handle } from '../../../src/web/exchange/handle';
import { idleRoutes } from '../../support/idle-app';

test('what asks for users and groups through SCIM waits for the turn of its key, as any question', () => {
  const questions = new Set<RequestHandler>();
  const questionOf =
    (handle: Handle): Handle =>
    (work) => {
      const made = handle(work);
      questions.add(made);
      return made;
    };
  const reading = idleRoutes(questionOf).filter(
    ({ method, path }) =>
      (method === 'get' && /\/(Users|Groups)/.test(path)) || path.endsWith('/.search'),
  );
  expect(reading.map(({ method, path }) => `${method} ${path}`)).toHaveLength(7);
  expect(reading.filter(({ handler }) => !questions.has(handler))).toEqual([]);
});
