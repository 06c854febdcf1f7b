import {
  ALLOW_REMOVAL,
  LOCK_BINDING,
  LOCK_DATA_SOURCE,
  NOTE_BINDING_KINDS,
  READ_BINDING_KINDS,
  READ_DATA_SOURCE,
  RECORD_DATA_SOURCE,
  RECORD_TYPES,
  UNMATCHED_CLOUD_ROLES,
  UNMATCHED_IDENTITIES,
} from '../../src/graph/statements/data-source-statements';

test('takes the lock of a data source by writing to it', () => {
  expect(LOCK_DATA_SOURCE).toMatchInlineSnapshot(`
   "MATCH (source:DataSource {key: $data_source})
   SET source.lock = $push
   RETURN source.key AS key"
  `);
});

test('reads a data source with its provider', () => {
  expect(READ_DATA_SOURCE).toMatchInlineSnapshot(`
   "MATCH (source:DataSource {key: $data_source})-[:FROM]->(provider:Provider)
   OPTIONAL MATCH (large:LargePush {key: $data_source})
   RETURN properties(source) AS source, properties(provider) AS provider, properties(large) AS large, coalesce(source.removal_allowed_until > datetime(), false) AS removal_allowed,
     EXISTS { MATCH (:ErasedNames {key: 'erased'}) } AS has_erased"
  `);
});

test('takes the binding lock by writing to it', () => {
  expect(LOCK_BINDING).toMatchInlineSnapshot(`
   "MATCH (lock:BindingLock {key: 'binding'})
   SET lock.push = $push"
  `);
});

test('reads and notes, under the binding lock, which labels have stood', () => {
  expect(READ_BINDING_KINDS).toMatchInlineSnapshot(`
   "MATCH (lock:BindingLock {key: 'binding'})
   OPTIONAL MATCH (provider:Provider {has_trusts: true})
   RETURN lock.kinds AS kinds, collect(provider {.name, .trusted_domains, .trusted_only, .trusted_providers}) AS trusts"
  `);
  expect(NOTE_BINDING_KINDS).toMatchInlineSnapshot(`
   "MATCH (lock:BindingLock {key: 'binding'})
   SET lock.kinds = lock.kinds + $kinds"
  `);
});

test('records what a push left and lets the lock go', () => {
  expect(RECORD_DATA_SOURCE).toMatchInlineSnapshot(`
   "MATCH (source:DataSource {key: $data_source})
   SET source += $set
   REMOVE source.lock, source.removal_allowed_until, source.half_written_by"
  `);
});

test('lets a data source be emptied for an hour', () => {
  expect(ALLOW_REMOVAL).toMatchInlineSnapshot(`
   "MATCH (source:DataSource {key: $data_source})
   SET source.removal_allowed_until = datetime() + duration({hours: 1})
   RETURN toString(source.removal_allowed_until) AS until"
  `);
});

test("makes the provider's types those of its data sources", () => {
  expect(RECORD_TYPES).toMatchInlineSnapshot(`
   "MATCH (provider:Provider {key: $provider})
   OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
   WITH provider, collect(source) AS sources
   SET provider.application_types = COLLECT { UNWIND sources AS source UNWIND source.application_types AS type RETURN DISTINCT type ORDER BY type }, provider.resource_types = COLLECT { UNWIND sources AS source UNWIND source.resource_types AS type RETURN DISTINCT type ORDER BY type }, provider.idp_types = COLLECT { UNWIND sources AS source UNWIND source.idp_types AS type RETURN DISTINCT type ORDER BY type }"
  `);
});

test('asks what nobody brought', () => {
  expect(UNMATCHED_IDENTITIES).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   OPTIONAL MATCH (identity:Entity {key: key})
   USING INDEX SEEK identity:Entity(key)
   WITH key, identity
   WHERE identity IS NULL OR NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
   RETURN collect(key) AS keys"
  `);
  expect(UNMATCHED_CLOUD_ROLES).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   OPTIONAL MATCH (role:Entity {key: key})
   USING INDEX SEEK role:Entity(key)
   WITH key, role
   WHERE role IS NULL OR NOT EXISTS { (role)-[:ACTS_AS]->() }
   RETURN collect(key) AS keys"
  `);
});
