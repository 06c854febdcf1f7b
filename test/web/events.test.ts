import { events, exportEvent } from '../../src/web/events';

test('the event of an export names the key, the address and what was asked', () => {
  const by = { keyId: 'k', name: 'Auditor', address: '192.0.2.7' };
  expect(
    exportEvent(
      { at: '2026-11-24T10:00:00Z', requestId: 'r', by },
      { what: 'access', inWords: 'All access', format: 'csv', parameters: { explain: true } },
    ),
  ).toMatchObject({
    timestamp: '2026-11-24T10:00:00Z',
    category: 'SYSTEM',
    entity: 'SERVICE',
    provider_id: '',
    event_type: events.DATA_EXPORTED,
    message: 'All access is exported by "Auditor".',
    metadata: {
      request_id: 'r',
      by: { key_id: 'k', name: 'Auditor', address: '192.0.2.7' },
      what: 'access',
      format: 'csv',
      parameters: { explain: true },
    },
  });
});
