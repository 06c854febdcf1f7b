import { LocalUser } from '../../src/templates/application/local-users';
import { Resource } from '../../src/templates/application/resources';
import { derivations, derivedTypesAt } from '../../src/templates/graph/derivations';
import { IdpApp } from '../../src/templates/identity-provider/apps';
import { IdpUser } from '../../src/templates/identity-provider/users';
import type { Derivation } from '../../src/model/table';
import {
  DRAW_MANAGER_TAGS,
  drawForAnswerers,
  drawForAskers,
  drawManagers,
  MANAGED_THROUGH,
  MANAGERS_THROUGH,
  UNDRAW_MANAGER_TAGS,
  UNDRAW_MANAGER_TAGS_AT,
  undrawAt,
  undrawForAnswerers,
  undrawForAskers,
  undrawManagers,
} from '../../src/graph/rows/derivation-statements';

const derivation = (name: string): Derivation => {
  const found = derivations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no derivation ${name}`);
  return found;
};
const knownAs = derivation('known_as_IdpUser');
const managedBy = derivation('managed_by');
const resolvesToUser = derivation('resolves_to_LocalUser');

describe('draws', () => {
  test('what answers bring about, from the answering node', () => {
    expect(drawForAnswerers(knownAs)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (answerer:Entity {key: pair[0]})
     USING INDEX SEEK answerer:Entity(key)
     MATCH (asker:Identity {name: pair[1]})
     USING INDEX SEEK asker:Identity(name)
     MERGE (answerer)-[r:KNOWN_AS]->(asker)
     ON CREATE SET r.since = $at
     WITH asker, answerer, r
     WHERE r.since = $at
     RETURN asker.key AS asker, answerer.key AS answerer"
    `);
  });

  test('what answers bring about, from the asking node, on a condition', () => {
    expect(drawForAnswerers(managedBy)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (answerer:Entity {key: pair[0]})
     USING INDEX SEEK answerer:Entity(key)
     MATCH (asker:IdpUser {fold_manager_id: pair[1]})
     USING INDEX SEEK asker:IdpUser(data_source, fold_manager_id)
     WHERE asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key
     MERGE (asker)-[r:MANAGED_BY]->(answerer)
     ON CREATE SET r.since = $at
     WITH asker, answerer, r
     WHERE r.since = $at
     RETURN asker.key AS asker, answerer.key AS answerer"
    `);
  });

  test('what asking brings about, by one property', () => {
    expect(drawForAskers(knownAs, 'fold_email')).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (asker:Entity {key: pair[0]})
     USING INDEX SEEK asker:Entity(key)
     MATCH (answerer:IdpUser {fold_email: pair[1]})
     USING INDEX SEEK answerer:IdpUser(fold_email)
     MERGE (answerer)-[r:KNOWN_AS]->(asker)
     ON CREATE SET r.since = $at
     WITH asker, answerer, r
     WHERE r.since = $at
     RETURN asker.key AS asker, answerer.key AS answerer"
    `);
  });

  test('what asking of one kind brings about', () => {
    expect(drawForAskers(resolvesToUser, 'fold_other_id')).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (asker:Entity {key: pair[0]})
     USING INDEX SEEK asker:Entity(key)
     MATCH (answerer:LocalUser {fold_other_id: pair[1]})
     USING INDEX SEEK answerer:LocalUser(fold_other_id)
     WHERE asker.node_type = 'localuser'
     MERGE (asker)-[r:RESOLVES_TO]->(answerer)
     ON CREATE SET r.since = $at
     WITH asker, answerer, r
     WHERE r.since = $at
     RETURN asker.key AS asker, answerer.key AS answerer"
    `);
  });
});

describe('takes back', () => {
  test('what is no longer answered', () => {
    expect(undrawForAnswerers(derivation('source_identity_of_IdpUser'))).toMatchInlineSnapshot(`
     "UNWIND $rows[0] AS row
     MATCH (answerer:Entity {key: row.key})
     USING INDEX SEEK answerer:Entity(key)
     MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
     WHERE asker:IdpUser AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
     DELETE r
     RETURN asker.key AS asker, answerer.key AS answerer"
    `);
  });

  test('what is no longer asked for', () => {
    expect(undrawForAskers(managedBy)).toMatchInlineSnapshot(`
     "UNWIND $rows[0] AS row
     MATCH (asker:Entity {key: row.key})
     USING INDEX SEEK asker:Entity(key)
     MATCH (asker)-[r:MANAGED_BY]->(answerer)
     WHERE answerer:IdpUser AND NOT coalesce(asker.fold_manager_id IN [answerer.fold_id] AND asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key, false)
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: asker.key, start_label: 'IdpUser', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
     DELETE r
     RETURN asker.key AS asker, answerer.key AS answerer"
    `);
  });

  test('all that is derived at rows that leave', () => {
    expect(undrawAt(derivedTypesAt(IdpUser))).toMatchInlineSnapshot(`
     "UNWIND $keys[0] AS key
     MATCH (n:Entity {key: key})
     USING INDEX SEEK n:Entity(key)
     MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|MANAGED_BY|HAS_ACCOUNT|RESOLVES_TO|SYSTEM_resource_managers]-()
     WITH DISTINCT r
     WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
     WITH r, type, a, b, a.key AS start, b.key AS end
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
     DELETE r
     RETURN type, start, end"
    `);
  });
});

describe('managers of resources', () => {
  test('candidates, by what an entity resolves to', () => {
    expect(MANAGED_THROUGH).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (entity:Entity {key: pair[0]})
     USING INDEX SEEK entity:Entity(key)
     MATCH (entity)-[:RESOLVES_TO]->(managed)
     WHERE $label[0] IN labels(managed)
     RETURN DISTINCT managed.key AS managed, pair[1] AS manager"
    `);
  });

  test('candidates, by who owns an entity', () => {
    expect(MANAGERS_THROUGH).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (entity:Entity {key: pair[0]})
     USING INDEX SEEK entity:Entity(key)
     MATCH (entity)<-[:OWNS]-(manager)
     WHERE $label[0] IN labels(manager)
     RETURN DISTINCT pair[1] AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id"
    `);
  });

  test('are drawn', () => {
    expect(drawManagers(false)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (managed:Entity {key: pair[0]})
     USING INDEX SEEK managed:Entity(key)
     MATCH (manager:Entity {key: pair[1]})
     USING INDEX SEEK manager:Entity(key)
     WHERE EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } }
     MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
     ON CREATE SET r.since = $at
     WITH managed, manager, r
     WHERE r.since = $at
     RETURN managed.key AS start, manager.key AS end"
    `);
  });

  test('are taken back', () => {
    expect(undrawManagers(false)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (managed:Entity {key: pair[0]})
     USING INDEX SEEK managed:Entity(key)
     MATCH (manager:Entity {key: pair[1]})
     USING INDEX SEEK manager:Entity(key)
     WITH managed, manager, pair, head([(managed)-[drawn:SYSTEM_resource_managers]->(manager) | drawn]) AS r
     WHERE r IS NOT NULL AND NOT EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } }
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: $managed_label[0], end: pair[1], end_label: $manager_label[0], since: r.since, until: $until[0]}))
     DELETE r
     RETURN managed.key AS start, manager.key AS end"
    `);
  });

  test('are told by tags', () => {
    expect(DRAW_MANAGER_TAGS).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS noted
     MATCH (managed:Entity {key: noted[0]})
     USING INDEX SEEK managed:Entity(key)
     WITH managed, noted[1] AS tags,
       [(managed)-[:SYSTEM_resource_managers]->(manager) | coalesce(manager.identity, manager.name)] AS ids
     UNWIND tags AS pair
     WITH managed, pair, ids
     WHERE pair[1] IN ids
     MERGE (tag:Entity {key: pair[0]})
     ON CREATE SET tag:Tag, tag.name = 'SYSTEM_resource_managers', tag.fold_of_name = 'system_resource_managers',
       tag.value = pair[1], tag.fold_of_value = pair[2]
     MERGE (managed)-[r:TAGGED {derived: true}]->(tag)
     ON CREATE SET r.since = $at
     WITH managed, tag, r
     WHERE r.since = $at
     RETURN managed.key AS start, tag.key AS end"
    `);
    expect(UNDRAW_MANAGER_TAGS).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS noted
     MATCH (managed:Entity {key: noted[0]})
     USING INDEX SEEK managed:Entity(key)
     WITH managed, noted[1] AS tags,
       [(managed)-[:SYSTEM_resource_managers]->(manager) | coalesce(manager.identity, manager.name)] AS ids
     UNWIND tags AS pair
     MATCH (tag:Entity {key: pair[0]})
     USING INDEX SEEK tag:Entity(key)
     WITH managed, tag, pair, ids
     MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
     WHERE 'Tag' IN labels(tag) AND NOT coalesce(pair[1] IN ids, false)
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: $label[0], end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until[0]}))
     DELETE r
     RETURN managed.key AS start, tag.key AS end"
    `);
    expect(UNDRAW_MANAGER_TAGS_AT).toMatchInlineSnapshot(`
     "UNWIND $keys[0] AS key
     MATCH (managed:Entity {key: key})
     USING INDEX SEEK managed:Entity(key)
     MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
     WHERE 'Tag' IN labels(tag)
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: $label[0], end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until[0]}))
     DELETE r
     RETURN key AS start, tag.key AS end"
    `);
  });
});

test.each([
  [LocalUser, ['RESOLVES_TO']],
  [IdpApp, []],
  [Resource, ['RESOLVES_TO', 'SYSTEM_resource_managers']],
  [
    IdpUser,
    [
      'KNOWN_AS',
      'SOURCE_IDENTITY_OF',
      'MANAGED_BY',
      'HAS_ACCOUNT',
      'RESOLVES_TO',
      'SYSTEM_resource_managers',
    ],
  ],
] as const)('%p has derived relationships of %j', (kind, types) => {
  expect(derivedTypesAt(kind)).toEqual(types);
});
