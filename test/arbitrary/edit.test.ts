import { edited } from './edit';

/** An application whose only list inside holds one credential. */
function wiki(credential: object): object {
  return {
    applications: [{ name: 'Wiki', application_type: 'wiki', local_access_creds: [credential] }],
  };
}

test('a change of one field leaves each access credential something by which it is called', () => {
  const standing = wiki({ unique_id: 'key' });
  const donor = wiki({ unique_id: '', name: 'deploy' });
  // Of `/applications` and `/applications/local_access_creds` the latter; of its item in the donor the first field.
  const change = { action: 'field' as const, kind: 1, list: 0, at: 0, from: 0, field: 0 };
  expect(edited(standing, [change], donor)).toEqual(wiki({ unique_id: '', name: 'deploy' }));
  expect(edited(wiki({ unique_id: 'key', id: 'k' }), [change], donor)).toEqual(
    wiki({ unique_id: '', id: 'k' }),
  );
});
