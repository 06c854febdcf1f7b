import { records } from '../../src/features';
import { nodeKinds } from '../../src/templates/graph/nodes';
import { schemaItems, schemaStatements } from '../../src/graph/statements/schema';

test('has one uniqueness constraint for all entities, one for each label of the service, and indexes for look-ups', () => {
  const statements = schemaStatements(records);
  const unique = (label: string): readonly string[] =>
    statements.filter((text) => text.includes(`(n:${label}) REQUIRE n.key IS UNIQUE`));
  for (const { label, keeper, also } of [...nodeKinds, ...records]) {
    // Several versions of one node share its key.
    expect(unique(label)).toHaveLength(keeper === 'service' ? 1 : 0);
    expect(also.includes('Entity')).toBe(keeper === 'row' || keeper === 'shared');
  }
  expect(unique('Entity')).toHaveLength(1);
  expect(statements.filter((text) => /\b(IdpUser|Push)\)/.test(text))).toMatchInlineSnapshot(`
   [
     "CREATE INDEX idp_user_fold_id IF NOT EXISTS FOR (n:IdpUser) ON (n.fold_id)",
     "CREATE INDEX idp_user_fold_name IF NOT EXISTS FOR (n:IdpUser) ON (n.fold_name)",
     "CREATE INDEX idp_user_fold_exact IF NOT EXISTS FOR (n:IdpUser) ON (n.fold_exact)",
     "CREATE INDEX idp_user_fold_email IF NOT EXISTS FOR (n:IdpUser) ON (n.fold_email)",
     "CREATE INDEX idp_user_data_source_fold_manager_id IF NOT EXISTS FOR (n:IdpUser) ON (n.data_source, n.fold_manager_id)",
     "CREATE INDEX idp_user_fold_source_identity IF NOT EXISTS FOR (n:IdpUser) ON (n.fold_source_identity)",
     "CREATE CONSTRAINT push_key IF NOT EXISTS FOR (n:Push) REQUIRE n.key IS UNIQUE",
     "CREATE CONSTRAINT push_at IF NOT EXISTS FOR (n:Push) REQUIRE n.at IS UNIQUE",
     "CREATE INDEX push_outcome_at IF NOT EXISTS FOR (n:Push) ON (n.outcome, n.at)",
     "CREATE INDEX push_turn IF NOT EXISTS FOR (n:Push) ON (n.turn)",
   ]
  `);
});

test('names what it makes, each once, and may be repeated', () => {
  const items = schemaItems(records);
  for (const { name, what, statement } of items) {
    expect(statement).toMatch(`CREATE ${what.toUpperCase()} ${name} IF NOT EXISTS `);
  }
  expect(new Set(items.map(({ name }) => name)).size).toBe(items.length);
});

test('asks for nothing that only the Enterprise edition has', () => {
  for (const text of schemaStatements(records)) expect(text).not.toMatch(/NODE KEY|NOT NULL|IS ::/);
});
