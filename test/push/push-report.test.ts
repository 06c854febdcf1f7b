import { failedReport, type PushIdentity, refusedReport } from '../../src/push/run/push-report';
import { present } from '../../src/model/instant';
import type { Problem } from '../../src/problem';

const push: PushIdentity = {
  id: 'push-1',
  source: { provider: { id: 'p' }, dataSource: { id: 'd', name: 'Source' } },
  requestId: 'request-1',
};

const problems: readonly Problem[] = [
  { pointer: '', code: 'NOT_JSON', message: 'the text is not JSON', near: 'SECRET‹here›' },
];
const at = present();
const none = { nodes: 0, relationships: 0 };

// An erasure would not find half of a name (docs/rules.md: Problems).
test.each([
  ['refused', refusedReport(push, at, 'no', { problems, total: 1 }, {})],
  [
    'given up',
    failedReport(
      push,
      at,
      at,
      { outcome: 'refused', message: 'no', problems, total: 1 },
      { put: none, removed: none },
      {},
    ),
  ],
])('the record and event of a push that is %s have no text of the payload', (_what, report) => {
  const text = JSON.stringify(report);
  expect(text).toContain('the text is not JSON');
  expect(text).not.toContain('SECRET');
});
