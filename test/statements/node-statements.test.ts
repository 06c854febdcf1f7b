import { LocalRole } from '../../src/templates/application/local-roles';
import { IdpUser } from '../../src/templates/identity-provider/users';
import {
  CREATE_MISSING,
  createRowNodes,
  REMOVE_NODES,
  STANDING_HASHES,
  STANDING_NODES,
  UPDATE_LOOKUPS,
  UPDATE_ROW_NODES,
} from '../../src/graph/rows/node-statements';

test('creates shared nodes that do not stand', () => {
  expect(CREATE_MISSING).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   OPTIONAL MATCH (n:Entity {key: row.key})
   USING INDEX SEEK n:Entity(key)
   WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
   FOREACH (row IN missing | CREATE (n:$($labels[0])) SET n = row)
   RETURN [row IN missing | row.key] AS keys"
  `);
});

test("creates a data source's nodes with all their labels", () => {
  expect(createRowNodes(IdpUser)).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   CREATE (n:IdpUser:Principal:Entity {
     name: row[0],
     email: row[1],
     identity: row[2],
     full_name: row[3],
     department: row[4],
     is_active: row[5],
     is_guest: row[6],
     identity_type: row[7],
     manager_id: row[8],
     source_identity: row[9],
     source_identity_provider_type: row[10],
     domain: row[11],
     idp_type: row[12],
     fold_id: row[13],
     fold_name: row[14],
     fold_email: row[15],
     fold_manager_id: row[16],
     fold_source_identity: row[17],
     fold_source_type: row[18],
     fold_idp_type: row[19],
     fold_of_identity: row[20],
     fold_of_full_name: row[21],
     fold_of_department: row[22],
     fold_of_identity_type: row[23],
     fold_of_source_identity_provider_type: row[24],
     fold_of_domain: row[25],
     fold_of_idp_type: row[26],
     fold_custom: row[27],
     fold_exact: row[28],
     key: row[29],
     row_hash: row[30],
     data_source: $data_source,
     provider: $provider,
     fold_of_provider: $fold_of_provider[0][0],
     since: $at,
     changed: $at
   })
   SET n += row[31]"
  `);
  expect(createRowNodes(LocalRole)).toContain('CREATE (n:LocalRole:Role:Principal:Entity {');
});

test('changes nodes', () => {
  expect(UPDATE_ROW_NODES).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   MATCH (n:Entity {key: row.key})
   USING INDEX SEEK n:Entity(key)
   SET n += row.set, n.changed = $at"
  `);
});

test('changes look-ups alone', () => {
  expect(UPDATE_LOOKUPS).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   MATCH (n:Entity {key: row.key})
   USING INDEX SEEK n:Entity(key)
   SET n += row.set"
  `);
});

test('removes nodes', () => {
  expect(REMOVE_NODES).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:Entity {key: key})
   USING INDEX SEEK n:Entity(key)
   DETACH DELETE n"
  `);
});

test('asks which shared nodes stand', () => {
  expect(STANDING_NODES).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:Entity {key: key})
   USING INDEX SEEK n:Entity(key)
   RETURN collect(n.key) AS keys"
  `);
});

test("reads a data source's hashes", () => {
  expect(STANDING_HASHES).toMatchInlineSnapshot(`
   "MATCH (n:Entity)
   USING INDEX SEEK n:Entity(key)
   WHERE n.key STARTS WITH $prefix
   WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
   RETURN left(hash, 1) AS part, collect(key + hash) AS rows"
  `);
});
