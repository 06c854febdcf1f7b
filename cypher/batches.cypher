// Generated from src/model by `npm run cypher`; do not edit.
// A list is the only item of its parameter, as in $rows[0]. Otherwise Neo4j would make a plan for each length.

// Let the removal guard pass the next push
MATCH (source:DataSource {key: $data_source})
SET source.removal_allowed_until = datetime() + duration({hours: 1})
RETURN toString(source.removal_allowed_until) AS until;

// Keep the names of properties of a data source that is deleted
MATCH (source:DataSource {key: $data_source})-[:FROM]->(provider:Provider)
SET provider.property_names = COLLECT { UNWIND coalesce(provider.property_names, []) + coalesce(source.property_names, []) AS name RETURN DISTINCT name ORDER BY name };

// Begin to delete a data source
MATCH (source:DataSource {key: $data_source})
SET source += CASE WHEN source.deleting_request IS NULL THEN $act ELSE {} END, source.status = 'DELETING', source.deleting_at = coalesce(source.deleting_at, $moment), source.deleting_erases = coalesce(source.deleting_erases, false) OR $erases
RETURN coalesce(source.rows, 0) + COUNT { (source)<-[:FROM]-() } AS size, source.deleting_rows AS rows, source.deleting_at AS moment, source.deleting_erases AS erases,
  source.deleting_request AS request, source.deleting_key_id AS key_id, source.deleting_key_name AS key_name, source.deleting_address AS address, source.deleting_confirmed AS confirmed;

// Begin to delete a provider
MATCH (provider:Provider {key: $provider})
SET provider += CASE WHEN provider.deleting_request IS NULL THEN $act ELSE {} END, provider.state = 'DELETING', provider.deleting_erases = coalesce(provider.deleting_erases, false) OR $erases
WITH provider
OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
RETURN provider.key AS key, sum(coalesce(source.rows, 0) + COUNT { (source)<-[:FROM]-() }) AS size;

// Data sources that are being deleted
MATCH (source:DataSource {status: 'DELETING'})-[:FROM]->(provider:Provider)
WITH source.key AS key, properties(source) AS act, coalesce(source.deleting_erases, false) OR coalesce(provider.deleting_erases, false) AS erases
RETURN key, erases, act.deleting_request AS request, act.deleting_key_id AS key_id, act.deleting_key_name AS key_name, act.deleting_address AS address, act.deleting_confirmed AS confirmed
UNION
MATCH (provider:Provider {state: 'DELETING'})<-[:FROM]-(source:DataSource)
WITH source.key AS key, CASE WHEN source.deleting_request IS NULL THEN properties(provider) ELSE properties(source) END AS act, coalesce(source.deleting_erases, false) OR coalesce(provider.deleting_erases, false) AS erases
RETURN key, erases, act.deleting_request AS request, act.deleting_key_id AS key_id, act.deleting_key_name AS key_name, act.deleting_address AS address, act.deleting_confirmed AS confirmed;

// Providers that are being deleted
MATCH (provider:Provider {state: 'DELETING'})
RETURN provider.key AS key;

// Data sources of a provider
MATCH (source:DataSource)-[:FROM]->(:Provider {key: $provider})
RETURN source.key AS key;

// Erase history of a data source, 1
MATCH (past:PastNode)
WHERE past.key STARTS WITH $prefix AND past.until IS NOT NULL
WITH past
LIMIT $most
DELETE past
RETURN count(*) AS removed;

// Erase history of a data source, 2
MATCH (past:PastRelationship)
WHERE past.start STARTS WITH $prefix AND past.until IS NOT NULL
WITH past
LIMIT $most
DELETE past
RETURN count(*) AS removed;

// Erase history of a data source, 3
MATCH (past:PastRelationship)
WHERE past.end STARTS WITH $prefix AND past.until IS NOT NULL
WITH past
LIMIT $most
DELETE past
RETURN count(*) AS removed;

// Remove push records
MATCH (source:DataSource {key: $data_source})<-[:FROM]-(push:Push)
WITH push
LIMIT $most
DETACH DELETE push
RETURN count(*) AS removed;

// Remove a data source
MATCH (source:DataSource {key: $data_source})
DETACH DELETE source;

// Lock a provider
MATCH (provider:Provider {key: $provider})
SET provider.since = provider.since;

// Remove a provider
MATCH (provider:Provider {key: $provider, state: 'DELETING'})
WHERE NOT EXISTS { (provider)<-[:FROM]-() }
WITH provider, provider.key AS id, provider.name AS name, properties(provider) AS act
DETACH DELETE provider
RETURN id, name, act.deleting_rows AS rows, coalesce(act.deleting_erases, false) AS erases, act.deleting_request AS request, act.deleting_key_id AS key_id, act.deleting_key_name AS key_name, act.deleting_address AS address, act.deleting_confirmed AS confirmed;

// Read what providers may claim
MATCH (provider:Provider)
RETURN provider.id AS id, provider.custom_template AS template, provider.state AS state,
  provider {.name, .trusted_domains, .trusted_only, .trusted_providers} AS stored, coalesce(provider.has_trusts, false) AS has_trusts,
  COLLECT { MATCH (source:DataSource)-[:FROM]->(provider) RETURN {id: source.id, at: source.last_push_at} } AS sources
ORDER BY stored.name;

// Lock providers
UNWIND $providers AS id
MATCH (provider:Provider {key: id})
SET provider.lock = true
REMOVE provider.lock;

// Set what a provider may claim
MATCH (provider:Provider {key: $provider})
SET provider += $trust;

// Read the groups of imported accounts
UNWIND $keys[0] AS key
MATCH (user:LocalUser {key: key})
USING INDEX SEEK user:LocalUser(key)
RETURN user.unique_id AS id, [(user)-[:MEMBER_OF]->(group:LocalGroup) | group.unique_id] AS groups;

// Read the members of imported groups
UNWIND $keys[0] AS key
MATCH (group:LocalGroup {key: key})
USING INDEX SEEK group:LocalGroup(key)
RETURN group.unique_id AS id,
  [(group)-[:MEMBER_OF]->(above:LocalGroup) | above.unique_id] AS groups,
  [(group)<-[:MEMBER_OF]-(user:LocalUser) | user.unique_id] AS accounts,
  [(group)<-[:MEMBER_OF]-(below:LocalGroup) | below.unique_id] AS members;

// Lock a data source
MATCH (source:DataSource {key: $data_source})
SET source.lock = $push
RETURN source.key AS key;

// Read a data source
MATCH (source:DataSource {key: $data_source})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (large:LargePush {key: $data_source})
RETURN properties(source) AS source, properties(provider) AS provider, properties(large) AS large, coalesce(source.removal_allowed_until > datetime(), false) AS removal_allowed,
  EXISTS { MATCH (:ErasedNames {key: 'erased'}) } AS has_erased;

// Take the derivation lock
MATCH (lock:BindingLock {key: 'binding'})
SET lock.push = $push;

// Count up the commit sequence
MATCH (lock:BindingLock {key: 'binding'})
SET lock.turns = coalesce(lock.turns, 0) + 1
RETURN lock.turns AS turn;

// Read the commit sequence
MATCH (lock:BindingLock {key: 'binding'})
RETURN coalesce(lock.turns, 0) AS turns;

// Read the newest full payload
MATCH (payload:KnownPayload {key: $data_source})
RETURN properties(payload) AS payload;

// Keep the newest full payload
MERGE (payload:KnownPayload {key: $data_source})
SET payload = $payload, payload.key = $data_source;

// Read which labels the graph has held
MATCH (lock:BindingLock {key: 'binding'})
OPTIONAL MATCH (provider:Provider {has_trusts: true})
RETURN lock.kinds AS kinds, collect(provider {.name, .trusted_domains, .trusted_only, .trusted_providers}) AS trusts;

// Note labels that the graph holds from now on
MATCH (lock:BindingLock {key: 'binding'})
SET lock.kinds = lock.kinds + $kinds;

// IdpDomain: hashes that stand
MATCH (n:IdpDomain)
USING INDEX SEEK n:IdpDomain(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// IdpDomain: rows that stand
UNWIND $keys[0] AS key
MATCH (n:IdpDomain {key: key})
USING INDEX SEEK n:IdpDomain(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:FROM]->(m) WHERE 'DataSource' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpDomain: create
UNWIND $rows[0] AS row
CREATE (n:IdpDomain {
  name: row[0],
  domain: row[1],
  idp_type: row[2],
  idp_description: row[3],
  idp_name: row[4],
  fold_name: row[5],
  fold_of_domain: row[6],
  fold_of_idp_type: row[7],
  fold_of_idp_description: row[8],
  fold_of_idp_name: row[9],
  fold_custom: row[10],
  key: row[11],
  row_hash: row[12],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[13];

// IdpDomain: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:IdpDomain {key: key})
USING INDEX SEEK n:IdpDomain(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'IdpDomain', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_name: null, fold_of_domain: null, fold_of_idp_type: null, fold_of_idp_description: null, fold_of_idp_name: null, fold_custom: null};

// IdpDomain: change
UNWIND $rows[0] AS row
MATCH (n:IdpDomain {key: row.key})
USING INDEX SEEK n:IdpDomain(key)
SET n += row.set, n.changed = $at;

// IdpDomain: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:IdpDomain {key: pair[0]})
USING INDEX SEEK n:IdpDomain(key)
SET n.row_hash = pair[1];

// IdpDomain: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:IdpDomain {key: row.key})
USING INDEX SEEK n:IdpDomain(key)
SET n += row.set;

// IdpDomain: remove
UNWIND $keys[0] AS key
MATCH (n:IdpDomain {key: key})
USING INDEX SEEK n:IdpDomain(key)
DETACH DELETE n;

// IdpUser: hashes that stand
MATCH (n:IdpUser)
USING INDEX SEEK n:IdpUser(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// IdpUser: rows that stand
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})
USING INDEX SEEK n:IdpUser(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'IdpGroup' IN labels(m) | m.key],
  [(n)-[r:OWNS]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
  [(n)-[r:ASSIGNED_TO]->(m) WHERE 'IdpApp' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpUser: create
UNWIND $rows[0] AS row
CREATE (n:IdpUser:Principal {
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
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[31];

// IdpUser: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})
USING INDEX SEEK n:IdpUser(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'IdpUser', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_name: null, fold_email: null, fold_manager_id: null, fold_source_identity: null, fold_source_type: null, fold_idp_type: null, fold_of_identity: null, fold_of_full_name: null, fold_of_department: null, fold_of_identity_type: null, fold_of_source_identity_provider_type: null, fold_of_domain: null, fold_of_idp_type: null, fold_custom: null, fold_exact: null};

// IdpUser: change
UNWIND $rows[0] AS row
MATCH (n:IdpUser {key: row.key})
USING INDEX SEEK n:IdpUser(key)
SET n += row.set, n.changed = $at;

// IdpUser: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:IdpUser {key: pair[0]})
USING INDEX SEEK n:IdpUser(key)
SET n.row_hash = pair[1];

// IdpUser: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:IdpUser {key: row.key})
USING INDEX SEEK n:IdpUser(key)
SET n += row.set;

// IdpUser: remove
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})
USING INDEX SEEK n:IdpUser(key)
DETACH DELETE n;

// IdpGroup: hashes that stand
MATCH (n:IdpGroup)
USING INDEX SEEK n:IdpGroup(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// IdpGroup: rows that stand
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})
USING INDEX SEEK n:IdpGroup(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'IdpGroup' IN labels(m) | m.key],
  [(n)-[r:OWNS]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
  [(n)-[r:ASSIGNED_TO]->(m) WHERE 'IdpApp' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpGroup: create
UNWIND $rows[0] AS row
CREATE (n:IdpGroup:Principal {
  name: row[0],
  identity: row[1],
  full_name: row[2],
  is_security_group: row[3],
  source_identity: row[4],
  source_identity_provider_type: row[5],
  domain: row[6],
  idp_type: row[7],
  fold_id: row[8],
  fold_name: row[9],
  fold_source_identity: row[10],
  fold_source_type: row[11],
  fold_idp_type: row[12],
  fold_of_identity: row[13],
  fold_of_full_name: row[14],
  fold_of_source_identity_provider_type: row[15],
  fold_of_domain: row[16],
  fold_of_idp_type: row[17],
  fold_custom: row[18],
  fold_exact: row[19],
  key: row[20],
  row_hash: row[21],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[22];

// IdpGroup: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})
USING INDEX SEEK n:IdpGroup(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'IdpGroup', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_name: null, fold_source_identity: null, fold_source_type: null, fold_idp_type: null, fold_of_identity: null, fold_of_full_name: null, fold_of_source_identity_provider_type: null, fold_of_domain: null, fold_of_idp_type: null, fold_custom: null, fold_exact: null};

// IdpGroup: change
UNWIND $rows[0] AS row
MATCH (n:IdpGroup {key: row.key})
USING INDEX SEEK n:IdpGroup(key)
SET n += row.set, n.changed = $at;

// IdpGroup: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:IdpGroup {key: pair[0]})
USING INDEX SEEK n:IdpGroup(key)
SET n.row_hash = pair[1];

// IdpGroup: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:IdpGroup {key: row.key})
USING INDEX SEEK n:IdpGroup(key)
SET n += row.set;

// IdpGroup: remove
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})
USING INDEX SEEK n:IdpGroup(key)
DETACH DELETE n;

// IdpApp: hashes that stand
MATCH (n:IdpApp)
USING INDEX SEEK n:IdpApp(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// IdpApp: rows that stand
UNWIND $keys[0] AS key
MATCH (n:IdpApp {key: key})
USING INDEX SEEK n:IdpApp(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpApp: create
UNWIND $rows[0] AS row
CREATE (n:IdpApp {
  id: row[0],
  name: row[1],
  description: row[2],
  domain: row[3],
  idp_type: row[4],
  fold_id: row[5],
  fold_name: row[6],
  fold_of_description: row[7],
  fold_of_domain: row[8],
  fold_of_idp_type: row[9],
  fold_custom: row[10],
  key: row[11],
  row_hash: row[12],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[13];

// IdpApp: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:IdpApp {key: key})
USING INDEX SEEK n:IdpApp(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'IdpApp', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_name: null, fold_of_description: null, fold_of_domain: null, fold_of_idp_type: null, fold_custom: null};

// IdpApp: change
UNWIND $rows[0] AS row
MATCH (n:IdpApp {key: row.key})
USING INDEX SEEK n:IdpApp(key)
SET n += row.set, n.changed = $at;

// IdpApp: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:IdpApp {key: pair[0]})
USING INDEX SEEK n:IdpApp(key)
SET n.row_hash = pair[1];

// IdpApp: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:IdpApp {key: row.key})
USING INDEX SEEK n:IdpApp(key)
SET n += row.set;

// IdpApp: remove
UNWIND $keys[0] AS key
MATCH (n:IdpApp {key: key})
USING INDEX SEEK n:IdpApp(key)
DETACH DELETE n;

// Application: hashes that stand
MATCH (n:Application)
USING INDEX SEEK n:Application(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// Application: rows that stand
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})
USING INDEX SEEK n:Application(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:FROM]->(m) WHERE 'DataSource' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// Application: create
UNWIND $rows[0] AS row
CREATE (n:Application {
  name: row[0],
  description: row[1],
  application: row[2],
  application_type: row[3],
  fold_name: row[4],
  fold_application_type: row[5],
  fold_of_description: row[6],
  fold_of_application: row[7],
  fold_custom: row[8],
  fold_exact: row[9],
  key: row[10],
  row_hash: row[11],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[12];

// Application: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})
USING INDEX SEEK n:Application(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'Application', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_name: null, fold_of_description: null, fold_of_application: null, fold_custom: null, fold_exact: null};

// Application: change
UNWIND $rows[0] AS row
MATCH (n:Application {key: row.key})
USING INDEX SEEK n:Application(key)
SET n += row.set, n.changed = $at;

// Application: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:Application {key: pair[0]})
USING INDEX SEEK n:Application(key)
SET n.row_hash = pair[1];

// Application: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:Application {key: row.key})
USING INDEX SEEK n:Application(key)
SET n += row.set;

// Application: remove
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})
USING INDEX SEEK n:Application(key)
DETACH DELETE n;

// LocalUser: hashes that stand
MATCH (n:LocalUser)
USING INDEX SEEK n:LocalUser(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// LocalUser: rows that stand
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})
USING INDEX SEEK n:LocalUser(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:IDENTITY_OF]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:HAS_CREDENTIAL]->(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalUser: create
UNWIND $rows[0] AS row
CREATE (n:LocalUser:Principal {
  name: row[0],
  id: row[1],
  unique_id: row[2],
  email: row[3],
  user_type: row[4],
  is_active: row[5],
  created_at: row[6],
  last_login_at: row[7],
  password_last_changed_at: row[8],
  deactivated_at: row[9],
  application: row[10],
  application_type: row[11],
  fold_id: row[12],
  fold_other_id: row[13],
  fold_name: row[14],
  fold_application_type: row[15],
  fold_of_id: row[16],
  fold_of_unique_id: row[17],
  fold_of_email: row[18],
  fold_of_user_type: row[19],
  fold_of_application: row[20],
  fold_custom: row[21],
  key: row[22],
  row_hash: row[23],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[24];

// LocalUser: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})
USING INDEX SEEK n:LocalUser(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'LocalUser', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_other_id: null, fold_name: null, fold_application_type: null, fold_of_id: null, fold_of_unique_id: null, fold_of_email: null, fold_of_user_type: null, fold_of_application: null, fold_custom: null};

// LocalUser: change
UNWIND $rows[0] AS row
MATCH (n:LocalUser {key: row.key})
USING INDEX SEEK n:LocalUser(key)
SET n += row.set, n.changed = $at;

// LocalUser: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:LocalUser {key: pair[0]})
USING INDEX SEEK n:LocalUser(key)
SET n.row_hash = pair[1];

// LocalUser: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:LocalUser {key: row.key})
USING INDEX SEEK n:LocalUser(key)
SET n += row.set;

// LocalUser: remove
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})
USING INDEX SEEK n:LocalUser(key)
DETACH DELETE n;

// LocalGroup: hashes that stand
MATCH (n:LocalGroup)
USING INDEX SEEK n:LocalGroup(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// LocalGroup: rows that stand
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})
USING INDEX SEEK n:LocalGroup(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:IDENTITY_OF]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalGroup: create
UNWIND $rows[0] AS row
CREATE (n:LocalGroup:Principal {
  name: row[0],
  id: row[1],
  unique_id: row[2],
  created_at: row[3],
  application: row[4],
  application_type: row[5],
  fold_id: row[6],
  fold_other_id: row[7],
  fold_name: row[8],
  fold_application_type: row[9],
  fold_of_id: row[10],
  fold_of_unique_id: row[11],
  fold_of_application: row[12],
  fold_custom: row[13],
  fold_exact: row[14],
  key: row[15],
  row_hash: row[16],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[17];

// LocalGroup: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})
USING INDEX SEEK n:LocalGroup(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'LocalGroup', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_other_id: null, fold_name: null, fold_application_type: null, fold_of_id: null, fold_of_unique_id: null, fold_of_application: null, fold_custom: null, fold_exact: null};

// LocalGroup: change
UNWIND $rows[0] AS row
MATCH (n:LocalGroup {key: row.key})
USING INDEX SEEK n:LocalGroup(key)
SET n += row.set, n.changed = $at;

// LocalGroup: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:LocalGroup {key: pair[0]})
USING INDEX SEEK n:LocalGroup(key)
SET n.row_hash = pair[1];

// LocalGroup: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:LocalGroup {key: row.key})
USING INDEX SEEK n:LocalGroup(key)
SET n += row.set;

// LocalGroup: remove
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})
USING INDEX SEEK n:LocalGroup(key)
DETACH DELETE n;

// LocalRole: hashes that stand
MATCH (n:LocalRole)
USING INDEX SEEK n:LocalRole(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// LocalRole: rows that stand
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})
USING INDEX SEEK n:LocalRole(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:ALLOWS]->(m) WHERE 'Permission' IN labels(m) | m.key],
  [(n)-[r:INCLUDES]->(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalRole: create
UNWIND $rows[0] AS row
CREATE (n:LocalRole:Role:Principal {
  name: row[0],
  id: row[1],
  unique_id: row[2],
  application: row[3],
  application_type: row[4],
  fold_id: row[5],
  fold_other_id: row[6],
  fold_name: row[7],
  fold_application_type: row[8],
  fold_of_id: row[9],
  fold_of_unique_id: row[10],
  fold_of_application: row[11],
  fold_custom: row[12],
  key: row[13],
  row_hash: row[14],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[15];

// LocalRole: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})
USING INDEX SEEK n:LocalRole(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'LocalRole', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_other_id: null, fold_name: null, fold_application_type: null, fold_of_id: null, fold_of_unique_id: null, fold_of_application: null, fold_custom: null};

// LocalRole: change
UNWIND $rows[0] AS row
MATCH (n:LocalRole {key: row.key})
USING INDEX SEEK n:LocalRole(key)
SET n += row.set, n.changed = $at;

// LocalRole: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:LocalRole {key: pair[0]})
USING INDEX SEEK n:LocalRole(key)
SET n.row_hash = pair[1];

// LocalRole: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:LocalRole {key: row.key})
USING INDEX SEEK n:LocalRole(key)
SET n += row.set;

// LocalRole: remove
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})
USING INDEX SEEK n:LocalRole(key)
DETACH DELETE n;

// AccessCredential: hashes that stand
MATCH (n:AccessCredential)
USING INDEX SEEK n:AccessCredential(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// AccessCredential: rows that stand
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})
USING INDEX SEEK n:AccessCredential(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// AccessCredential: create
UNWIND $rows[0] AS row
CREATE (n:AccessCredential:Principal {
  name: row[0],
  id: row[1],
  unique_id: row[2],
  is_active: row[3],
  can_expire: row[4],
  created_at: row[5],
  expires_at: row[6],
  last_used_at: row[7],
  application: row[8],
  application_type: row[9],
  fold_id: row[10],
  fold_other_id: row[11],
  fold_name: row[12],
  fold_application_type: row[13],
  fold_of_id: row[14],
  fold_of_unique_id: row[15],
  fold_of_application: row[16],
  fold_custom: row[17],
  key: row[18],
  row_hash: row[19],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[20];

// AccessCredential: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})
USING INDEX SEEK n:AccessCredential(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'AccessCredential', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_other_id: null, fold_name: null, fold_application_type: null, fold_of_id: null, fold_of_unique_id: null, fold_of_application: null, fold_custom: null};

// AccessCredential: change
UNWIND $rows[0] AS row
MATCH (n:AccessCredential {key: row.key})
USING INDEX SEEK n:AccessCredential(key)
SET n += row.set, n.changed = $at;

// AccessCredential: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:AccessCredential {key: pair[0]})
USING INDEX SEEK n:AccessCredential(key)
SET n.row_hash = pair[1];

// AccessCredential: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:AccessCredential {key: row.key})
USING INDEX SEEK n:AccessCredential(key)
SET n += row.set;

// AccessCredential: remove
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})
USING INDEX SEEK n:AccessCredential(key)
DETACH DELETE n;

// LocalAgent: hashes that stand
MATCH (n:LocalAgent)
USING INDEX SEEK n:LocalAgent(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// LocalAgent: rows that stand
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})
USING INDEX SEEK n:LocalAgent(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)-[r:HAS_CREDENTIAL]->(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)-[r:USES_MODEL]->(m) WHERE 'LocalModel' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalAgent: create
UNWIND $rows[0] AS row
CREATE (n:LocalAgent:Principal {
  name: row[0],
  id: row[1],
  unique_id: row[2],
  ai_platform: row[3],
  ai_agent_publisher: row[4],
  is_active: row[5],
  created_at: row[6],
  application: row[7],
  application_type: row[8],
  fold_id: row[9],
  fold_other_id: row[10],
  fold_name: row[11],
  fold_application_type: row[12],
  fold_of_id: row[13],
  fold_of_unique_id: row[14],
  fold_of_ai_platform: row[15],
  fold_of_ai_agent_publisher: row[16],
  fold_of_application: row[17],
  fold_custom: row[18],
  key: row[19],
  row_hash: row[20],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[21];

// LocalAgent: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})
USING INDEX SEEK n:LocalAgent(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'LocalAgent', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_other_id: null, fold_name: null, fold_application_type: null, fold_of_id: null, fold_of_unique_id: null, fold_of_ai_platform: null, fold_of_ai_agent_publisher: null, fold_of_application: null, fold_custom: null};

// LocalAgent: change
UNWIND $rows[0] AS row
MATCH (n:LocalAgent {key: row.key})
USING INDEX SEEK n:LocalAgent(key)
SET n += row.set, n.changed = $at;

// LocalAgent: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:LocalAgent {key: pair[0]})
USING INDEX SEEK n:LocalAgent(key)
SET n.row_hash = pair[1];

// LocalAgent: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:LocalAgent {key: row.key})
USING INDEX SEEK n:LocalAgent(key)
SET n += row.set;

// LocalAgent: remove
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})
USING INDEX SEEK n:LocalAgent(key)
DETACH DELETE n;

// LocalModel: hashes that stand
MATCH (n:LocalModel)
USING INDEX SEEK n:LocalModel(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// LocalModel: rows that stand
UNWIND $keys[0] AS key
MATCH (n:LocalModel {key: key})
USING INDEX SEEK n:LocalModel(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalModel: create
UNWIND $rows[0] AS row
CREATE (n:LocalModel {
  name: row[0],
  id: row[1],
  unique_id: row[2],
  ai_platform: row[3],
  ai_model_publisher: row[4],
  ai_model_family: row[5],
  ai_model_series: row[6],
  created_at: row[7],
  application: row[8],
  application_type: row[9],
  fold_id: row[10],
  fold_other_id: row[11],
  fold_name: row[12],
  fold_application_type: row[13],
  fold_of_id: row[14],
  fold_of_unique_id: row[15],
  fold_of_ai_platform: row[16],
  fold_of_ai_model_publisher: row[17],
  fold_of_ai_model_family: row[18],
  fold_of_ai_model_series: row[19],
  fold_of_application: row[20],
  fold_custom: row[21],
  key: row[22],
  row_hash: row[23],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[24];

// LocalModel: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:LocalModel {key: key})
USING INDEX SEEK n:LocalModel(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'LocalModel', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_other_id: null, fold_name: null, fold_application_type: null, fold_of_id: null, fold_of_unique_id: null, fold_of_ai_platform: null, fold_of_ai_model_publisher: null, fold_of_ai_model_family: null, fold_of_ai_model_series: null, fold_of_application: null, fold_custom: null};

// LocalModel: change
UNWIND $rows[0] AS row
MATCH (n:LocalModel {key: row.key})
USING INDEX SEEK n:LocalModel(key)
SET n += row.set, n.changed = $at;

// LocalModel: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:LocalModel {key: pair[0]})
USING INDEX SEEK n:LocalModel(key)
SET n.row_hash = pair[1];

// LocalModel: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:LocalModel {key: row.key})
USING INDEX SEEK n:LocalModel(key)
SET n += row.set;

// LocalModel: remove
UNWIND $keys[0] AS key
MATCH (n:LocalModel {key: key})
USING INDEX SEEK n:LocalModel(key)
DETACH DELETE n;

// Resource: hashes that stand
MATCH (n:Resource)
USING INDEX SEEK n:Resource(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// Resource: rows that stand
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
USING INDEX SEEK n:Resource(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:CONTAINS]-(m) WHERE 'Application' IN labels(m) | m.key],
  [(n)<-[r:CONTAINS]-(m) WHERE 'Resource' IN labels(m) | m.key],
  [(n)-[r:CONNECTS_TO]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// Resource: create
UNWIND $rows[0] AS row
CREATE (n:Resource {
  name: row[0],
  id: row[1],
  resource_type: row[2],
  description: row[3],
  path: row[4],
  application: row[5],
  application_type: row[6],
  fold_id: row[7],
  fold_name: row[8],
  fold_path: row[9],
  fold_id_path: row[10],
  fold_resource_type: row[11],
  fold_application_type: row[12],
  fold_of_id: row[13],
  fold_of_description: row[14],
  fold_of_path: row[15],
  fold_of_application: row[16],
  fold_custom: row[17],
  fold_exact: row[18],
  key: row[19],
  row_hash: row[20],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[21];

// Resource: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
USING INDEX SEEK n:Resource(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'Resource', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_name: null, fold_path: null, fold_id_path: null, fold_resource_type: null, fold_application_type: null, fold_of_id: null, fold_of_description: null, fold_of_path: null, fold_of_application: null, fold_custom: null, fold_exact: null};

// Resource: change
UNWIND $rows[0] AS row
MATCH (n:Resource {key: row.key})
USING INDEX SEEK n:Resource(key)
SET n += row.set, n.changed = $at;

// Resource: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:Resource {key: pair[0]})
USING INDEX SEEK n:Resource(key)
SET n.row_hash = pair[1];

// Resource: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:Resource {key: row.key})
USING INDEX SEEK n:Resource(key)
SET n += row.set;

// Resource: remove
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
USING INDEX SEEK n:Resource(key)
DETACH DELETE n;

// Permission: hashes that stand
MATCH (n:Permission)
USING INDEX SEEK n:Permission(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// Permission: rows that stand
UNWIND $keys[0] AS key
MATCH (n:Permission {key: key})
USING INDEX SEEK n:Permission(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  
]]) AS rows;

// Permission: create
UNWIND $rows[0] AS row
CREATE (n:Permission {
  name: row[0],
  permission_type: row[1],
  resource_type: row[2],
  application_types: row[3],
  apply_to_sub_resources: row[4],
  fold_name: row[5],
  fold_resource_type: row[6],
  fold_application_types: row[7],
  fold_of_permission_type: row[8],
  key: row[9],
  row_hash: row[10],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
});

// Permission: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:Permission {key: key})
USING INDEX SEEK n:Permission(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'Permission', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_name: null, fold_resource_type: null, fold_of_permission_type: null};

// Permission: change
UNWIND $rows[0] AS row
MATCH (n:Permission {key: row.key})
USING INDEX SEEK n:Permission(key)
SET n += row.set, n.changed = $at;

// Permission: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:Permission {key: pair[0]})
USING INDEX SEEK n:Permission(key)
SET n.row_hash = pair[1];

// Permission: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:Permission {key: row.key})
USING INDEX SEEK n:Permission(key)
SET n += row.set;

// Permission: remove
UNWIND $keys[0] AS key
MATCH (n:Permission {key: key})
USING INDEX SEEK n:Permission(key)
DETACH DELETE n;

// Grant: hashes that stand
MATCH (n:Grant)
USING INDEX SEEK n:Grant(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// Grant: rows that stand
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})
USING INDEX SEEK n:Grant(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalUser' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalAgent' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OF]->(m) WHERE 'Permission' IN labels(m) | m.key],
  [(n)-[r:ON]->(m) WHERE 'Application' IN labels(m) | m.key],
  [(n)-[r:ON]->(m) WHERE 'Resource' IN labels(m) | m.key]
]]) AS rows;

// Grant: create
UNWIND $rows[0] AS row
CREATE (n:Grant:Entitlement {
  name: row[0],
  application: row[1],
  application_type: row[2],
  fold_application_type: row[3],
  fold_of_name: row[4],
  fold_of_application: row[5],
  key: row[6],
  row_hash: row[7],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
});

// Grant: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})
USING INDEX SEEK n:Grant(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'Grant', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_application_type: null, fold_of_name: null, fold_of_application: null};

// Grant: change
UNWIND $rows[0] AS row
MATCH (n:Grant {key: row.key})
USING INDEX SEEK n:Grant(key)
SET n += row.set, n.changed = $at;

// Grant: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:Grant {key: pair[0]})
USING INDEX SEEK n:Grant(key)
SET n.row_hash = pair[1];

// Grant: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:Grant {key: row.key})
USING INDEX SEEK n:Grant(key)
SET n += row.set;

// Grant: remove
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})
USING INDEX SEEK n:Grant(key)
DETACH DELETE n;

// RoleAssignment: hashes that stand
MATCH (n:RoleAssignment)
USING INDEX SEEK n:RoleAssignment(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// RoleAssignment: rows that stand
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})
USING INDEX SEEK n:RoleAssignment(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalUser' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalAgent' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OF]->(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)-[r:ON]->(m) WHERE 'Application' IN labels(m) | m.key],
  [(n)-[r:ON]->(m) WHERE 'Resource' IN labels(m) | m.key]
]]) AS rows;

// RoleAssignment: create
UNWIND $rows[0] AS row
CREATE (n:RoleAssignment:Entitlement {
  name: row[0],
  application: row[1],
  application_type: row[2],
  fold_application_type: row[3],
  fold_of_name: row[4],
  fold_of_application: row[5],
  fold_custom: row[6],
  key: row[7],
  row_hash: row[8],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[9];

// RoleAssignment: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})
USING INDEX SEEK n:RoleAssignment(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'RoleAssignment', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_application_type: null, fold_of_name: null, fold_of_application: null, fold_custom: null};

// RoleAssignment: change
UNWIND $rows[0] AS row
MATCH (n:RoleAssignment {key: row.key})
USING INDEX SEEK n:RoleAssignment(key)
SET n += row.set, n.changed = $at;

// RoleAssignment: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:RoleAssignment {key: pair[0]})
USING INDEX SEEK n:RoleAssignment(key)
SET n.row_hash = pair[1];

// RoleAssignment: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:RoleAssignment {key: row.key})
USING INDEX SEEK n:RoleAssignment(key)
SET n += row.set;

// RoleAssignment: remove
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})
USING INDEX SEEK n:RoleAssignment(key)
DETACH DELETE n;

// HrisSystem: hashes that stand
MATCH (n:HrisSystem)
USING INDEX SEEK n:HrisSystem(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// HrisSystem: rows that stand
UNWIND $keys[0] AS key
MATCH (n:HrisSystem {key: key})
USING INDEX SEEK n:HrisSystem(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:FROM]->(m) WHERE 'DataSource' IN labels(m) | m.key]
]]) AS rows;

// HrisSystem: create
UNWIND $rows[0] AS row
CREATE (n:HrisSystem {
  id: row[0],
  name: row[1],
  url: row[2],
  idp_providers: row[3],
  system: row[4],
  hris_type: row[5],
  hris_name: row[6],
  fold_name: row[7],
  fold_of_id: row[8],
  fold_of_url: row[9],
  fold_of_idp_providers: row[10],
  fold_of_system: row[11],
  fold_of_hris_type: row[12],
  fold_of_hris_name: row[13],
  fold_custom: row[14],
  key: row[15],
  row_hash: row[16],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[17];

// HrisSystem: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:HrisSystem {key: key})
USING INDEX SEEK n:HrisSystem(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'HrisSystem', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_name: null, fold_of_id: null, fold_of_url: null, fold_of_idp_providers: null, fold_of_system: null, fold_of_hris_type: null, fold_of_hris_name: null, fold_custom: null};

// HrisSystem: change
UNWIND $rows[0] AS row
MATCH (n:HrisSystem {key: row.key})
USING INDEX SEEK n:HrisSystem(key)
SET n += row.set, n.changed = $at;

// HrisSystem: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:HrisSystem {key: pair[0]})
USING INDEX SEEK n:HrisSystem(key)
SET n.row_hash = pair[1];

// HrisSystem: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:HrisSystem {key: row.key})
USING INDEX SEEK n:HrisSystem(key)
SET n += row.set;

// HrisSystem: remove
UNWIND $keys[0] AS key
MATCH (n:HrisSystem {key: key})
USING INDEX SEEK n:HrisSystem(key)
DETACH DELETE n;

// Employee: hashes that stand
MATCH (n:Employee)
USING INDEX SEEK n:Employee(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// Employee: rows that stand
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})
USING INDEX SEEK n:Employee(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'HrisGroup' IN labels(m) | m.key],
  [(n)-[r:MANAGED_BY]->(m) WHERE 'Employee' IN labels(m) | m.key],
  [(n)-[r:IN_DEPARTMENT]->(m) WHERE 'HrisGroup' IN labels(m) | m.key],
  [(n)-[r:IN_COST_CENTER]->(m) WHERE 'HrisGroup' IN labels(m) | m.key]
]]) AS rows;

// Employee: create
UNWIND $rows[0] AS row
CREATE (n:Employee:Principal {
  id: row[0],
  name: row[1],
  employee_number: row[2],
  first_name: row[3],
  last_name: row[4],
  is_active: row[5],
  employment_status: row[6],
  company: row[7],
  preferred_name: row[8],
  display_full_name: row[9],
  canonical_name: row[10],
  username: row[11],
  email: row[12],
  idp_id: row[13],
  personal_email: row[14],
  home_location: row[15],
  work_location: row[16],
  start_date: row[17],
  termination_date: row[18],
  job_title: row[19],
  employment_types: row[20],
  primary_time_zone: row[21],
  system: row[22],
  hris_type: row[23],
  fold_id: row[24],
  fold_name: row[25],
  fold_email: row[26],
  fold_account: row[27],
  fold_only_id: row[28],
  fold_of_employee_number: row[29],
  fold_of_first_name: row[30],
  fold_of_last_name: row[31],
  fold_of_employment_status: row[32],
  fold_of_company: row[33],
  fold_of_preferred_name: row[34],
  fold_of_display_full_name: row[35],
  fold_of_canonical_name: row[36],
  fold_of_username: row[37],
  fold_of_idp_id: row[38],
  fold_of_personal_email: row[39],
  fold_of_home_location: row[40],
  fold_of_work_location: row[41],
  fold_of_job_title: row[42],
  fold_of_employment_types: row[43],
  fold_of_primary_time_zone: row[44],
  fold_of_system: row[45],
  fold_of_hris_type: row[46],
  fold_custom: row[47],
  key: row[48],
  row_hash: row[49],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[50];

// Employee: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})
USING INDEX SEEK n:Employee(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'Employee', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_name: null, fold_email: null, fold_account: null, fold_only_id: null, fold_of_employee_number: null, fold_of_first_name: null, fold_of_last_name: null, fold_of_employment_status: null, fold_of_company: null, fold_of_preferred_name: null, fold_of_display_full_name: null, fold_of_canonical_name: null, fold_of_username: null, fold_of_idp_id: null, fold_of_personal_email: null, fold_of_home_location: null, fold_of_work_location: null, fold_of_job_title: null, fold_of_employment_types: null, fold_of_primary_time_zone: null, fold_of_system: null, fold_of_hris_type: null, fold_custom: null};

// Employee: change
UNWIND $rows[0] AS row
MATCH (n:Employee {key: row.key})
USING INDEX SEEK n:Employee(key)
SET n += row.set, n.changed = $at;

// Employee: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:Employee {key: pair[0]})
USING INDEX SEEK n:Employee(key)
SET n.row_hash = pair[1];

// Employee: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:Employee {key: row.key})
USING INDEX SEEK n:Employee(key)
SET n += row.set;

// Employee: remove
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})
USING INDEX SEEK n:Employee(key)
DETACH DELETE n;

// HrisGroup: hashes that stand
MATCH (n:HrisGroup)
USING INDEX SEEK n:HrisGroup(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// HrisGroup: rows that stand
UNWIND $keys[0] AS key
MATCH (n:HrisGroup {key: key})
USING INDEX SEEK n:HrisGroup(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  
]]) AS rows;

// HrisGroup: create
UNWIND $rows[0] AS row
CREATE (n:HrisGroup {
  id: row[0],
  name: row[1],
  group_type: row[2],
  system: row[3],
  hris_type: row[4],
  fold_id: row[5],
  fold_name: row[6],
  fold_of_group_type: row[7],
  fold_of_system: row[8],
  fold_of_hris_type: row[9],
  fold_custom: row[10],
  key: row[11],
  row_hash: row[12],
  data_source: $data_source,
  provider: $provider,
  fold_of_provider: $fold_of_provider,
  since: $at,
  changed: $at
})
SET n += row[13];

// HrisGroup: keep versions that end
UNWIND $keys[0] AS key
MATCH (n:HrisGroup {key: key})
USING INDEX SEEK n:HrisGroup(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, coalesce(ended, n.since) AS from
WHERE from < $until
CREATE (past:PastNode:Past)
SET past = n {.*, label: 'HrisGroup', from: from, until: $until, row_hash: null, changed: null, fold_of_provider: null, fold_id: null, fold_name: null, fold_of_group_type: null, fold_of_system: null, fold_of_hris_type: null, fold_custom: null};

// HrisGroup: change
UNWIND $rows[0] AS row
MATCH (n:HrisGroup {key: row.key})
USING INDEX SEEK n:HrisGroup(key)
SET n += row.set, n.changed = $at;

// HrisGroup: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:HrisGroup {key: pair[0]})
USING INDEX SEEK n:HrisGroup(key)
SET n.row_hash = pair[1];

// HrisGroup: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:HrisGroup {key: row.key})
USING INDEX SEEK n:HrisGroup(key)
SET n += row.set;

// HrisGroup: remove
UNWIND $keys[0] AS key
MATCH (n:HrisGroup {key: key})
USING INDEX SEEK n:HrisGroup(key)
DETACH DELETE n;

// Identity: create
UNWIND $rows[0] AS row
OPTIONAL MATCH (n:Identity {key: row.key})
USING INDEX SEEK n:Identity(key)
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:Identity:Principal) SET n = row)
RETURN [row IN missing | row.key] AS keys;

// Identity: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:Identity {key: key})
USING INDEX SEEK n:Identity(key)
WHERE NOT EXISTS { (n)<-[:OWNED_BY]-() } AND NOT EXISTS { (n)-[:IDENTITY_OF|HOLDS]->() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
FOREACH (r IN [(n)-[r:KNOWN_AS]-() | r] |
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until})))
DETACH DELETE n
RETURN key, gone;

// CloudRole: create
UNWIND $rows[0] AS row
OPTIONAL MATCH (n:CloudRole {key: row.key})
USING INDEX SEEK n:CloudRole(key)
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:CloudRole:Role) SET n = row)
RETURN [row IN missing | row.key] AS keys;

// CloudRole: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:CloudRole {key: key})
USING INDEX SEEK n:CloudRole(key)
WHERE NOT EXISTS { (n)<-[:ASSUMES_ROLE]-() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
FOREACH (r IN [(n)-[r:ACTS_AS]-() | r] |
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until})))
DETACH DELETE n
RETURN key, gone;

// ExternalEntity: create
UNWIND $rows[0] AS row
OPTIONAL MATCH (n:ExternalEntity {key: row.key})
USING INDEX SEEK n:ExternalEntity(key)
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:ExternalEntity) SET n = row)
RETURN [row IN missing | row.key] AS keys;

// ExternalEntity: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:ExternalEntity {key: key})
USING INDEX SEEK n:ExternalEntity(key)
WHERE NOT EXISTS { (n)<-[:OWNS|CONNECTS_TO]-() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
FOREACH (r IN [(n)-[r:RESOLVES_TO]-() | r] |
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until})))
DETACH DELETE n
RETURN key, gone;

// Tag: create
UNWIND $rows[0] AS row
OPTIONAL MATCH (n:Tag {key: row.key})
USING INDEX SEEK n:Tag(key)
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:Tag) SET n = row)
RETURN [row IN missing | row.key] AS keys;

// Tag: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:Tag {key: key})
USING INDEX SEEK n:Tag(key)
WHERE NOT EXISTS { (n)<-[:TAGGED]-() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
DETACH DELETE n
RETURN key, gone;

// IdpUser MEMBER_OF IdpGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:IdpGroup {key: pair[1]})
USING INDEX SEEK b:IdpGroup(key)
CREATE (a)-[r:MEMBER_OF {since: $at}]->(b);

// IdpUser MEMBER_OF IdpGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:IdpGroup {key: pair[1]})
USING INDEX SEEK b:IdpGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'IdpGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpUser MEMBER_OF IdpGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:IdpGroup {key: pair[1]})
USING INDEX SEEK b:IdpGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'IdpGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpUser MEMBER_OF IdpGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:IdpGroup {key: key})
USING INDEX SEEK b:IdpGroup(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE a:IdpUser
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'IdpGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpGroup MEMBER_OF IdpGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:IdpGroup {key: pair[1]})
USING INDEX SEEK b:IdpGroup(key)
CREATE (a)-[r:MEMBER_OF {since: $at}]->(b);

// IdpGroup MEMBER_OF IdpGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:IdpGroup {key: pair[1]})
USING INDEX SEEK b:IdpGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'IdpGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpGroup MEMBER_OF IdpGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:IdpGroup {key: pair[1]})
USING INDEX SEEK b:IdpGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'IdpGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpGroup MEMBER_OF IdpGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:IdpGroup {key: key})
USING INDEX SEEK b:IdpGroup(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE a:IdpGroup
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'IdpGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser MEMBER_OF LocalGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CREATE (a)-[r:MEMBER_OF {since: $at}]->(b);

// LocalUser MEMBER_OF LocalGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalUser MEMBER_OF LocalGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser MEMBER_OF LocalGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:LocalGroup {key: key})
USING INDEX SEEK b:LocalGroup(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE a:LocalUser
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup MEMBER_OF LocalGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CREATE (a)-[r:MEMBER_OF {since: $at}]->(b);

// LocalGroup MEMBER_OF LocalGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalGroup MEMBER_OF LocalGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup MEMBER_OF LocalGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:LocalGroup {key: key})
USING INDEX SEEK b:LocalGroup(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE a:LocalGroup
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent MEMBER_OF LocalGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CREATE (a)-[r:MEMBER_OF {since: $at}]->(b);

// LocalAgent MEMBER_OF LocalGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalAgent MEMBER_OF LocalGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent MEMBER_OF LocalGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:LocalGroup {key: key})
USING INDEX SEEK b:LocalGroup(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE a:LocalAgent
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee MEMBER_OF HrisGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CREATE (a)-[r:MEMBER_OF {since: $at}]->(b);

// Employee MEMBER_OF HrisGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Employee MEMBER_OF HrisGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee MEMBER_OF HrisGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:HrisGroup {key: key})
USING INDEX SEEK b:HrisGroup(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE a:Employee
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Identity IDENTITY_OF LocalUser: create
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:LocalUser {key: pair[1]})
USING INDEX SEEK b:LocalUser(key)
CREATE (a)-[r:IDENTITY_OF {since: $at}]->(b);

// Identity IDENTITY_OF LocalUser: change
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:LocalUser {key: pair[1]})
USING INDEX SEEK b:LocalUser(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IDENTITY_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IDENTITY_OF', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'LocalUser', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Identity IDENTITY_OF LocalUser: remove
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:LocalUser {key: pair[1]})
USING INDEX SEEK b:LocalUser(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IDENTITY_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IDENTITY_OF', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'LocalUser', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Identity IDENTITY_OF LocalGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CREATE (a)-[r:IDENTITY_OF {since: $at}]->(b);

// Identity IDENTITY_OF LocalGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IDENTITY_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IDENTITY_OF', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Identity IDENTITY_OF LocalGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:LocalGroup {key: pair[1]})
USING INDEX SEEK b:LocalGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IDENTITY_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IDENTITY_OF', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'LocalGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpUser OWNS ExternalEntity: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CREATE (a)-[r:OWNS {since: $at}]->(b);

// IdpUser OWNS ExternalEntity: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OWNS', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'ExternalEntity', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpUser OWNS ExternalEntity: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OWNS', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'ExternalEntity', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpGroup OWNS ExternalEntity: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CREATE (a)-[r:OWNS {since: $at}]->(b);

// IdpGroup OWNS ExternalEntity: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OWNS', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'ExternalEntity', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpGroup OWNS ExternalEntity: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OWNS', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'ExternalEntity', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpUser ASSIGNED_TO IdpApp: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:IdpApp {key: pair[1]})
USING INDEX SEEK b:IdpApp(key)
CREATE (a)-[r:ASSIGNED_TO {since: $at}]->(b)
SET r += pair[2];

// IdpUser ASSIGNED_TO IdpApp: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:IdpApp {key: pair[1]})
USING INDEX SEEK b:IdpApp(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSIGNED_TO]->(b)
  WHERE (r.id = pair[2] OR (r.id IS NULL AND pair[2] IS NULL))
  RETURN r
}
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'IdpApp', data_source: $data_source, until: $until, from: from})
SET r += pair[3];

// IdpUser ASSIGNED_TO IdpApp: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:IdpApp {key: pair[1]})
USING INDEX SEEK b:IdpApp(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSIGNED_TO]->(b)
  WHERE (r.id = pair[2] OR (r.id IS NULL AND pair[2] IS NULL))
  RETURN r
}
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'IdpApp', data_source: $data_source, until: $until, from: from})
DELETE r;

// IdpUser ASSIGNED_TO IdpApp: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:IdpApp {key: key})
USING INDEX SEEK b:IdpApp(key)
MATCH (a)-[r:ASSIGNED_TO]->(b)
WHERE a:IdpUser
WITH r, [a.key, b.key] AS pair
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'IdpApp', data_source: $data_source, until: $until, from: from})
DELETE r;

// IdpGroup ASSIGNED_TO IdpApp: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:IdpApp {key: pair[1]})
USING INDEX SEEK b:IdpApp(key)
CREATE (a)-[r:ASSIGNED_TO {since: $at}]->(b)
SET r += pair[2];

// IdpGroup ASSIGNED_TO IdpApp: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:IdpApp {key: pair[1]})
USING INDEX SEEK b:IdpApp(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSIGNED_TO]->(b)
  WHERE (r.id = pair[2] OR (r.id IS NULL AND pair[2] IS NULL))
  RETURN r
}
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'IdpApp', data_source: $data_source, until: $until, from: from})
SET r += pair[3];

// IdpGroup ASSIGNED_TO IdpApp: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:IdpApp {key: pair[1]})
USING INDEX SEEK b:IdpApp(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSIGNED_TO]->(b)
  WHERE (r.id = pair[2] OR (r.id IS NULL AND pair[2] IS NULL))
  RETURN r
}
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'IdpApp', data_source: $data_source, until: $until, from: from})
DELETE r;

// IdpGroup ASSIGNED_TO IdpApp: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:IdpApp {key: key})
USING INDEX SEEK b:IdpApp(key)
MATCH (a)-[r:ASSIGNED_TO]->(b)
WHERE a:IdpGroup
WITH r, [a.key, b.key] AS pair
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'IdpApp', data_source: $data_source, until: $until, from: from})
DELETE r;

// IdpUser ASSUMES_ROLE CloudRole: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CREATE (a)-[r:ASSUMES_ROLE {since: $at}]->(b);

// IdpUser ASSUMES_ROLE CloudRole: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'CloudRole', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpUser ASSUMES_ROLE CloudRole: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'CloudRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpGroup ASSUMES_ROLE CloudRole: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CREATE (a)-[r:ASSUMES_ROLE {since: $at}]->(b);

// IdpGroup ASSUMES_ROLE CloudRole: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'CloudRole', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpGroup ASSUMES_ROLE CloudRole: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'CloudRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpApp ASSUMES_ROLE CloudRole: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpApp {key: pair[0]})
USING INDEX SEEK a:IdpApp(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CREATE (a)-[r:ASSUMES_ROLE {since: $at}]->(b);

// IdpApp ASSUMES_ROLE CloudRole: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpApp {key: pair[0]})
USING INDEX SEEK a:IdpApp(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: 'IdpApp', end: pair[1], end_label: 'CloudRole', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpApp ASSUMES_ROLE CloudRole: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpApp {key: pair[0]})
USING INDEX SEEK a:IdpApp(key)
MATCH (b:CloudRole {key: pair[1]})
USING INDEX SEEK b:CloudRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: 'IdpApp', end: pair[1], end_label: 'CloudRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser HAS_CREDENTIAL AccessCredential: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:AccessCredential {key: pair[1]})
USING INDEX SEEK b:AccessCredential(key)
CREATE (a)-[r:HAS_CREDENTIAL {since: $at}]->(b);

// LocalUser HAS_CREDENTIAL AccessCredential: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:AccessCredential {key: pair[1]})
USING INDEX SEEK b:AccessCredential(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HAS_CREDENTIAL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'AccessCredential', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalUser HAS_CREDENTIAL AccessCredential: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:AccessCredential {key: pair[1]})
USING INDEX SEEK b:AccessCredential(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HAS_CREDENTIAL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'AccessCredential', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser HAS_CREDENTIAL AccessCredential: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:AccessCredential {key: key})
USING INDEX SEEK b:AccessCredential(key)
MATCH (a)-[r:HAS_CREDENTIAL]->(b)
WHERE a:LocalUser
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'AccessCredential', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent HAS_CREDENTIAL AccessCredential: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:AccessCredential {key: pair[1]})
USING INDEX SEEK b:AccessCredential(key)
CREATE (a)-[r:HAS_CREDENTIAL {since: $at}]->(b);

// LocalAgent HAS_CREDENTIAL AccessCredential: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:AccessCredential {key: pair[1]})
USING INDEX SEEK b:AccessCredential(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HAS_CREDENTIAL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'AccessCredential', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalAgent HAS_CREDENTIAL AccessCredential: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:AccessCredential {key: pair[1]})
USING INDEX SEEK b:AccessCredential(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HAS_CREDENTIAL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'AccessCredential', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent HAS_CREDENTIAL AccessCredential: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:AccessCredential {key: key})
USING INDEX SEEK b:AccessCredential(key)
MATCH (a)-[r:HAS_CREDENTIAL]->(b)
WHERE a:LocalAgent
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'AccessCredential', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent USES_MODEL LocalModel: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:LocalModel {key: pair[1]})
USING INDEX SEEK b:LocalModel(key)
CREATE (a)-[r:USES_MODEL {since: $at}]->(b);

// LocalAgent USES_MODEL LocalModel: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:LocalModel {key: pair[1]})
USING INDEX SEEK b:LocalModel(key)
CALL (pair, a, b) {
  MATCH (a)-[r:USES_MODEL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'USES_MODEL', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'LocalModel', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalAgent USES_MODEL LocalModel: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:LocalModel {key: pair[1]})
USING INDEX SEEK b:LocalModel(key)
CALL (pair, a, b) {
  MATCH (a)-[r:USES_MODEL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'USES_MODEL', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'LocalModel', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent USES_MODEL LocalModel: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:LocalModel {key: key})
USING INDEX SEEK b:LocalModel(key)
MATCH (a)-[r:USES_MODEL]->(b)
WHERE a:LocalAgent
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'USES_MODEL', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'LocalModel', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser HOLDS Grant: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalUser HOLDS Grant: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalUser HOLDS Grant: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser HOLDS Grant: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalUser {key: key})
USING INDEX SEEK a:LocalUser(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup HOLDS Grant: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalGroup HOLDS Grant: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalGroup HOLDS Grant: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup HOLDS Grant: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalGroup {key: key})
USING INDEX SEEK a:LocalGroup(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole HOLDS Grant: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalRole HOLDS Grant: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalRole HOLDS Grant: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole HOLDS Grant: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalRole {key: key})
USING INDEX SEEK a:LocalRole(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// AccessCredential HOLDS Grant: create
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// AccessCredential HOLDS Grant: change
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// AccessCredential HOLDS Grant: remove
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// AccessCredential HOLDS Grant: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:AccessCredential {key: key})
USING INDEX SEEK a:AccessCredential(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent HOLDS Grant: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalAgent HOLDS Grant: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalAgent HOLDS Grant: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent HOLDS Grant: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
USING INDEX SEEK a:LocalAgent(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Identity HOLDS Grant: create
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// Identity HOLDS Grant: change
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Identity HOLDS Grant: remove
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:Grant {key: pair[1]})
USING INDEX SEEK b:Grant(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'Grant', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser HOLDS RoleAssignment: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalUser HOLDS RoleAssignment: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalUser HOLDS RoleAssignment: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser HOLDS RoleAssignment: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalUser {key: key})
USING INDEX SEEK a:LocalUser(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup HOLDS RoleAssignment: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalGroup HOLDS RoleAssignment: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalGroup HOLDS RoleAssignment: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup HOLDS RoleAssignment: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalGroup {key: key})
USING INDEX SEEK a:LocalGroup(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole HOLDS RoleAssignment: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalRole HOLDS RoleAssignment: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalRole HOLDS RoleAssignment: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole HOLDS RoleAssignment: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalRole {key: key})
USING INDEX SEEK a:LocalRole(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// AccessCredential HOLDS RoleAssignment: create
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// AccessCredential HOLDS RoleAssignment: change
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// AccessCredential HOLDS RoleAssignment: remove
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// AccessCredential HOLDS RoleAssignment: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:AccessCredential {key: key})
USING INDEX SEEK a:AccessCredential(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent HOLDS RoleAssignment: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// LocalAgent HOLDS RoleAssignment: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalAgent HOLDS RoleAssignment: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent HOLDS RoleAssignment: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
USING INDEX SEEK a:LocalAgent(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE b:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Identity HOLDS RoleAssignment: create
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CREATE (a)-[r:HOLDS {since: $at}]->(b);

// Identity HOLDS RoleAssignment: change
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Identity HOLDS RoleAssignment: remove
UNWIND $pairs[0] AS pair
MATCH (a:Identity {key: pair[0]})
USING INDEX SEEK a:Identity(key)
MATCH (b:RoleAssignment {key: pair[1]})
USING INDEX SEEK b:RoleAssignment(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: 'Identity', end: pair[1], end_label: 'RoleAssignment', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Grant OF Permission: create
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Permission {key: pair[1]})
USING INDEX SEEK b:Permission(key)
CREATE (a)-[r:OF {since: $at}]->(b);

// Grant OF Permission: change
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Permission {key: pair[1]})
USING INDEX SEEK b:Permission(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Permission', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Grant OF Permission: remove
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Permission {key: pair[1]})
USING INDEX SEEK b:Permission(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Permission', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Grant OF Permission: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Permission {key: key})
USING INDEX SEEK b:Permission(key)
MATCH (a)-[r:OF]->(b)
WHERE a:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Permission', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// RoleAssignment OF LocalRole: create
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:LocalRole {key: pair[1]})
USING INDEX SEEK b:LocalRole(key)
CREATE (a)-[r:OF {since: $at}]->(b);

// RoleAssignment OF LocalRole: change
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:LocalRole {key: pair[1]})
USING INDEX SEEK b:LocalRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'LocalRole', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// RoleAssignment OF LocalRole: remove
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:LocalRole {key: pair[1]})
USING INDEX SEEK b:LocalRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'LocalRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// RoleAssignment OF LocalRole: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:LocalRole {key: key})
USING INDEX SEEK b:LocalRole(key)
MATCH (a)-[r:OF]->(b)
WHERE a:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'LocalRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Grant ON Application: create
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CREATE (a)-[r:ON {since: $at}]->(b);

// Grant ON Application: change
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Application', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Grant ON Application: remove
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Application', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Grant ON Application: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Application {key: key})
USING INDEX SEEK b:Application(key)
MATCH (a)-[r:ON]->(b)
WHERE a:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Application', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Grant ON Resource: create
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CREATE (a)-[r:ON {since: $at}]->(b);

// Grant ON Resource: change
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Grant ON Resource: remove
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Grant ON Resource: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Resource {key: key})
USING INDEX SEEK b:Resource(key)
MATCH (a)-[r:ON]->(b)
WHERE a:Grant
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'Grant', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// RoleAssignment ON Application: create
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CREATE (a)-[r:ON {since: $at}]->(b);

// RoleAssignment ON Application: change
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'Application', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// RoleAssignment ON Application: remove
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'Application', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// RoleAssignment ON Application: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Application {key: key})
USING INDEX SEEK b:Application(key)
MATCH (a)-[r:ON]->(b)
WHERE a:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'Application', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// RoleAssignment ON Resource: create
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CREATE (a)-[r:ON {since: $at}]->(b);

// RoleAssignment ON Resource: change
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// RoleAssignment ON Resource: remove
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// RoleAssignment ON Resource: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Resource {key: key})
USING INDEX SEEK b:Resource(key)
MATCH (a)-[r:ON]->(b)
WHERE a:RoleAssignment
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: 'RoleAssignment', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole ALLOWS Permission: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Permission {key: pair[1]})
USING INDEX SEEK b:Permission(key)
CREATE (a)-[r:ALLOWS {since: $at}]->(b);

// LocalRole ALLOWS Permission: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Permission {key: pair[1]})
USING INDEX SEEK b:Permission(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ALLOWS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ALLOWS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Permission', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalRole ALLOWS Permission: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Permission {key: pair[1]})
USING INDEX SEEK b:Permission(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ALLOWS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ALLOWS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Permission', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole ALLOWS Permission: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Permission {key: key})
USING INDEX SEEK b:Permission(key)
MATCH (a)-[r:ALLOWS]->(b)
WHERE a:LocalRole
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ALLOWS', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Permission', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole INCLUDES LocalRole: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:LocalRole {key: pair[1]})
USING INDEX SEEK b:LocalRole(key)
CREATE (a)-[r:INCLUDES {since: $at}]->(b);

// LocalRole INCLUDES LocalRole: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:LocalRole {key: pair[1]})
USING INDEX SEEK b:LocalRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:INCLUDES]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'INCLUDES', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'LocalRole', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalRole INCLUDES LocalRole: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:LocalRole {key: pair[1]})
USING INDEX SEEK b:LocalRole(key)
CALL (pair, a, b) {
  MATCH (a)-[r:INCLUDES]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'INCLUDES', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'LocalRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole INCLUDES LocalRole: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:LocalRole {key: key})
USING INDEX SEEK b:LocalRole(key)
MATCH (a)-[r:INCLUDES]->(b)
WHERE a:LocalRole
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'INCLUDES', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'LocalRole', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Application CONTAINS Resource: create
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CREATE (a)-[r:CONTAINS {since: $at}]->(b);

// Application CONTAINS Resource: change
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONTAINS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Application CONTAINS Resource: remove
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONTAINS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Application CONTAINS Resource: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:Application {key: key})
USING INDEX SEEK a:Application(key)
MATCH (a)-[r:CONTAINS]->(b)
WHERE b:Resource
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Resource CONTAINS Resource: create
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CREATE (a)-[r:CONTAINS {since: $at}]->(b);

// Resource CONTAINS Resource: change
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONTAINS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Resource CONTAINS Resource: remove
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONTAINS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Resource CONTAINS Resource: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:Resource {key: key})
USING INDEX SEEK a:Resource(key)
MATCH (a)-[r:CONTAINS]->(b)
WHERE b:Resource
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Resource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Resource CONNECTS_TO ExternalEntity: create
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CREATE (a)-[r:CONNECTS_TO {since: $at}]->(b);

// Resource CONNECTS_TO ExternalEntity: change
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONNECTS_TO]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONNECTS_TO', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'ExternalEntity', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Resource CONNECTS_TO ExternalEntity: remove
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:ExternalEntity {key: pair[1]})
USING INDEX SEEK b:ExternalEntity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONNECTS_TO]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONNECTS_TO', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'ExternalEntity', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Application OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// Application OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// Application OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// LocalUser OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// LocalUser OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// LocalUser OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// LocalGroup OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// LocalGroup OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// LocalGroup OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// LocalRole OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// LocalRole OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// LocalRole OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// AccessCredential OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// AccessCredential OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// AccessCredential OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// LocalAgent OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// LocalAgent OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// LocalAgent OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// LocalModel OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalModel {key: pair[0]})
USING INDEX SEEK a:LocalModel(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// LocalModel OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalModel {key: pair[0]})
USING INDEX SEEK a:LocalModel(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalModel', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// LocalModel OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalModel {key: pair[0]})
USING INDEX SEEK a:LocalModel(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'LocalModel', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// Resource OWNED_BY Identity: create
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CREATE (a)-[r:OWNED_BY {since: $at}]->(b)
SET r += pair[2];

// Resource OWNED_BY Identity: change
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
SET r += pair[4];

// Resource OWNED_BY Identity: remove
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Identity {key: pair[1]})
USING INDEX SEEK b:Identity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Identity', data_source: $data_source, until: $until})
DELETE r;

// Employee MANAGED_BY Employee: create
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:Employee {key: pair[1]})
USING INDEX SEEK b:Employee(key)
CREATE (a)-[r:MANAGED_BY {since: $at}]->(b);

// Employee MANAGED_BY Employee: change
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:Employee {key: pair[1]})
USING INDEX SEEK b:Employee(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MANAGED_BY]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'Employee', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Employee MANAGED_BY Employee: remove
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:Employee {key: pair[1]})
USING INDEX SEEK b:Employee(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MANAGED_BY]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'Employee', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee MANAGED_BY Employee: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Employee {key: key})
USING INDEX SEEK b:Employee(key)
MATCH (a)-[r:MANAGED_BY]->(b)
WHERE a:Employee
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'Employee', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee IN_DEPARTMENT HrisGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CREATE (a)-[r:IN_DEPARTMENT {since: $at}]->(b);

// Employee IN_DEPARTMENT HrisGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IN_DEPARTMENT]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_DEPARTMENT', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Employee IN_DEPARTMENT HrisGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IN_DEPARTMENT]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_DEPARTMENT', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee IN_DEPARTMENT HrisGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:HrisGroup {key: key})
USING INDEX SEEK b:HrisGroup(key)
MATCH (a)-[r:IN_DEPARTMENT]->(b)
WHERE a:Employee
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_DEPARTMENT', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee IN_COST_CENTER HrisGroup: create
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CREATE (a)-[r:IN_COST_CENTER {since: $at}]->(b);

// Employee IN_COST_CENTER HrisGroup: change
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IN_COST_CENTER]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_COST_CENTER', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Employee IN_COST_CENTER HrisGroup: remove
UNWIND $pairs[0] AS pair
MATCH (a:Employee {key: pair[0]})
USING INDEX SEEK a:Employee(key)
MATCH (b:HrisGroup {key: pair[1]})
USING INDEX SEEK b:HrisGroup(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IN_COST_CENTER]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_COST_CENTER', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Employee IN_COST_CENTER HrisGroup: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:HrisGroup {key: key})
USING INDEX SEEK b:HrisGroup(key)
MATCH (a)-[r:IN_COST_CENTER]->(b)
WHERE a:Employee
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_COST_CENTER', start: pair[0], start_label: 'Employee', end: pair[1], end_label: 'HrisGroup', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpDomain FROM DataSource: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpDomain {key: pair[0]})
USING INDEX SEEK a:IdpDomain(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CREATE (a)-[r:FROM {since: $at}]->(b);

// IdpDomain FROM DataSource: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpDomain {key: pair[0]})
USING INDEX SEEK a:IdpDomain(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: 'IdpDomain', end: pair[1], end_label: 'DataSource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpDomain FROM DataSource: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpDomain {key: pair[0]})
USING INDEX SEEK a:IdpDomain(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: 'IdpDomain', end: pair[1], end_label: 'DataSource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Application FROM DataSource: create
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CREATE (a)-[r:FROM {since: $at}]->(b);

// Application FROM DataSource: change
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'DataSource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Application FROM DataSource: remove
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'DataSource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// HrisSystem FROM DataSource: create
UNWIND $pairs[0] AS pair
MATCH (a:HrisSystem {key: pair[0]})
USING INDEX SEEK a:HrisSystem(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CREATE (a)-[r:FROM {since: $at}]->(b);

// HrisSystem FROM DataSource: change
UNWIND $pairs[0] AS pair
MATCH (a:HrisSystem {key: pair[0]})
USING INDEX SEEK a:HrisSystem(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: 'HrisSystem', end: pair[1], end_label: 'DataSource', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// HrisSystem FROM DataSource: remove
UNWIND $pairs[0] AS pair
MATCH (a:HrisSystem {key: pair[0]})
USING INDEX SEEK a:HrisSystem(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: 'HrisSystem', end: pair[1], end_label: 'DataSource', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpDomain TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpDomain {key: pair[0]})
USING INDEX SEEK a:IdpDomain(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// IdpDomain TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpDomain {key: pair[0]})
USING INDEX SEEK a:IdpDomain(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpDomain', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpDomain TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpDomain {key: pair[0]})
USING INDEX SEEK a:IdpDomain(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpDomain', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpUser TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// IdpUser TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpUser TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpUser {key: pair[0]})
USING INDEX SEEK a:IdpUser(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpUser', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpGroup TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// IdpGroup TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpGroup TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpGroup {key: pair[0]})
USING INDEX SEEK a:IdpGroup(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpGroup', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// IdpApp TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:IdpApp {key: pair[0]})
USING INDEX SEEK a:IdpApp(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// IdpApp TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:IdpApp {key: pair[0]})
USING INDEX SEEK a:IdpApp(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpApp', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// IdpApp TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:IdpApp {key: pair[0]})
USING INDEX SEEK a:IdpApp(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'IdpApp', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Application TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// Application TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Application TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:Application {key: pair[0]})
USING INDEX SEEK a:Application(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalUser TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// LocalUser TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalUser TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalUser {key: pair[0]})
USING INDEX SEEK a:LocalUser(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalUser', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalGroup TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// LocalGroup TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalGroup TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalGroup {key: pair[0]})
USING INDEX SEEK a:LocalGroup(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalGroup', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalRole TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// LocalRole TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalRole TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalRole {key: pair[0]})
USING INDEX SEEK a:LocalRole(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalRole', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// AccessCredential TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// AccessCredential TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// AccessCredential TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:AccessCredential {key: pair[0]})
USING INDEX SEEK a:AccessCredential(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'AccessCredential', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalAgent TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// LocalAgent TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalAgent TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalAgent {key: pair[0]})
USING INDEX SEEK a:LocalAgent(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalAgent', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// LocalModel TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:LocalModel {key: pair[0]})
USING INDEX SEEK a:LocalModel(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// LocalModel TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:LocalModel {key: pair[0]})
USING INDEX SEEK a:LocalModel(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalModel', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// LocalModel TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:LocalModel {key: pair[0]})
USING INDEX SEEK a:LocalModel(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'LocalModel', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// Resource TAGGED Tag: create
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CREATE (a)-[r:TAGGED {since: $at}]->(b);

// Resource TAGGED Tag: change
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
SET r += pair[2];

// Resource TAGGED Tag: remove
UNWIND $pairs[0] AS pair
MATCH (a:Resource {key: pair[0]})
USING INDEX SEEK a:Resource(key)
MATCH (b:Tag {key: pair[1]})
USING INDEX SEEK b:Tag(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'Tag', data_source: $data_source, until: $until, since: r.since}))
DELETE r;

// KNOWN_AS of Identity and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpUser {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: draw for askers, by fold_email
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpUser {fold_email: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_email)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'Identity', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpUser {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_name)
WHERE (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: draw for askers, by fold_email
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpUser {fold_email: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_email)
WHERE (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'Identity', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpGroup {key: pair[0]})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_id)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpGroup {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpGroup {key: row.key})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'Identity', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpGroup {key: pair[0]})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_id)
WHERE (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup, with trusts: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:Identity {key: pair[0]})
USING INDEX SEEK asker:Identity(key)
MATCH (answerer:IdpGroup {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_name)
WHERE (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup, with trusts: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpGroup {key: row.key})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'Identity', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:IdpUser {fold_source_identity: pair[1]})
USING INDEX SEEK asker:IdpUser(fold_source_identity)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type)
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:IdpUser {key: pair[0]})
USING INDEX SEEK asker:IdpUser(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type)
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpUser AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:IdpUser {key: row.key})
USING INDEX SEEK asker:IdpUser(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:IdpUser {fold_source_identity: pair[1]})
USING INDEX SEEK asker:IdpUser(fold_source_identity)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (pair[2] IS NULL OR asker.provider IN pair[2]) AND NOT asker.provider IN pair[3]
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:IdpUser {key: pair[0]})
USING INDEX SEEK asker:IdpUser(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser, with trusts: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpUser AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed[asker.fold_source_identity] IS NULL OR asker.provider IN row.allowed[asker.fold_source_identity]) AND NOT asker.provider IN row.denied[asker.fold_source_identity], false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser, with trusts: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:IdpUser {key: row.key})
USING INDEX SEEK asker:IdpUser(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed IS NULL OR answerer.provider IN row.allowed) AND NOT answerer.provider IN row.denied, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpGroup {key: pair[0]})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (asker:IdpGroup {fold_source_identity: pair[1]})
USING INDEX SEEK asker:IdpGroup(fold_source_identity)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type)
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:IdpGroup {key: pair[0]})
USING INDEX SEEK asker:IdpGroup(key)
MATCH (answerer:IdpGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_id)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type)
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpGroup {key: row.key})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpGroup AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:IdpGroup {key: row.key})
USING INDEX SEEK asker:IdpGroup(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpGroup AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpGroup {key: pair[0]})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (asker:IdpGroup {fold_source_identity: pair[1]})
USING INDEX SEEK asker:IdpGroup(fold_source_identity)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (pair[2] IS NULL OR asker.provider IN pair[2]) AND NOT asker.provider IN pair[3]
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:IdpGroup {key: pair[0]})
USING INDEX SEEK asker:IdpGroup(key)
MATCH (answerer:IdpGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_id)
WHERE asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup, with trusts: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpGroup {key: row.key})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpGroup AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed[asker.fold_source_identity] IS NULL OR asker.provider IN row.allowed[asker.fold_source_identity]) AND NOT asker.provider IN row.denied[asker.fold_source_identity], false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup, with trusts: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:IdpGroup {key: row.key})
USING INDEX SEEK asker:IdpGroup(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpGroup AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed IS NULL OR answerer.provider IN row.allowed) AND NOT answerer.provider IN row.denied, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// MANAGED_BY of IdpUser and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:IdpUser {fold_manager_id: pair[1]})
USING INDEX SEEK asker:IdpUser(data_source, fold_manager_id)
WHERE asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key
MERGE (asker)-[r:MANAGED_BY]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// MANAGED_BY of IdpUser and IdpUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:IdpUser {key: pair[0]})
USING INDEX SEEK asker:IdpUser(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key
MERGE (asker)-[r:MANAGED_BY]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// MANAGED_BY of IdpUser and IdpUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker)-[r:MANAGED_BY]->(answerer)
WHERE asker:IdpUser AND NOT coalesce(asker.fold_manager_id IN row.values AND asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: asker.key, start_label: 'IdpUser', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// MANAGED_BY of IdpUser and IdpUser: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:IdpUser {key: row.key})
USING INDEX SEEK asker:IdpUser(key)
MATCH (asker)-[r:MANAGED_BY]->(answerer)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_manager_id IN [answerer.fold_id] AND asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: asker.key, start_label: 'IdpUser', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:Employee {fold_account: pair[1]})
USING INDEX SEEK asker:Employee(fold_account)
WHERE (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false))
MERGE (asker)-[r:HAS_ACCOUNT]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Employee {key: pair[0]})
USING INDEX SEEK asker:Employee(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false))
MERGE (asker)-[r:HAS_ACCOUNT]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: draw for askers, by fold_email
UNWIND $pairs[0] AS pair
MATCH (asker:Employee {key: pair[0]})
USING INDEX SEEK asker:Employee(key)
MATCH (answerer:IdpUser {fold_email: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_email)
WHERE (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false))
MERGE (asker)-[r:HAS_ACCOUNT]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE asker:Employee AND NOT coalesce(asker.fold_account IN row.values AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Employee {key: row.key})
USING INDEX SEEK asker:Employee(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_account IN [answerer.fold_id, answerer.fold_email] AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:Employee {fold_account: pair[1]})
USING INDEX SEEK asker:Employee(fold_account)
WHERE (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (pair[2] IS NULL OR asker.provider IN pair[2]) AND NOT asker.provider IN pair[3]
MERGE (asker)-[r:HAS_ACCOUNT]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Employee {key: pair[0]})
USING INDEX SEEK asker:Employee(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (asker)-[r:HAS_ACCOUNT]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: draw for askers, by fold_email
UNWIND $pairs[0] AS pair
MATCH (asker:Employee {key: pair[0]})
USING INDEX SEEK asker:Employee(key)
MATCH (answerer:IdpUser {fold_email: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_email)
WHERE (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (pair[2] IS NULL OR answerer.provider IN pair[2]) AND NOT answerer.provider IN pair[3]
MERGE (asker)-[r:HAS_ACCOUNT]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE asker:Employee AND NOT coalesce(asker.fold_account IN row.values AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (row.allowed[asker.fold_account] IS NULL OR asker.provider IN row.allowed[asker.fold_account]) AND NOT asker.provider IN row.denied[asker.fold_account], false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Employee {key: row.key})
USING INDEX SEEK asker:Employee(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_account IN [answerer.fold_id, answerer.fold_email] AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (row.allowed IS NULL OR answerer.provider IN row.allowed) AND NOT answerer.provider IN row.denied, false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// ACTS_AS of CloudRole and LocalRole: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:LocalRole {key: pair[0]})
USING INDEX SEEK answerer:LocalRole(key)
MATCH (asker:CloudRole {arn: pair[1]})
USING INDEX SEEK asker:CloudRole(arn)
WHERE asker.arn IN [answerer.unique_id, answerer.id, answerer.name]
MERGE (asker)-[r:ACTS_AS]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// ACTS_AS of CloudRole and LocalRole: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:CloudRole {key: pair[0]})
USING INDEX SEEK asker:CloudRole(key)
MATCH (answerer:LocalRole {fold_id: pair[1]})
USING INDEX SEEK answerer:LocalRole(fold_id)
WHERE asker.arn IN [answerer.unique_id, answerer.id, answerer.name]
MERGE (asker)-[r:ACTS_AS]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// ACTS_AS of CloudRole and LocalRole: draw for askers, by fold_other_id
UNWIND $pairs[0] AS pair
MATCH (asker:CloudRole {key: pair[0]})
USING INDEX SEEK asker:CloudRole(key)
MATCH (answerer:LocalRole {fold_other_id: pair[1]})
USING INDEX SEEK answerer:LocalRole(fold_other_id)
WHERE asker.arn IN [answerer.unique_id, answerer.id, answerer.name]
MERGE (asker)-[r:ACTS_AS]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// ACTS_AS of CloudRole and LocalRole: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:CloudRole {key: pair[0]})
USING INDEX SEEK asker:CloudRole(key)
MATCH (answerer:LocalRole {fold_name: pair[1]})
USING INDEX SEEK answerer:LocalRole(fold_name)
WHERE asker.arn IN [answerer.unique_id, answerer.id, answerer.name]
MERGE (asker)-[r:ACTS_AS]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// ACTS_AS of CloudRole and LocalRole: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:LocalRole {key: row.key})
USING INDEX SEEK answerer:LocalRole(key)
MATCH (asker)-[r:ACTS_AS]->(answerer)
WHERE asker:CloudRole AND NOT coalesce(asker.arn IN row.values AND asker.arn IN [answerer.unique_id, answerer.id, answerer.name], false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ACTS_AS', start: asker.key, start_label: 'CloudRole', end: answerer.key, end_label: 'LocalRole', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Resource: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Resource {key: pair[0]})
USING INDEX SEEK answerer:Resource(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource']
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Resource: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:Resource {fold_id: pair[1]})
USING INDEX SEEK answerer:Resource(fold_id)
WHERE asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource']
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Resource: draw for askers, by fold_path
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:Resource {fold_path: pair[1]})
USING INDEX SEEK answerer:Resource(fold_path)
WHERE asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource']
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Resource: draw for askers, by fold_id_path
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:Resource {fold_id_path: pair[1]})
USING INDEX SEEK answerer:Resource(fold_id_path)
WHERE asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource']
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Resource: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:Resource {key: row.key})
USING INDEX SEEK answerer:Resource(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource'], false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'Resource', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Application: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Application {key: pair[0]})
USING INDEX SEEK answerer:Application(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type IN ['application', answerer.fold_application_type]
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Application: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:Application {fold_name: pair[1]})
USING INDEX SEEK answerer:Application(fold_name)
WHERE asker.node_type IN ['application', answerer.fold_application_type]
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Application: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:Application {key: row.key})
USING INDEX SEEK answerer:Application(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type IN ['application', answerer.fold_application_type], false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'Application', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:LocalUser {key: pair[0]})
USING INDEX SEEK answerer:LocalUser(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type = 'localuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalUser {fold_id: pair[1]})
USING INDEX SEEK answerer:LocalUser(fold_id)
WHERE asker.node_type = 'localuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalUser: draw for askers, by fold_other_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalUser {fold_other_id: pair[1]})
USING INDEX SEEK answerer:LocalUser(fold_other_id)
WHERE asker.node_type = 'localuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalUser: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalUser {fold_name: pair[1]})
USING INDEX SEEK answerer:LocalUser(fold_name)
WHERE asker.node_type = 'localuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:LocalUser {key: row.key})
USING INDEX SEEK answerer:LocalUser(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'localuser', false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:LocalGroup {key: pair[0]})
USING INDEX SEEK answerer:LocalGroup(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type = 'localgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalGroup: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:LocalGroup(fold_id)
WHERE asker.node_type = 'localgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalGroup: draw for askers, by fold_other_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalGroup {fold_other_id: pair[1]})
USING INDEX SEEK answerer:LocalGroup(fold_other_id)
WHERE asker.node_type = 'localgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalGroup: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalGroup {fold_name: pair[1]})
USING INDEX SEEK answerer:LocalGroup(fold_name)
WHERE asker.node_type = 'localgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalGroup: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:LocalGroup {key: row.key})
USING INDEX SEEK answerer:LocalGroup(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'localgroup', false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalGroup', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalAgent: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:LocalAgent {key: pair[0]})
USING INDEX SEEK answerer:LocalAgent(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type = 'localagent'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalAgent: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalAgent {fold_id: pair[1]})
USING INDEX SEEK answerer:LocalAgent(fold_id)
WHERE asker.node_type = 'localagent'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalAgent: draw for askers, by fold_other_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalAgent {fold_other_id: pair[1]})
USING INDEX SEEK answerer:LocalAgent(fold_other_id)
WHERE asker.node_type = 'localagent'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalAgent: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalAgent {fold_name: pair[1]})
USING INDEX SEEK answerer:LocalAgent(fold_name)
WHERE asker.node_type = 'localagent'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalAgent: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:LocalAgent {key: row.key})
USING INDEX SEEK answerer:LocalAgent(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'localagent', false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalAgent', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and AccessCredential: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:AccessCredential {key: pair[0]})
USING INDEX SEEK answerer:AccessCredential(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type = 'accesscredential'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and AccessCredential: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:AccessCredential {fold_id: pair[1]})
USING INDEX SEEK answerer:AccessCredential(fold_id)
WHERE asker.node_type = 'accesscredential'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and AccessCredential: draw for askers, by fold_other_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:AccessCredential {fold_other_id: pair[1]})
USING INDEX SEEK answerer:AccessCredential(fold_other_id)
WHERE asker.node_type = 'accesscredential'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and AccessCredential: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:AccessCredential {fold_name: pair[1]})
USING INDEX SEEK answerer:AccessCredential(fold_name)
WHERE asker.node_type = 'accesscredential'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and AccessCredential: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:AccessCredential {key: row.key})
USING INDEX SEEK answerer:AccessCredential(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'accesscredential', false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'AccessCredential', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalRole: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:LocalRole {key: pair[0]})
USING INDEX SEEK answerer:LocalRole(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE (asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:')
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalRole: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalRole {fold_id: pair[1]})
USING INDEX SEEK answerer:LocalRole(fold_id)
WHERE (asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:')
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalRole: draw for askers, by fold_other_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalRole {fold_other_id: pair[1]})
USING INDEX SEEK answerer:LocalRole(fold_other_id)
WHERE (asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:')
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalRole: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:LocalRole {fold_name: pair[1]})
USING INDEX SEEK answerer:LocalRole(fold_name)
WHERE (asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:')
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalRole: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:LocalRole {key: row.key})
USING INDEX SEEK answerer:LocalRole(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND (asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:'), false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalRole', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpUser {key: pair[0]})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type = 'idpuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
WHERE asker.node_type = 'idpuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpUser: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:IdpUser {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_name)
WHERE asker.node_type = 'idpuser'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpUser {key: row.key})
USING INDEX SEEK answerer:IdpUser(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'idpuser', false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:IdpGroup {key: pair[0]})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (asker:ExternalEntity {id: pair[1]})
USING INDEX SEEK asker:ExternalEntity(id)
WHERE asker.node_type = 'idpgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpGroup: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:IdpGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_id)
WHERE asker.node_type = 'idpgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpGroup: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:ExternalEntity {key: pair[0]})
USING INDEX SEEK asker:ExternalEntity(key)
MATCH (answerer:IdpGroup {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_name)
WHERE asker.node_type = 'idpgroup'
MERGE (asker)-[r:RESOLVES_TO]->(answerer)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpGroup: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:IdpGroup {key: row.key})
USING INDEX SEEK answerer:IdpGroup(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'idpgroup', false)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// Managers of Resource: candidates by entity
UNWIND $pairs[0] AS pair
MATCH (entity:ExternalEntity {key: pair[0]})
USING INDEX SEEK entity:ExternalEntity(key)
MATCH (entity)-[:RESOLVES_TO]->(managed)
WHERE 'Resource' IN labels(managed)
RETURN DISTINCT managed.key AS managed, pair[1] AS manager;

// Managers of Resource: draw IdpUser
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (manager:IdpUser {key: pair[1]})
USING INDEX SEEK manager:IdpUser(key)
WHERE EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: remove IdpUser
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpUser' IN labels(manager) AND manager.key = pair[1] AND NOT EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: draw IdpUser, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (manager:IdpUser {key: pair[1]})
USING INDEX SEEK manager:IdpUser(key)
WHERE (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: remove IdpUser, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpUser' IN labels(manager) AND manager.key = pair[1] AND NOT (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: draw IdpGroup
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (manager:IdpGroup {key: pair[1]})
USING INDEX SEEK manager:IdpGroup(key)
WHERE EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: remove IdpGroup
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpGroup' IN labels(manager) AND manager.key = pair[1] AND NOT EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: draw IdpGroup, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (manager:IdpGroup {key: pair[1]})
USING INDEX SEEK manager:IdpGroup(key)
WHERE (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: remove IdpGroup, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpGroup' IN labels(manager) AND manager.key = pair[1] AND NOT (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Resource', end: pair[1], end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Resource: tag
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
WHERE EXISTS { (managed)-[:SYSTEM_resource_managers]->(manager) WHERE coalesce(manager.identity, manager.name) = pair[2] }
MERGE (tag:Tag {key: pair[1]})
ON CREATE SET tag.name = 'SYSTEM_resource_managers', tag.fold_of_name = 'system_resource_managers',
  tag.value = pair[2], tag.fold_of_value = pair[3]
MERGE (managed)-[r:TAGGED {derived: true}]->(tag)
ON CREATE SET r.since = $at
WITH managed, tag, r
WHERE r.since = $at
RETURN managed.key AS start, tag.key AS end;

// Managers of Resource: untag
UNWIND $pairs[0] AS pair
MATCH (managed:Resource {key: pair[0]})
USING INDEX SEEK managed:Resource(key)
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag) AND tag.key = pair[1] AND NOT EXISTS { (managed)-[:SYSTEM_resource_managers]->(manager) WHERE coalesce(manager.identity, manager.name) = pair[2] }
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: 'Resource', end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, tag.key AS end;

// Managers of Resource: untag rows to remove
UNWIND $keys[0] AS key
MATCH (managed:Resource {key: key})
USING INDEX SEEK managed:Resource(key)
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: 'Resource', end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until}))
DELETE r
RETURN key AS start, tag.key AS end;

// Managers of Application: candidates by entity
UNWIND $pairs[0] AS pair
MATCH (entity:ExternalEntity {key: pair[0]})
USING INDEX SEEK entity:ExternalEntity(key)
MATCH (entity)-[:RESOLVES_TO]->(managed)
WHERE 'Application' IN labels(managed)
RETURN DISTINCT managed.key AS managed, pair[1] AS manager;

// Managers of Application: draw IdpUser
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (manager:IdpUser {key: pair[1]})
USING INDEX SEEK manager:IdpUser(key)
WHERE EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: remove IdpUser
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpUser' IN labels(manager) AND manager.key = pair[1] AND NOT EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: draw IdpUser, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (manager:IdpUser {key: pair[1]})
USING INDEX SEEK manager:IdpUser(key)
WHERE (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: remove IdpUser, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpUser' IN labels(manager) AND manager.key = pair[1] AND NOT (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'IdpUser', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: draw IdpGroup
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (manager:IdpGroup {key: pair[1]})
USING INDEX SEEK manager:IdpGroup(key)
WHERE EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: remove IdpGroup
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpGroup' IN labels(manager) AND manager.key = pair[1] AND NOT EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) }
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: draw IdpGroup, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (manager:IdpGroup {key: pair[1]})
USING INDEX SEEK manager:IdpGroup(key)
WHERE (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: remove IdpGroup, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (managed)-[r:SYSTEM_resource_managers]->(manager)
WHERE 'IdpGroup' IN labels(manager) AND manager.key = pair[1] AND NOT (EXISTS { (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager) } AND coalesce(manager.provider IN $meant[managed.provider], true))
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: 'Application', end: pair[1], end_label: 'IdpGroup', since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers of Application: tag
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
WHERE EXISTS { (managed)-[:SYSTEM_resource_managers]->(manager) WHERE coalesce(manager.identity, manager.name) = pair[2] }
MERGE (tag:Tag {key: pair[1]})
ON CREATE SET tag.name = 'SYSTEM_resource_managers', tag.fold_of_name = 'system_resource_managers',
  tag.value = pair[2], tag.fold_of_value = pair[3]
MERGE (managed)-[r:TAGGED {derived: true}]->(tag)
ON CREATE SET r.since = $at
WITH managed, tag, r
WHERE r.since = $at
RETURN managed.key AS start, tag.key AS end;

// Managers of Application: untag
UNWIND $pairs[0] AS pair
MATCH (managed:Application {key: pair[0]})
USING INDEX SEEK managed:Application(key)
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag) AND tag.key = pair[1] AND NOT EXISTS { (managed)-[:SYSTEM_resource_managers]->(manager) WHERE coalesce(manager.identity, manager.name) = pair[2] }
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: 'Application', end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until}))
DELETE r
RETURN managed.key AS start, tag.key AS end;

// Managers of Application: untag rows to remove
UNWIND $keys[0] AS key
MATCH (managed:Application {key: key})
USING INDEX SEEK managed:Application(key)
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag)
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: 'Application', end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until}))
DELETE r
RETURN key AS start, tag.key AS end;

// Managers: candidates by owner IdpUser
UNWIND $pairs[0] AS pair
MATCH (entity:ExternalEntity {key: pair[0]})
USING INDEX SEEK entity:ExternalEntity(key)
MATCH (entity)<-[:OWNS]-(manager)
WHERE 'IdpUser' IN labels(manager)
RETURN DISTINCT pair[1] AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Managers: candidates by owner IdpGroup
UNWIND $pairs[0] AS pair
MATCH (entity:ExternalEntity {key: pair[0]})
USING INDEX SEEK entity:ExternalEntity(key)
MATCH (entity)<-[:OWNS]-(manager)
WHERE 'IdpGroup' IN labels(manager)
RETURN DISTINCT pair[1] AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// IdpUser: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})
USING INDEX SEEK n:IdpUser(key)
MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|MANAGED_BY|HAS_ACCOUNT|RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// IdpGroup: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})
USING INDEX SEEK n:IdpGroup(key)
MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// Application: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})
USING INDEX SEEK n:Application(key)
MATCH (n)-[r:RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// LocalUser: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})
USING INDEX SEEK n:LocalUser(key)
MATCH (n)-[r:RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// LocalGroup: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})
USING INDEX SEEK n:LocalGroup(key)
MATCH (n)-[r:RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// LocalRole: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})
USING INDEX SEEK n:LocalRole(key)
MATCH (n)-[r:ACTS_AS|RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// AccessCredential: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})
USING INDEX SEEK n:AccessCredential(key)
MATCH (n)-[r:RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// LocalAgent: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})
USING INDEX SEEK n:LocalAgent(key)
MATCH (n)-[r:RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// Resource: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
USING INDEX SEEK n:Resource(key)
MATCH (n)-[r:RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// Employee: remove derived relationships of rows to remove
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})
USING INDEX SEEK n:Employee(key)
MATCH (n)-[r:HAS_ACCOUNT]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until}))
DELETE r
RETURN type, start, end;

// Tag: those that exist
UNWIND $keys[0] AS key
MATCH (n:Tag {key: key})
USING INDEX SEEK n:Tag(key)
RETURN collect(n.key) AS keys;

// Identities by which nobody is known
UNWIND $keys[0] AS key
OPTIONAL MATCH (identity:Identity {key: key})
USING INDEX SEEK identity:Identity(key)
WITH key, identity
WHERE identity IS NULL OR NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
RETURN collect(key) AS keys;

// Employees without an account who have the id of a user
UNWIND $keys[0] AS key
MATCH (employee:Employee {key: key})
USING INDEX SEEK employee:Employee(key)
WHERE NOT EXISTS { (employee)-[:HAS_ACCOUNT]->(:IdpUser) }
RETURN employee.key AS key, employee.fold_only_id AS id,
  COLLECT {
    MATCH (user:IdpUser {fold_id: employee.fold_only_id}) RETURN user.provider AS provider
    UNION
    MATCH (user:IdpUser {fold_email: employee.fold_only_id}) RETURN user.provider AS provider
  } AS providers;

// Cloud roles that no role has
UNWIND $keys[0] AS key
OPTIONAL MATCH (role:CloudRole {key: key})
USING INDEX SEEK role:CloudRole(key)
WITH key, role
WHERE role IS NULL OR NOT EXISTS { (role)-[:ACTS_AS]->() }
RETURN collect(key) AS keys;

// IdpUser: names that stand
UNWIND $names[0] AS plain
CALL (plain) {
  MATCH (other:IdpUser {fold_id: plain})
  USING INDEX SEEK other:IdpUser(fold_id)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
  UNION
  MATCH (other:IdpUser {fold_name: plain})
  USING INDEX SEEK other:IdpUser(fold_name)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
  UNION
  MATCH (other:IdpUser {fold_email: plain})
  USING INDEX SEEK other:IdpUser(fold_email)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
}
RETURN plain, other.key AS key, other {.name, .email, .identity, .full_name} AS called;

// IdpGroup: names that stand
UNWIND $names[0] AS plain
CALL (plain) {
  MATCH (other:IdpGroup {fold_id: plain})
  USING INDEX SEEK other:IdpGroup(fold_id)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
  UNION
  MATCH (other:IdpGroup {fold_name: plain})
  USING INDEX SEEK other:IdpGroup(fold_name)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
}
RETURN plain, other.key AS key, other {.name, .identity, .full_name} AS called;

// Employee: names that stand
UNWIND $names[0] AS plain
CALL (plain) {
  MATCH (other:Employee {fold_name: plain})
  USING INDEX SEEK other:Employee(fold_name)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
  UNION
  MATCH (other:Employee {fold_email: plain})
  USING INDEX SEEK other:Employee(fold_email)
  WHERE other.data_source = $data_source
  RETURN other ORDER BY other.key LIMIT 2
}
RETURN plain, other.key AS key, other {.name, .preferred_name, .display_full_name, .canonical_name, .username, .email, .idp_id, .personal_email, .id} AS called;

// Record the result of a push
MATCH (source:DataSource {key: $data_source})
SET source += $set
REMOVE source.lock, source.removal_allowed_until, source.half_written_by;

// Record the types of a provider
MATCH (provider:Provider {key: $provider})
OPTIONAL MATCH (source:DataSource)-[:FROM]->(provider)
WITH provider, collect(source) AS sources
SET provider.application_types = COLLECT { UNWIND sources AS source UNWIND source.application_types AS type RETURN DISTINCT type ORDER BY type }, provider.resource_types = COLLECT { UNWIND sources AS source UNWIND source.resource_types AS type RETURN DISTINCT type ORDER BY type }, provider.idp_types = COLLECT { UNWIND sources AS source UNWIND source.idp_types AS type RETURN DISTINCT type ORDER BY type };

// Names of properties that Neo4j knows
CALL db.propertyKeys() YIELD propertyKey
WITH propertyKey
WHERE propertyKey STARTS WITH 'customprop_' OR propertyKey STARTS WITH 'dynprop_'
RETURN collect(propertyKey) AS names;

// Names of properties that data sources have brought
CALL () {
  MATCH (source:DataSource)-[:FROM]->(provider:Provider)
  RETURN provider.key AS provider, source.property_names AS names
  UNION ALL
  MATCH (provider:Provider)
  RETURN provider.key AS provider, provider.property_names AS names
}
UNWIND names AS name
RETURN name, max(provider = $provider) AS of_provider;

// IdpDomain: some of a data source
MATCH (n:IdpDomain)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// IdpUser: some of a data source
MATCH (n:IdpUser)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// IdpGroup: some of a data source
MATCH (n:IdpGroup)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// IdpApp: some of a data source
MATCH (n:IdpApp)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// Application: some of a data source
MATCH (n:Application)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// LocalUser: some of a data source
MATCH (n:LocalUser)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// LocalGroup: some of a data source
MATCH (n:LocalGroup)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// LocalRole: some of a data source
MATCH (n:LocalRole)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// AccessCredential: some of a data source
MATCH (n:AccessCredential)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// LocalAgent: some of a data source
MATCH (n:LocalAgent)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// LocalModel: some of a data source
MATCH (n:LocalModel)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// Resource: some of a data source
MATCH (n:Resource)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// Permission: some of a data source
MATCH (n:Permission)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// Grant: some of a data source
MATCH (n:Grant)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// RoleAssignment: some of a data source
MATCH (n:RoleAssignment)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// HrisSystem: some of a data source
MATCH (n:HrisSystem)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// Employee: some of a data source
MATCH (n:Employee)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// HrisGroup: some of a data source
MATCH (n:HrisGroup)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key
LIMIT $most;

// Pushes, newest first
MATCH (source:DataSource {key: $data_source})
MATCH (source)<-[:FROM]-(n:Push)
WHERE n.at <= $time AND (n.at < $time OR n.key < $key)
WITH n
ORDER BY n.at DESC, n.key DESC
LIMIT $most
RETURN properties(n) AS properties;

// A push
MATCH (push:Push {key: $push})
USING INDEX SEEK push:Push(key)
MATCH (push)-[:FROM]->(:DataSource {key: $data_source})
RETURN properties(push) AS push;

// Increment: IdpDomain: within an application
MATCH (n:IdpDomain)
USING INDEX SEEK n:IdpDomain(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: IdpDomain: some keys
MATCH (n:IdpDomain)
USING INDEX SEEK n:IdpDomain(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: IdpDomain: names of some
MATCH (n:IdpDomain)
USING INDEX SEEK n:IdpDomain(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name]) AS found;

// Increment: IdpUser by fold_id
UNWIND $texts[0] AS text
MATCH (n:IdpUser {fold_id: text})
USING INDEX SEEK n:IdpUser(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: IdpUser by fold_name
UNWIND $texts[0] AS text
MATCH (n:IdpUser {fold_name: text})
USING INDEX SEEK n:IdpUser(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: IdpUser: within an application
MATCH (n:IdpUser)
USING INDEX SEEK n:IdpUser(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: IdpUser: some keys
MATCH (n:IdpUser)
USING INDEX SEEK n:IdpUser(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: IdpUser: names of some
MATCH (n:IdpUser)
USING INDEX SEEK n:IdpUser(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.identity]) AS found;

// Increment: IdpGroup by fold_id
UNWIND $texts[0] AS text
MATCH (n:IdpGroup {fold_id: text})
USING INDEX SEEK n:IdpGroup(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: IdpGroup by fold_name
UNWIND $texts[0] AS text
MATCH (n:IdpGroup {fold_name: text})
USING INDEX SEEK n:IdpGroup(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: IdpGroup: within an application
MATCH (n:IdpGroup)
USING INDEX SEEK n:IdpGroup(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: IdpGroup: some keys
MATCH (n:IdpGroup)
USING INDEX SEEK n:IdpGroup(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: IdpGroup: names of some
MATCH (n:IdpGroup)
USING INDEX SEEK n:IdpGroup(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.identity]) AS found;

// Increment: IdpApp by fold_id
UNWIND $texts[0] AS text
MATCH (n:IdpApp {fold_id: text})
USING INDEX SEEK n:IdpApp(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: IdpApp by fold_name
UNWIND $texts[0] AS text
MATCH (n:IdpApp {fold_name: text})
USING INDEX SEEK n:IdpApp(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: IdpApp: within an application
MATCH (n:IdpApp)
USING INDEX SEEK n:IdpApp(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: IdpApp: some keys
MATCH (n:IdpApp)
USING INDEX SEEK n:IdpApp(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: IdpApp: names of some
MATCH (n:IdpApp)
USING INDEX SEEK n:IdpApp(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id]) AS found;

// Increment: Application by fold_name
UNWIND $texts[0] AS text
MATCH (n:Application {fold_name: text})
USING INDEX SEEK n:Application(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Application: within an application
MATCH (n:Application)
USING INDEX SEEK n:Application(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: Application: some keys
MATCH (n:Application)
USING INDEX SEEK n:Application(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: Application: names of some
MATCH (n:Application)
USING INDEX SEEK n:Application(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name]) AS found;

// Increment: LocalUser by fold_id
UNWIND $texts[0] AS text
MATCH (n:LocalUser {fold_id: text})
USING INDEX SEEK n:LocalUser(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalUser by fold_other_id
UNWIND $texts[0] AS text
MATCH (n:LocalUser {fold_other_id: text})
USING INDEX SEEK n:LocalUser(fold_other_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalUser by fold_name
UNWIND $texts[0] AS text
MATCH (n:LocalUser {fold_name: text})
USING INDEX SEEK n:LocalUser(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalUser: within an application
MATCH (n:LocalUser)
USING INDEX SEEK n:LocalUser(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: LocalUser: some keys
MATCH (n:LocalUser)
USING INDEX SEEK n:LocalUser(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: LocalUser: names of some
MATCH (n:LocalUser)
USING INDEX SEEK n:LocalUser(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id]) AS found;

// Increment: LocalGroup by fold_id
UNWIND $texts[0] AS text
MATCH (n:LocalGroup {fold_id: text})
USING INDEX SEEK n:LocalGroup(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalGroup by fold_other_id
UNWIND $texts[0] AS text
MATCH (n:LocalGroup {fold_other_id: text})
USING INDEX SEEK n:LocalGroup(fold_other_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalGroup by fold_name
UNWIND $texts[0] AS text
MATCH (n:LocalGroup {fold_name: text})
USING INDEX SEEK n:LocalGroup(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalGroup: within an application
MATCH (n:LocalGroup)
USING INDEX SEEK n:LocalGroup(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: LocalGroup: some keys
MATCH (n:LocalGroup)
USING INDEX SEEK n:LocalGroup(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: LocalGroup: names of some
MATCH (n:LocalGroup)
USING INDEX SEEK n:LocalGroup(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id]) AS found;

// Increment: LocalRole by fold_id
UNWIND $texts[0] AS text
MATCH (n:LocalRole {fold_id: text})
USING INDEX SEEK n:LocalRole(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalRole by fold_other_id
UNWIND $texts[0] AS text
MATCH (n:LocalRole {fold_other_id: text})
USING INDEX SEEK n:LocalRole(fold_other_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalRole by fold_name
UNWIND $texts[0] AS text
MATCH (n:LocalRole {fold_name: text})
USING INDEX SEEK n:LocalRole(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalRole: within an application
MATCH (n:LocalRole)
USING INDEX SEEK n:LocalRole(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: LocalRole: some keys
MATCH (n:LocalRole)
USING INDEX SEEK n:LocalRole(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: LocalRole: names of some
MATCH (n:LocalRole)
USING INDEX SEEK n:LocalRole(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id]) AS found;

// Increment: AccessCredential by fold_id
UNWIND $texts[0] AS text
MATCH (n:AccessCredential {fold_id: text})
USING INDEX SEEK n:AccessCredential(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: AccessCredential by fold_other_id
UNWIND $texts[0] AS text
MATCH (n:AccessCredential {fold_other_id: text})
USING INDEX SEEK n:AccessCredential(fold_other_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: AccessCredential by fold_name
UNWIND $texts[0] AS text
MATCH (n:AccessCredential {fold_name: text})
USING INDEX SEEK n:AccessCredential(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: AccessCredential: within an application
MATCH (n:AccessCredential)
USING INDEX SEEK n:AccessCredential(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: AccessCredential: some keys
MATCH (n:AccessCredential)
USING INDEX SEEK n:AccessCredential(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: AccessCredential: names of some
MATCH (n:AccessCredential)
USING INDEX SEEK n:AccessCredential(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id]) AS found;

// Increment: LocalAgent by fold_id
UNWIND $texts[0] AS text
MATCH (n:LocalAgent {fold_id: text})
USING INDEX SEEK n:LocalAgent(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalAgent by fold_other_id
UNWIND $texts[0] AS text
MATCH (n:LocalAgent {fold_other_id: text})
USING INDEX SEEK n:LocalAgent(fold_other_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalAgent by fold_name
UNWIND $texts[0] AS text
MATCH (n:LocalAgent {fold_name: text})
USING INDEX SEEK n:LocalAgent(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalAgent: within an application
MATCH (n:LocalAgent)
USING INDEX SEEK n:LocalAgent(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: LocalAgent: some keys
MATCH (n:LocalAgent)
USING INDEX SEEK n:LocalAgent(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: LocalAgent: names of some
MATCH (n:LocalAgent)
USING INDEX SEEK n:LocalAgent(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id]) AS found;

// Increment: LocalModel by fold_id
UNWIND $texts[0] AS text
MATCH (n:LocalModel {fold_id: text})
USING INDEX SEEK n:LocalModel(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalModel by fold_other_id
UNWIND $texts[0] AS text
MATCH (n:LocalModel {fold_other_id: text})
USING INDEX SEEK n:LocalModel(fold_other_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalModel by fold_name
UNWIND $texts[0] AS text
MATCH (n:LocalModel {fold_name: text})
USING INDEX SEEK n:LocalModel(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: LocalModel: within an application
MATCH (n:LocalModel)
USING INDEX SEEK n:LocalModel(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: LocalModel: some keys
MATCH (n:LocalModel)
USING INDEX SEEK n:LocalModel(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: LocalModel: names of some
MATCH (n:LocalModel)
USING INDEX SEEK n:LocalModel(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id]) AS found;

// Increment: Resource by fold_id
UNWIND $texts[0] AS text
MATCH (n:Resource {fold_id: text})
USING INDEX SEEK n:Resource(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Resource by fold_name
UNWIND $texts[0] AS text
MATCH (n:Resource {fold_name: text})
USING INDEX SEEK n:Resource(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Resource by fold_path
UNWIND $texts[0] AS text
MATCH (n:Resource {fold_path: text})
USING INDEX SEEK n:Resource(fold_path)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Resource by fold_id_path
UNWIND $texts[0] AS text
MATCH (n:Resource {fold_id_path: text})
USING INDEX SEEK n:Resource(fold_id_path)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Resource: within an application
MATCH (n:Resource)
USING INDEX SEEK n:Resource(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: Resource: some keys
MATCH (n:Resource)
USING INDEX SEEK n:Resource(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: Resource: names of some
MATCH (n:Resource)
USING INDEX SEEK n:Resource(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.path]) AS found;

// Increment: Permission by fold_name
UNWIND $texts[0] AS text
MATCH (n:Permission {fold_name: text})
USING INDEX SEEK n:Permission(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Permission: within an application
MATCH (n:Permission)
USING INDEX SEEK n:Permission(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: Permission: some keys
MATCH (n:Permission)
USING INDEX SEEK n:Permission(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: Permission: names of some
MATCH (n:Permission)
USING INDEX SEEK n:Permission(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name]) AS found;

// Increment: Grant: within an application
MATCH (n:Grant)
USING INDEX SEEK n:Grant(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: Grant: some keys
MATCH (n:Grant)
USING INDEX SEEK n:Grant(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: Grant: names of some
MATCH (n:Grant)
USING INDEX SEEK n:Grant(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name]) AS found;

// Increment: RoleAssignment: within an application
MATCH (n:RoleAssignment)
USING INDEX SEEK n:RoleAssignment(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: RoleAssignment: some keys
MATCH (n:RoleAssignment)
USING INDEX SEEK n:RoleAssignment(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: RoleAssignment: names of some
MATCH (n:RoleAssignment)
USING INDEX SEEK n:RoleAssignment(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name]) AS found;

// Increment: HrisSystem: within an application
MATCH (n:HrisSystem)
USING INDEX SEEK n:HrisSystem(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: HrisSystem: some keys
MATCH (n:HrisSystem)
USING INDEX SEEK n:HrisSystem(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: HrisSystem: names of some
MATCH (n:HrisSystem)
USING INDEX SEEK n:HrisSystem(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id]) AS found;

// Increment: Employee by fold_id
UNWIND $texts[0] AS text
MATCH (n:Employee {fold_id: text})
USING INDEX SEEK n:Employee(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Employee by fold_name
UNWIND $texts[0] AS text
MATCH (n:Employee {fold_name: text})
USING INDEX SEEK n:Employee(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: Employee: within an application
MATCH (n:Employee)
USING INDEX SEEK n:Employee(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: Employee: some keys
MATCH (n:Employee)
USING INDEX SEEK n:Employee(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: Employee: names of some
MATCH (n:Employee)
USING INDEX SEEK n:Employee(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id]) AS found;

// Increment: HrisGroup by fold_id
UNWIND $texts[0] AS text
MATCH (n:HrisGroup {fold_id: text})
USING INDEX SEEK n:HrisGroup(fold_id)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: HrisGroup by fold_name
UNWIND $texts[0] AS text
MATCH (n:HrisGroup {fold_name: text})
USING INDEX SEEK n:HrisGroup(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

// Increment: HrisGroup: within an application
MATCH (n:HrisGroup)
USING INDEX SEEK n:HrisGroup(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: HrisGroup: some keys
MATCH (n:HrisGroup)
USING INDEX SEEK n:HrisGroup(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Increment: HrisGroup: names of some
MATCH (n:HrisGroup)
USING INDEX SEEK n:HrisGroup(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id]) AS found;

// Increment: IdpGroup: rows that refer to it by IdpUser MEMBER_OF IdpGroup
UNWIND $keys[0] AS key
MATCH (end:IdpGroup {key: key})
USING INDEX SEEK end:IdpGroup(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE 'IdpUser' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: IdpGroup: rows that refer to it by IdpGroup MEMBER_OF IdpGroup
UNWIND $keys[0] AS key
MATCH (end:IdpGroup {key: key})
USING INDEX SEEK end:IdpGroup(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE 'IdpGroup' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: IdpApp: rows that refer to it by IdpUser ASSIGNED_TO IdpApp
UNWIND $keys[0] AS key
MATCH (end:IdpApp {key: key})
USING INDEX SEEK end:IdpApp(key)
MATCH (row)-[:ASSIGNED_TO]->(end)
WHERE 'IdpUser' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: IdpApp: rows that refer to it by IdpGroup ASSIGNED_TO IdpApp
UNWIND $keys[0] AS key
MATCH (end:IdpApp {key: key})
USING INDEX SEEK end:IdpApp(key)
MATCH (row)-[:ASSIGNED_TO]->(end)
WHERE 'IdpGroup' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Application: rows that refer to it by Grant ON Application
UNWIND $keys[0] AS key
MATCH (end:Application {key: key})
USING INDEX SEEK end:Application(key)
MATCH (row)-[:ON]->(end)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Application: rows that refer to it by RoleAssignment ON Application
UNWIND $keys[0] AS key
MATCH (end:Application {key: key})
USING INDEX SEEK end:Application(key)
MATCH (row)-[:ON]->(end)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Application: rows that refer to it by Application CONTAINS Resource
UNWIND $keys[0] AS key
MATCH (end:Application {key: key})
USING INDEX SEEK end:Application(key)
MATCH (end)-[:CONTAINS]->(row)
WHERE 'Resource' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalUser: rows that refer to it by LocalUser HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalUser {key: key})
USING INDEX SEEK end:LocalUser(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalUser: rows that refer to it by LocalUser HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalUser {key: key})
USING INDEX SEEK end:LocalUser(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalGroup: rows that refer to it by LocalUser MEMBER_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE 'LocalUser' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalGroup: rows that refer to it by LocalGroup MEMBER_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE 'LocalGroup' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalGroup: rows that refer to it by LocalAgent MEMBER_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE 'LocalAgent' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalGroup: rows that refer to it by LocalGroup HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalGroup: rows that refer to it by LocalGroup HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalRole: rows that refer to it by LocalRole HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalRole: rows that refer to it by LocalRole HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalRole: rows that refer to it by RoleAssignment OF LocalRole
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (row)-[:OF]->(end)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalRole: rows that refer to it by LocalRole INCLUDES LocalRole
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (row)-[:INCLUDES]->(end)
WHERE 'LocalRole' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: AccessCredential: rows that refer to it by LocalUser HAS_CREDENTIAL AccessCredential
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (row)-[:HAS_CREDENTIAL]->(end)
WHERE 'LocalUser' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: AccessCredential: rows that refer to it by LocalAgent HAS_CREDENTIAL AccessCredential
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (row)-[:HAS_CREDENTIAL]->(end)
WHERE 'LocalAgent' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: AccessCredential: rows that refer to it by AccessCredential HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: AccessCredential: rows that refer to it by AccessCredential HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalAgent: rows that refer to it by LocalAgent HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalAgent {key: key})
USING INDEX SEEK end:LocalAgent(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalAgent: rows that refer to it by LocalAgent HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalAgent {key: key})
USING INDEX SEEK end:LocalAgent(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: LocalModel: rows that refer to it by LocalAgent USES_MODEL LocalModel
UNWIND $keys[0] AS key
MATCH (end:LocalModel {key: key})
USING INDEX SEEK end:LocalModel(key)
MATCH (row)-[:USES_MODEL]->(end)
WHERE 'LocalAgent' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Resource: rows that refer to it by Grant ON Resource
UNWIND $keys[0] AS key
MATCH (end:Resource {key: key})
USING INDEX SEEK end:Resource(key)
MATCH (row)-[:ON]->(end)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Resource: rows that refer to it by RoleAssignment ON Resource
UNWIND $keys[0] AS key
MATCH (end:Resource {key: key})
USING INDEX SEEK end:Resource(key)
MATCH (row)-[:ON]->(end)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Resource: rows that refer to it by Resource CONTAINS Resource
UNWIND $keys[0] AS key
MATCH (end:Resource {key: key})
USING INDEX SEEK end:Resource(key)
MATCH (end)-[:CONTAINS]->(row)
WHERE 'Resource' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Permission: rows that refer to it by Grant OF Permission
UNWIND $keys[0] AS key
MATCH (end:Permission {key: key})
USING INDEX SEEK end:Permission(key)
MATCH (row)-[:OF]->(end)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Permission: rows that refer to it by LocalRole ALLOWS Permission
UNWIND $keys[0] AS key
MATCH (end:Permission {key: key})
USING INDEX SEEK end:Permission(key)
MATCH (row)-[:ALLOWS]->(end)
WHERE 'LocalRole' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Employee: rows that refer to it by Employee MANAGED_BY Employee
UNWIND $keys[0] AS key
MATCH (end:Employee {key: key})
USING INDEX SEEK end:Employee(key)
MATCH (row)-[:MANAGED_BY]->(end)
WHERE 'Employee' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: HrisGroup: rows that refer to it by Employee MEMBER_OF HrisGroup
UNWIND $keys[0] AS key
MATCH (end:HrisGroup {key: key})
USING INDEX SEEK end:HrisGroup(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE 'Employee' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: HrisGroup: rows that refer to it by Employee IN_DEPARTMENT HrisGroup
UNWIND $keys[0] AS key
MATCH (end:HrisGroup {key: key})
USING INDEX SEEK end:HrisGroup(key)
MATCH (row)-[:IN_DEPARTMENT]->(end)
WHERE 'Employee' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: HrisGroup: rows that refer to it by Employee IN_COST_CENTER HrisGroup
UNWIND $keys[0] AS key
MATCH (end:HrisGroup {key: key})
USING INDEX SEEK end:HrisGroup(key)
MATCH (row)-[:IN_COST_CENTER]->(end)
WHERE 'Employee' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by Identity IDENTITY_OF LocalUser
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[:IDENTITY_OF]->(row)
WHERE 'LocalUser' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by Identity IDENTITY_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[:IDENTITY_OF]->(row)
WHERE 'LocalGroup' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by Identity HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'Grant' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by Identity HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by Application OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'Application' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by LocalUser OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'LocalUser' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by LocalGroup OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'LocalGroup' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by LocalRole OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'LocalRole' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by AccessCredential OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'AccessCredential' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by LocalAgent OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'LocalAgent' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by LocalModel OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'LocalModel' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Identity: rows that refer to it by Resource OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE 'Resource' IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Grant: rows without their long lists
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})
USING INDEX SEEK n:Grant(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalUser' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalAgent' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OF]->(m) WHERE 'Permission' IN labels(m) | m.key]
]]) AS rows;

// Increment: Grant ON Application: those of these that stand
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
RETURN collect(pair) AS found;

// Increment: Grant ON Application: whole lists
UNWIND $keys[0] AS key
MATCH (row:Grant {key: key})
USING INDEX SEEK row:Grant(key)
RETURN key, [(row)-[:ON]->(end) WHERE 'Application' IN labels(end) | end.key] AS found;

// Increment: Grant ON Resource: those of these that stand
UNWIND $pairs[0] AS pair
MATCH (a:Grant {key: pair[0]})
USING INDEX SEEK a:Grant(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
RETURN collect(pair) AS found;

// Increment: Grant ON Resource: whole lists
UNWIND $keys[0] AS key
MATCH (row:Grant {key: key})
USING INDEX SEEK row:Grant(key)
RETURN key, [(row)-[:ON]->(end) WHERE 'Resource' IN labels(end) | end.key] AS found;

// Increment: RoleAssignment: rows without their long lists
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})
USING INDEX SEEK n:RoleAssignment(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalUser' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalAgent' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OF]->(m) WHERE 'LocalRole' IN labels(m) | m.key]
]]) AS rows;

// Increment: RoleAssignment ON Application: those of these that stand
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Application {key: pair[1]})
USING INDEX SEEK b:Application(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
RETURN collect(pair) AS found;

// Increment: RoleAssignment ON Application: whole lists
UNWIND $keys[0] AS key
MATCH (row:RoleAssignment {key: key})
USING INDEX SEEK row:RoleAssignment(key)
RETURN key, [(row)-[:ON]->(end) WHERE 'Application' IN labels(end) | end.key] AS found;

// Increment: RoleAssignment ON Resource: those of these that stand
UNWIND $pairs[0] AS pair
MATCH (a:RoleAssignment {key: pair[0]})
USING INDEX SEEK a:RoleAssignment(key)
MATCH (b:Resource {key: pair[1]})
USING INDEX SEEK b:Resource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
RETURN collect(pair) AS found;

// Increment: RoleAssignment ON Resource: whole lists
UNWIND $keys[0] AS key
MATCH (row:RoleAssignment {key: key})
USING INDEX SEEK row:RoleAssignment(key)
RETURN key, [(row)-[:ON]->(end) WHERE 'Resource' IN labels(end) | end.key] AS found;

// Increment: resources below others
UNWIND $keys[0] AS key
MATCH (top:Resource {key: key})
USING INDEX SEEK top:Resource(key)
MATCH (top)-[:CONTAINS*1..]->(n:Resource)
RETURN collect([key, n.key]) AS found;

// Increment: resources of a type, with an id
MATCH (n:Resource)
USING INDEX SEEK n:Resource(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application AND n.fold_resource_type = $type AND n.id IS NOT NULL
RETURN n.key AS key LIMIT toInteger($most);

// Increment: resources of a type, without an id
MATCH (n:Resource)
USING INDEX SEEK n:Resource(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application AND n.fold_resource_type = $type AND n.id IS NULL
RETURN n.key AS key LIMIT toInteger($most);

// Lock a chunked push
MATCH (large:LargePush {key: $data_source})
SET large.lock = $push
RETURN large.key AS key;

// Begin a chunked push
MATCH (source:DataSource {key: $data_source})
SET source.status = 'PENDING', source.pending_push = $large.push, source.pending_total = $large.total, source.pending_done = 0.0, source.property_names = coalesce($property_names, source.property_names)
REMOVE source.lock, source.removal_allowed_until, source.pending_nodes_put, source.pending_relationships_put, source.pending_nodes_removed, source.pending_relationships_removed
MERGE (large:LargePush {key: $data_source})
SET large += $large, large.since = datetime(), large.is_counted = $is_counted
REMOVE large.tries, large.tried_at, large.retry_at;

// Go on with a chunked push
MATCH (large:LargePush {key: $data_source})
MATCH (source:DataSource {key: large.key})
WITH large, toInteger(10 * coalesce(source.pending_done, 0) / large.total) AS tenths
SET large.runner = $runner, large.since = datetime(),
  large.tries = CASE WHEN tenths > coalesce(large.tried_at, 0) THEN 1 ELSE coalesce(large.tries, 0) + 1 END,
  large.tried_at = CASE WHEN tenths > coalesce(large.tried_at, 0) THEN tenths ELSE coalesce(large.tried_at, 0) END
RETURN large.tries AS tries;

// Let nobody try a chunked push again for a while
MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
SET large.retry_at = datetime() + duration({seconds: $seconds}),
  large.tries = CASE WHEN $counts THEN large.tries ELSE large.tries - 1 END
RETURN coalesce(large.tries, 0) AS tries;

// Begin a chunk
MATCH (source:DataSource {key: $data_source})
SET source.lock = $runner,
  source.pending_nodes_put = coalesce(source.pending_nodes_put, 0) + $counts.nodes_put,
  source.pending_relationships_put = coalesce(source.pending_relationships_put, 0) + $counts.relationships_put,
  source.pending_nodes_removed = coalesce(source.pending_nodes_removed, 0) + $counts.nodes_removed,
  source.pending_relationships_removed = coalesce(source.pending_relationships_removed, 0) + $counts.relationships_removed
REMOVE source.lock;

// Who applies a chunked push
MATCH (large:LargePush {key: $data_source})
RETURN large.runner AS runner;

// Tell how far a chunked push is
MATCH (large:LargePush {key: $data_source})
WHERE large.runner = $runner
MATCH (source:DataSource {key: large.key})
SET source.pending_done = $done;

// End a chunked push
MATCH (source:DataSource {key: $data_source})
REMOVE source.pending_push, source.pending_total, source.pending_done, source.pending_nodes_put, source.pending_relationships_put, source.pending_nodes_removed, source.pending_relationships_removed
WITH source
MATCH (large:LargePush {key: source.key})
DELETE large;

// Count what a chunked push has written
MATCH (large:LargePush {key: $data_source})
MATCH (source:DataSource {key: large.key})
RETURN coalesce(large.is_counted, false) AS is_counted,
  coalesce(source.pending_nodes_put, 0) AS nodes_put,
  coalesce(source.pending_relationships_put, 0) AS relationships_put,
  coalesce(source.pending_nodes_removed, 0) AS nodes_removed,
  coalesce(source.pending_relationships_removed, 0) AS relationships_removed;

// Note that a failed push has written some rows
MATCH (source:DataSource {key: $data_source})
SET source.half_written_by = $push;

// Note that a push is replaced
MATCH (push:Push {key: $push})
SET push.outcome = 'replaced';

// Large pushes that are not finished
MATCH (large:LargePush)
WHERE large.since <= datetime() - duration({seconds: $seconds})
  AND (large.retry_at IS NULL OR large.retry_at <= datetime())
RETURN large.key AS key;

// Begin an upload
MATCH (source:DataSource {key: $data_source})
CREATE (upload:Upload {key: $upload, data_source: source.key, since: datetime(), bytes: $bytes})
RETURN upload.key AS key;

// Open uploads
OPTIONAL MATCH (:DataSource {key: $data_source})-[:FROM]->(:Provider)<-[:FROM]-(sibling:DataSource)
WITH collect(sibling.key) + [$data_source] AS ofProvider
MATCH (upload:Upload)
WHERE datetime() - duration({seconds: $seconds}) < upload.since <= datetime() AND upload.bytes IS NOT NULL
WITH upload.bytes AS bytes, upload.data_source = $data_source AS isOfDataSource, upload.data_source IN ofProvider AS isOfProvider
RETURN
  sum(CASE WHEN isOfDataSource THEN 1 ELSE 0 END) AS ofDataSource,
  sum(CASE WHEN isOfProvider THEN 1 ELSE 0 END) AS ofProvider,
  count(*) AS inAll,
  sum(CASE WHEN isOfDataSource THEN bytes ELSE 0 END) AS bytesOfDataSource,
  sum(CASE WHEN isOfProvider THEN bytes ELSE 0 END) AS bytesOfProvider,
  sum(bytes) AS bytesInAll;

// Lock an upload
MATCH (upload:Upload {key: $upload})
WHERE upload.data_source = $data_source
SET upload.lock = $upload
WITH upload
WHERE datetime() - duration({seconds: $seconds}) < upload.since <= datetime()
RETURN upload.key AS key;

// Received parts of an upload
MATCH (part:UploadPart)
WHERE part.key STARTS WITH $prefix
RETURN part.number AS number, part.bytes AS bytes, part.sha256 AS sha256, part.slices AS slices;

// Keep a part
MATCH (upload:Upload {key: $upload})
SET upload.bytes = upload.bytes + $bytes
CREATE (part:UploadPart)
SET part = $part;

// Keep a slice of a part
CREATE (:UploadSlice {key: $key, base64: $base64});

// A slice of a part
MATCH (slice:UploadSlice {key: $key})
RETURN slice.base64 AS base64;

// Whether an upload is open
MATCH (upload:Upload {key: $upload})
WHERE upload.since > datetime({epochSeconds: 0})
RETURN upload.key AS key;

// End an upload
MATCH (upload:Upload {key: $upload})
SET upload.since = datetime({epochSeconds: 0});

// Keep an upload until it is ended
MATCH (upload:Upload {key: $upload})
SET upload.since = datetime({year: 9999})
RETURN upload.key AS key;

// Uploads that may be removed
MATCH (upload:Upload)
WHERE upload.since <= datetime() - duration({seconds: $seconds})
RETURN upload.key AS key;

// Uploads of a data source
MATCH (upload:Upload {data_source: $data_source})
RETURN upload.key AS key;

// Remove slices of an upload
MATCH (slice:UploadSlice)
WHERE slice.key STARTS WITH $prefix
WITH slice
LIMIT $most
DELETE slice
RETURN count(*) AS removed;

// Remove parts of an upload
MATCH (part:UploadPart)
WHERE part.key STARTS WITH $prefix
DELETE part;

// Remove an upload
MATCH (upload:Upload {key: $upload})
DELETE upload;

// Verify: nodes that are not where rows are looked for
MATCH (n)
WHERE (n.data_source = $data_source OR toStringOrNull(n.key) STARTS WITH $prefix)
  AND NONE(label IN labels(n) WHERE label IN $kept)
WITH n, toStringOrNull(n.key) AS key
WITH n, key, CASE WHEN key STARTS WITH $prefix THEN split(key, '|')[1] END AS label, split(key, '|')[0] AS source
WHERE NOT coalesce(label IN $labels AND label IN labels(n), false)
  AND (label IS NOT NULL OR NOT EXISTS { (:DataSource {key: source}) })
RETURN elementId(n) AS id, key, label, labels(n) AS labels, n.row_hash IS NOT NULL OR n.since IS NOT NULL AS is_ours;

// Verify: remove these nodes
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
DETACH DELETE n;

// Verify: IdpDomain: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:IdpDomain {key: n.key}) }
SET n:IdpDomain
RETURN id;

// Verify: IdpDomain: a page
MATCH (n:IdpDomain)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: IdpDomain: restore
UNWIND $rows[0] AS row
MATCH (n:IdpDomain {key: row.key})
SET n += row.set
SET n:IdpDomain
REMOVE n:$(row.labels);

// Verify: IdpDomain: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:IdpDomain {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: IdpDomain: remove relationships
UNWIND $rows[0] AS row
MATCH (n:IdpDomain {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: IdpDomain: restore relationships
UNWIND $rows[0] AS row
MATCH (n:IdpDomain {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: IdpDomain: IdpDomain FROM DataSource found
UNWIND $keys[0] AS key
MATCH (a:IdpDomain {key: key})
MATCH (a)-[r:FROM]->(b:DataSource)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpDomain: IdpDomain TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:IdpDomain {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpDomain: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:IdpDomain {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: IdpUser: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:IdpUser {key: n.key}) }
SET n:IdpUser:Principal
RETURN id;

// Verify: IdpUser: a page
MATCH (n:IdpUser)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: IdpUser: restore
UNWIND $rows[0] AS row
MATCH (n:IdpUser {key: row.key})
SET n += row.set
SET n:IdpUser:Principal
REMOVE n:$(row.labels);

// Verify: IdpUser: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: IdpUser: remove relationships
UNWIND $rows[0] AS row
MATCH (n:IdpUser {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: IdpUser: restore relationships
UNWIND $rows[0] AS row
MATCH (n:IdpUser {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: IdpUser: IdpUser MEMBER_OF IdpGroup found
UNWIND $keys[0] AS key
MATCH (a:IdpUser {key: key})
MATCH (a)-[r:MEMBER_OF]->(b:IdpGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpUser: IdpUser OWNS ExternalEntity found
UNWIND $keys[0] AS key
MATCH (a:IdpUser {key: key})
MATCH (a)-[r:OWNS]->(b:ExternalEntity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpUser: IdpUser ASSIGNED_TO IdpApp found
UNWIND $keys[0] AS key
MATCH (a:IdpUser {key: key})
MATCH (a)-[r:ASSIGNED_TO]->(b:IdpApp)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpUser: IdpUser ASSUMES_ROLE CloudRole found
UNWIND $keys[0] AS key
MATCH (a:IdpUser {key: key})
MATCH (a)-[r:ASSUMES_ROLE]->(b:CloudRole)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpUser: IdpUser TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:IdpUser {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpUser: derived twice
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})-[r:KNOWN_AS|SOURCE_IDENTITY_OF|MANAGED_BY|HAS_ACCOUNT|RESOLVES_TO|SYSTEM_resource_managers]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: IdpUser: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: IdpGroup: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:IdpGroup {key: n.key}) }
SET n:IdpGroup:Principal
RETURN id;

// Verify: IdpGroup: a page
MATCH (n:IdpGroup)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: IdpGroup: restore
UNWIND $rows[0] AS row
MATCH (n:IdpGroup {key: row.key})
SET n += row.set
SET n:IdpGroup:Principal
REMOVE n:$(row.labels);

// Verify: IdpGroup: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: IdpGroup: remove relationships
UNWIND $rows[0] AS row
MATCH (n:IdpGroup {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: IdpGroup: restore relationships
UNWIND $rows[0] AS row
MATCH (n:IdpGroup {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: IdpGroup: IdpGroup MEMBER_OF IdpGroup found
UNWIND $keys[0] AS key
MATCH (a:IdpGroup {key: key})
MATCH (a)-[r:MEMBER_OF]->(b:IdpGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpGroup: IdpGroup OWNS ExternalEntity found
UNWIND $keys[0] AS key
MATCH (a:IdpGroup {key: key})
MATCH (a)-[r:OWNS]->(b:ExternalEntity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpGroup: IdpGroup ASSIGNED_TO IdpApp found
UNWIND $keys[0] AS key
MATCH (a:IdpGroup {key: key})
MATCH (a)-[r:ASSIGNED_TO]->(b:IdpApp)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpGroup: IdpGroup ASSUMES_ROLE CloudRole found
UNWIND $keys[0] AS key
MATCH (a:IdpGroup {key: key})
MATCH (a)-[r:ASSUMES_ROLE]->(b:CloudRole)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpGroup: IdpGroup TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:IdpGroup {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpGroup: derived twice
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})-[r:KNOWN_AS|SOURCE_IDENTITY_OF|RESOLVES_TO|SYSTEM_resource_managers]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: IdpGroup: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: IdpApp: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:IdpApp {key: n.key}) }
SET n:IdpApp
RETURN id;

// Verify: IdpApp: a page
MATCH (n:IdpApp)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: IdpApp: restore
UNWIND $rows[0] AS row
MATCH (n:IdpApp {key: row.key})
SET n += row.set
SET n:IdpApp
REMOVE n:$(row.labels);

// Verify: IdpApp: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:IdpApp {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: IdpApp: remove relationships
UNWIND $rows[0] AS row
MATCH (n:IdpApp {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: IdpApp: restore relationships
UNWIND $rows[0] AS row
MATCH (n:IdpApp {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: IdpApp: IdpApp ASSUMES_ROLE CloudRole found
UNWIND $keys[0] AS key
MATCH (a:IdpApp {key: key})
MATCH (a)-[r:ASSUMES_ROLE]->(b:CloudRole)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpApp: IdpApp TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:IdpApp {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IdpApp: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:IdpApp {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: Application: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:Application {key: n.key}) }
SET n:Application
RETURN id;

// Verify: Application: a page
MATCH (n:Application)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Application: restore
UNWIND $rows[0] AS row
MATCH (n:Application {key: row.key})
SET n += row.set
SET n:Application
REMOVE n:$(row.labels);

// Verify: Application: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: Application: remove relationships
UNWIND $rows[0] AS row
MATCH (n:Application {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: Application: restore relationships
UNWIND $rows[0] AS row
MATCH (n:Application {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: Application: Application OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:Application {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Application: Application FROM DataSource found
UNWIND $keys[0] AS key
MATCH (a:Application {key: key})
MATCH (a)-[r:FROM]->(b:DataSource)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Application: Application TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:Application {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Application: derived twice
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})-[r:RESOLVES_TO|SYSTEM_resource_managers|TAGGED]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: Application: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: LocalUser: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:LocalUser {key: n.key}) }
SET n:LocalUser:Principal
RETURN id;

// Verify: LocalUser: a page
MATCH (n:LocalUser)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: LocalUser: restore
UNWIND $rows[0] AS row
MATCH (n:LocalUser {key: row.key})
SET n += row.set
SET n:LocalUser:Principal
REMOVE n:$(row.labels);

// Verify: LocalUser: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: LocalUser: remove relationships
UNWIND $rows[0] AS row
MATCH (n:LocalUser {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: LocalUser: restore relationships
UNWIND $rows[0] AS row
MATCH (n:LocalUser {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: LocalUser: LocalUser MEMBER_OF LocalGroup found
UNWIND $keys[0] AS key
MATCH (a:LocalUser {key: key})
MATCH (a)-[r:MEMBER_OF]->(b:LocalGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalUser: Identity IDENTITY_OF LocalUser found
UNWIND $keys[0] AS key
MATCH (b:LocalUser {key: key})
MATCH (a:Identity)-[r:IDENTITY_OF]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalUser: LocalUser HAS_CREDENTIAL AccessCredential found
UNWIND $keys[0] AS key
MATCH (a:LocalUser {key: key})
MATCH (a)-[r:HAS_CREDENTIAL]->(b:AccessCredential)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalUser: LocalUser OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:LocalUser {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalUser: LocalUser TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:LocalUser {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalUser: derived twice
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})-[r:RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: LocalUser: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: LocalGroup: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:LocalGroup {key: n.key}) }
SET n:LocalGroup:Principal
RETURN id;

// Verify: LocalGroup: a page
MATCH (n:LocalGroup)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: LocalGroup: restore
UNWIND $rows[0] AS row
MATCH (n:LocalGroup {key: row.key})
SET n += row.set
SET n:LocalGroup:Principal
REMOVE n:$(row.labels);

// Verify: LocalGroup: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: LocalGroup: remove relationships
UNWIND $rows[0] AS row
MATCH (n:LocalGroup {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: LocalGroup: restore relationships
UNWIND $rows[0] AS row
MATCH (n:LocalGroup {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: LocalGroup: LocalGroup MEMBER_OF LocalGroup found
UNWIND $keys[0] AS key
MATCH (a:LocalGroup {key: key})
MATCH (a)-[r:MEMBER_OF]->(b:LocalGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalGroup: Identity IDENTITY_OF LocalGroup found
UNWIND $keys[0] AS key
MATCH (b:LocalGroup {key: key})
MATCH (a:Identity)-[r:IDENTITY_OF]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalGroup: LocalGroup OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:LocalGroup {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalGroup: LocalGroup TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:LocalGroup {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalGroup: derived twice
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})-[r:RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: LocalGroup: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: LocalRole: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:LocalRole {key: n.key}) }
SET n:LocalRole:Role:Principal
RETURN id;

// Verify: LocalRole: a page
MATCH (n:LocalRole)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: LocalRole: restore
UNWIND $rows[0] AS row
MATCH (n:LocalRole {key: row.key})
SET n += row.set
SET n:LocalRole:Role:Principal
REMOVE n:$(row.labels);

// Verify: LocalRole: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: LocalRole: remove relationships
UNWIND $rows[0] AS row
MATCH (n:LocalRole {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: LocalRole: restore relationships
UNWIND $rows[0] AS row
MATCH (n:LocalRole {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: LocalRole: LocalRole ALLOWS Permission found
UNWIND $keys[0] AS key
MATCH (a:LocalRole {key: key})
MATCH (a)-[r:ALLOWS]->(b:Permission)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalRole: LocalRole INCLUDES LocalRole found
UNWIND $keys[0] AS key
MATCH (a:LocalRole {key: key})
MATCH (a)-[r:INCLUDES]->(b:LocalRole)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalRole: LocalRole OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:LocalRole {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalRole: LocalRole TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:LocalRole {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalRole: derived twice
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})-[r:ACTS_AS|RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: LocalRole: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: AccessCredential: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:AccessCredential {key: n.key}) }
SET n:AccessCredential:Principal
RETURN id;

// Verify: AccessCredential: a page
MATCH (n:AccessCredential)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: AccessCredential: restore
UNWIND $rows[0] AS row
MATCH (n:AccessCredential {key: row.key})
SET n += row.set
SET n:AccessCredential:Principal
REMOVE n:$(row.labels);

// Verify: AccessCredential: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: AccessCredential: remove relationships
UNWIND $rows[0] AS row
MATCH (n:AccessCredential {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: AccessCredential: restore relationships
UNWIND $rows[0] AS row
MATCH (n:AccessCredential {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: AccessCredential: AccessCredential OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:AccessCredential {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: AccessCredential: AccessCredential TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:AccessCredential {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: AccessCredential: derived twice
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})-[r:RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: AccessCredential: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: LocalAgent: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:LocalAgent {key: n.key}) }
SET n:LocalAgent:Principal
RETURN id;

// Verify: LocalAgent: a page
MATCH (n:LocalAgent)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: LocalAgent: restore
UNWIND $rows[0] AS row
MATCH (n:LocalAgent {key: row.key})
SET n += row.set
SET n:LocalAgent:Principal
REMOVE n:$(row.labels);

// Verify: LocalAgent: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: LocalAgent: remove relationships
UNWIND $rows[0] AS row
MATCH (n:LocalAgent {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: LocalAgent: restore relationships
UNWIND $rows[0] AS row
MATCH (n:LocalAgent {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: LocalAgent: LocalAgent MEMBER_OF LocalGroup found
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
MATCH (a)-[r:MEMBER_OF]->(b:LocalGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalAgent: LocalAgent HAS_CREDENTIAL AccessCredential found
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
MATCH (a)-[r:HAS_CREDENTIAL]->(b:AccessCredential)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalAgent: LocalAgent USES_MODEL LocalModel found
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
MATCH (a)-[r:USES_MODEL]->(b:LocalModel)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalAgent: LocalAgent OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalAgent: LocalAgent TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:LocalAgent {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalAgent: derived twice
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})-[r:RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: LocalAgent: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: LocalModel: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:LocalModel {key: n.key}) }
SET n:LocalModel
RETURN id;

// Verify: LocalModel: a page
MATCH (n:LocalModel)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: LocalModel: restore
UNWIND $rows[0] AS row
MATCH (n:LocalModel {key: row.key})
SET n += row.set
SET n:LocalModel
REMOVE n:$(row.labels);

// Verify: LocalModel: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:LocalModel {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: LocalModel: remove relationships
UNWIND $rows[0] AS row
MATCH (n:LocalModel {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: LocalModel: restore relationships
UNWIND $rows[0] AS row
MATCH (n:LocalModel {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: LocalModel: LocalModel OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:LocalModel {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalModel: LocalModel TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:LocalModel {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: LocalModel: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:LocalModel {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: Resource: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:Resource {key: n.key}) }
SET n:Resource
RETURN id;

// Verify: Resource: a page
MATCH (n:Resource)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Resource: restore
UNWIND $rows[0] AS row
MATCH (n:Resource {key: row.key})
SET n += row.set
SET n:Resource
REMOVE n:$(row.labels);

// Verify: Resource: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: Resource: remove relationships
UNWIND $rows[0] AS row
MATCH (n:Resource {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: Resource: restore relationships
UNWIND $rows[0] AS row
MATCH (n:Resource {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: Resource: Application CONTAINS Resource found
UNWIND $keys[0] AS key
MATCH (b:Resource {key: key})
MATCH (a:Application)-[r:CONTAINS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Resource: Resource CONTAINS Resource found
UNWIND $keys[0] AS key
MATCH (b:Resource {key: key})
MATCH (a:Resource)-[r:CONTAINS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Resource: Resource CONNECTS_TO ExternalEntity found
UNWIND $keys[0] AS key
MATCH (a:Resource {key: key})
MATCH (a)-[r:CONNECTS_TO]->(b:ExternalEntity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Resource: Resource OWNED_BY Identity found
UNWIND $keys[0] AS key
MATCH (a:Resource {key: key})
MATCH (a)-[r:OWNED_BY]->(b:Identity)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Resource: Resource TAGGED Tag found
UNWIND $keys[0] AS key
MATCH (a:Resource {key: key})
MATCH (a)-[r:TAGGED]->(b:Tag)
WHERE r.derived IS NULL
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Resource: derived twice
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})-[r:RESOLVES_TO|SYSTEM_resource_managers|TAGGED]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: Resource: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: Permission: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:Permission {key: n.key}) }
SET n:Permission
RETURN id;

// Verify: Permission: a page
MATCH (n:Permission)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Permission: restore
UNWIND $rows[0] AS row
MATCH (n:Permission {key: row.key})
SET n += row.set
SET n:Permission
REMOVE n:$(row.labels);

// Verify: Permission: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:Permission {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: Permission: remove relationships
UNWIND $rows[0] AS row
MATCH (n:Permission {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: Permission: restore relationships
UNWIND $rows[0] AS row
MATCH (n:Permission {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: Permission: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:Permission {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: Grant: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:Grant {key: n.key}) }
SET n:Grant:Entitlement
RETURN id;

// Verify: Grant: a page
MATCH (n:Grant)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Grant: restore
UNWIND $rows[0] AS row
MATCH (n:Grant {key: row.key})
SET n += row.set
SET n:Grant:Entitlement
REMOVE n:$(row.labels);

// Verify: Grant: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: Grant: remove relationships
UNWIND $rows[0] AS row
MATCH (n:Grant {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: Grant: restore relationships
UNWIND $rows[0] AS row
MATCH (n:Grant {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: Grant: LocalUser HOLDS Grant found
UNWIND $keys[0] AS key
MATCH (b:Grant {key: key})
MATCH (a:LocalUser)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: LocalGroup HOLDS Grant found
UNWIND $keys[0] AS key
MATCH (b:Grant {key: key})
MATCH (a:LocalGroup)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: LocalRole HOLDS Grant found
UNWIND $keys[0] AS key
MATCH (b:Grant {key: key})
MATCH (a:LocalRole)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: AccessCredential HOLDS Grant found
UNWIND $keys[0] AS key
MATCH (b:Grant {key: key})
MATCH (a:AccessCredential)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: LocalAgent HOLDS Grant found
UNWIND $keys[0] AS key
MATCH (b:Grant {key: key})
MATCH (a:LocalAgent)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: Identity HOLDS Grant found
UNWIND $keys[0] AS key
MATCH (b:Grant {key: key})
MATCH (a:Identity)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: Grant OF Permission found
UNWIND $keys[0] AS key
MATCH (a:Grant {key: key})
MATCH (a)-[r:OF]->(b:Permission)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: Grant ON Application found
UNWIND $keys[0] AS key
MATCH (a:Grant {key: key})
MATCH (a)-[r:ON]->(b:Application)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: Grant ON Resource found
UNWIND $keys[0] AS key
MATCH (a:Grant {key: key})
MATCH (a)-[r:ON]->(b:Resource)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Grant: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: RoleAssignment: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:RoleAssignment {key: n.key}) }
SET n:RoleAssignment:Entitlement
RETURN id;

// Verify: RoleAssignment: a page
MATCH (n:RoleAssignment)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: RoleAssignment: restore
UNWIND $rows[0] AS row
MATCH (n:RoleAssignment {key: row.key})
SET n += row.set
SET n:RoleAssignment:Entitlement
REMOVE n:$(row.labels);

// Verify: RoleAssignment: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: RoleAssignment: remove relationships
UNWIND $rows[0] AS row
MATCH (n:RoleAssignment {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: RoleAssignment: restore relationships
UNWIND $rows[0] AS row
MATCH (n:RoleAssignment {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: RoleAssignment: LocalUser HOLDS RoleAssignment found
UNWIND $keys[0] AS key
MATCH (b:RoleAssignment {key: key})
MATCH (a:LocalUser)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: LocalGroup HOLDS RoleAssignment found
UNWIND $keys[0] AS key
MATCH (b:RoleAssignment {key: key})
MATCH (a:LocalGroup)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: LocalRole HOLDS RoleAssignment found
UNWIND $keys[0] AS key
MATCH (b:RoleAssignment {key: key})
MATCH (a:LocalRole)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: AccessCredential HOLDS RoleAssignment found
UNWIND $keys[0] AS key
MATCH (b:RoleAssignment {key: key})
MATCH (a:AccessCredential)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: LocalAgent HOLDS RoleAssignment found
UNWIND $keys[0] AS key
MATCH (b:RoleAssignment {key: key})
MATCH (a:LocalAgent)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: Identity HOLDS RoleAssignment found
UNWIND $keys[0] AS key
MATCH (b:RoleAssignment {key: key})
MATCH (a:Identity)-[r:HOLDS]->(b)
RETURN key, a.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: RoleAssignment OF LocalRole found
UNWIND $keys[0] AS key
MATCH (a:RoleAssignment {key: key})
MATCH (a)-[r:OF]->(b:LocalRole)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: RoleAssignment ON Application found
UNWIND $keys[0] AS key
MATCH (a:RoleAssignment {key: key})
MATCH (a)-[r:ON]->(b:Application)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: RoleAssignment ON Resource found
UNWIND $keys[0] AS key
MATCH (a:RoleAssignment {key: key})
MATCH (a)-[r:ON]->(b:Resource)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: RoleAssignment: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: HrisSystem: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:HrisSystem {key: n.key}) }
SET n:HrisSystem
RETURN id;

// Verify: HrisSystem: a page
MATCH (n:HrisSystem)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: HrisSystem: restore
UNWIND $rows[0] AS row
MATCH (n:HrisSystem {key: row.key})
SET n += row.set
SET n:HrisSystem
REMOVE n:$(row.labels);

// Verify: HrisSystem: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:HrisSystem {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: HrisSystem: remove relationships
UNWIND $rows[0] AS row
MATCH (n:HrisSystem {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: HrisSystem: restore relationships
UNWIND $rows[0] AS row
MATCH (n:HrisSystem {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: HrisSystem: HrisSystem FROM DataSource found
UNWIND $keys[0] AS key
MATCH (a:HrisSystem {key: key})
MATCH (a)-[r:FROM]->(b:DataSource)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: HrisSystem: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:HrisSystem {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: Employee: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:Employee {key: n.key}) }
SET n:Employee:Principal
RETURN id;

// Verify: Employee: a page
MATCH (n:Employee)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Employee: restore
UNWIND $rows[0] AS row
MATCH (n:Employee {key: row.key})
SET n += row.set
SET n:Employee:Principal
REMOVE n:$(row.labels);

// Verify: Employee: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: Employee: remove relationships
UNWIND $rows[0] AS row
MATCH (n:Employee {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: Employee: restore relationships
UNWIND $rows[0] AS row
MATCH (n:Employee {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: Employee: Employee MEMBER_OF HrisGroup found
UNWIND $keys[0] AS key
MATCH (a:Employee {key: key})
MATCH (a)-[r:MEMBER_OF]->(b:HrisGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Employee: Employee MANAGED_BY Employee found
UNWIND $keys[0] AS key
MATCH (a:Employee {key: key})
MATCH (a)-[r:MANAGED_BY]->(b:Employee)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Employee: Employee IN_DEPARTMENT HrisGroup found
UNWIND $keys[0] AS key
MATCH (a:Employee {key: key})
MATCH (a)-[r:IN_DEPARTMENT]->(b:HrisGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Employee: Employee IN_COST_CENTER HrisGroup found
UNWIND $keys[0] AS key
MATCH (a:Employee {key: key})
MATCH (a)-[r:IN_COST_CENTER]->(b:HrisGroup)
RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: Employee: derived twice
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})-[r:HAS_ACCOUNT]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: Employee: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: HrisGroup: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { (:HrisGroup {key: n.key}) }
SET n:HrisGroup
RETURN id;

// Verify: HrisGroup: a page
MATCH (n:HrisGroup)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: HrisGroup: restore
UNWIND $rows[0] AS row
MATCH (n:HrisGroup {key: row.key})
SET n += row.set
SET n:HrisGroup
REMOVE n:$(row.labels);

// Verify: HrisGroup: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:HrisGroup {key: key})-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: HrisGroup: remove relationships
UNWIND $rows[0] AS row
MATCH (n:HrisGroup {key: row.key})-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: HrisGroup: restore relationships
UNWIND $rows[0] AS row
MATCH (n:HrisGroup {key: row.key})-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: HrisGroup: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:HrisGroup {key: key})-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: paths of resources
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
MATCH path = (:Application)-[:CONTAINS*1..]->(n)
RETURN key, [step IN tail(nodes(path)) | step.name] AS names, [step IN tail(nodes(path)) | coalesce(step.id, step.name)] AS ids;

// Verify: Identity: found
UNWIND $keys[0] AS key
MATCH (n:Identity {key: key})
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Identity: restore
UNWIND $rows[0] AS row
MATCH (n:Identity {key: row.key})
SET n += row.set
SET n:Identity:Principal
REMOVE n:$(row.labels);

// Verify: Identity: what nothing states
MATCH (n:Identity)
WHERE NOT EXISTS { (n)<-[:OWNED_BY]-() } AND NOT EXISTS { (n)-[:IDENTITY_OF|HOLDS]->() }
RETURN n.key AS key;

// Verify: CloudRole: found
UNWIND $keys[0] AS key
MATCH (n:CloudRole {key: key})
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: CloudRole: restore
UNWIND $rows[0] AS row
MATCH (n:CloudRole {key: row.key})
SET n += row.set
SET n:CloudRole:Role
REMOVE n:$(row.labels);

// Verify: CloudRole: what nothing states
MATCH (n:CloudRole)
WHERE NOT EXISTS { (n)<-[:ASSUMES_ROLE]-() }
RETURN n.key AS key;

// Verify: ExternalEntity: found
UNWIND $keys[0] AS key
MATCH (n:ExternalEntity {key: key})
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: ExternalEntity: restore
UNWIND $rows[0] AS row
MATCH (n:ExternalEntity {key: row.key})
SET n += row.set
SET n:ExternalEntity
REMOVE n:$(row.labels);

// Verify: ExternalEntity: what nothing states
MATCH (n:ExternalEntity)
WHERE NOT EXISTS { (n)<-[:OWNS|CONNECTS_TO]-() }
RETURN n.key AS key;

// Verify: Tag: found
UNWIND $keys[0] AS key
MATCH (n:Tag {key: key})
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: Tag: restore
UNWIND $rows[0] AS row
MATCH (n:Tag {key: row.key})
SET n += row.set
SET n:Tag
REMOVE n:$(row.labels);

// Verify: Tag: what nothing states
MATCH (n:Tag)
WHERE NOT EXISTS { (n)<-[:TAGGED]-() }
RETURN n.key AS key;

// Verify: IdpUser KNOWN_AS: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:IdpUser {key: pair[0]})-[r:KNOWN_AS]->(other)
USING INDEX SEEK start:IdpUser(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: IdpGroup KNOWN_AS: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:IdpGroup {key: pair[0]})-[r:KNOWN_AS]->(other)
USING INDEX SEEK start:IdpGroup(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: IdpUser SOURCE_IDENTITY_OF: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:IdpUser {key: pair[0]})-[r:SOURCE_IDENTITY_OF]->(other)
USING INDEX SEEK start:IdpUser(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: IdpGroup SOURCE_IDENTITY_OF: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:IdpGroup {key: pair[0]})-[r:SOURCE_IDENTITY_OF]->(other)
USING INDEX SEEK start:IdpGroup(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: IdpUser MANAGED_BY: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:IdpUser {key: pair[0]})-[r:MANAGED_BY]->(other)
USING INDEX SEEK start:IdpUser(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: Employee HAS_ACCOUNT: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Employee {key: pair[0]})-[r:HAS_ACCOUNT]->(other)
USING INDEX SEEK start:Employee(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: CloudRole ACTS_AS: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:CloudRole {key: pair[0]})-[r:ACTS_AS]->(other)
USING INDEX SEEK start:CloudRole(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: ExternalEntity RESOLVES_TO: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:ExternalEntity {key: pair[0]})-[r:RESOLVES_TO]->(other)
USING INDEX SEEK start:ExternalEntity(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: Resource SYSTEM_resource_managers: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Resource {key: pair[0]})-[r:SYSTEM_resource_managers]->(other)
USING INDEX SEEK start:Resource(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: Resource TAGGED: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Resource {key: pair[0]})-[r:TAGGED]->(other)
USING INDEX SEEK start:Resource(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: Application SYSTEM_resource_managers: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Application {key: pair[0]})-[r:SYSTEM_resource_managers]->(other)
USING INDEX SEEK start:Application(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: Application TAGGED: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Application {key: pair[0]})-[r:TAGGED]->(other)
USING INDEX SEEK start:Application(key)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: Resource, IdpUser: who should manage, by managed
UNWIND $keys[0] AS key
MATCH (managed:Resource {key: key})
MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager:IdpUser)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpUser: who manages, by managed
UNWIND $keys[0] AS key
MATCH (managed:Resource {key: key})
MATCH (managed)-[:SYSTEM_resource_managers]->(manager:IdpUser)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpUser: who should manage, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpUser {key: key})
MATCH (managed:Resource)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpUser: who manages, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpUser {key: key})
MATCH (managed:Resource)-[:SYSTEM_resource_managers]->(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpGroup: who should manage, by managed
UNWIND $keys[0] AS key
MATCH (managed:Resource {key: key})
MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager:IdpGroup)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpGroup: who manages, by managed
UNWIND $keys[0] AS key
MATCH (managed:Resource {key: key})
MATCH (managed)-[:SYSTEM_resource_managers]->(manager:IdpGroup)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpGroup: who should manage, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpGroup {key: key})
MATCH (managed:Resource)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource, IdpGroup: who manages, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpGroup {key: key})
MATCH (managed:Resource)-[:SYSTEM_resource_managers]->(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Resource: managers' tags
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})-[r:TAGGED]->(tag:Tag)
WHERE r.derived IS NOT NULL
RETURN DISTINCT key AS managed, tag.key AS tag, tag.value AS id;

// Verify: Application, IdpUser: who should manage, by managed
UNWIND $keys[0] AS key
MATCH (managed:Application {key: key})
MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager:IdpUser)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpUser: who manages, by managed
UNWIND $keys[0] AS key
MATCH (managed:Application {key: key})
MATCH (managed)-[:SYSTEM_resource_managers]->(manager:IdpUser)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpUser: who should manage, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpUser {key: key})
MATCH (managed:Application)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpUser: who manages, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpUser {key: key})
MATCH (managed:Application)-[:SYSTEM_resource_managers]->(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpGroup: who should manage, by managed
UNWIND $keys[0] AS key
MATCH (managed:Application {key: key})
MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager:IdpGroup)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpGroup: who manages, by managed
UNWIND $keys[0] AS key
MATCH (managed:Application {key: key})
MATCH (managed)-[:SYSTEM_resource_managers]->(manager:IdpGroup)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpGroup: who should manage, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpGroup {key: key})
MATCH (managed:Application)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application, IdpGroup: who manages, by manager
UNWIND $keys[0] AS key
MATCH (manager:IdpGroup {key: key})
MATCH (managed:Application)-[:SYSTEM_resource_managers]->(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: Application: managers' tags
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})-[r:TAGGED]->(tag:Tag)
WHERE r.derived IS NOT NULL
RETURN DISTINCT key AS managed, tag.key AS tag, tag.value AS id;

// Verify: correct the data source
MATCH (source:DataSource {key: $data_source})
SET source.digest = $digest, source.rows = $rows
REMOVE source.lock;

// Events, newest first
MATCH (n:Event)
WHERE n.timestamp <= $time AND (n.timestamp < $time OR n.key < $key)
WITH n
ORDER BY n.timestamp DESC, n.key DESC
LIMIT $most
RETURN properties(n) AS properties;

// Events, oldest first
MATCH (n:Event)
WHERE n.timestamp >= $time AND (n.timestamp > $time OR n.key > $key)
WITH n
ORDER BY n.timestamp ASC, n.key ASC
LIMIT $most
RETURN properties(n) AS properties;

// Events of some providers, newest first
MATCH (n:Event)
WHERE n.timestamp <= $time AND (n.timestamp < $time OR n.key < $key) AND n.provider_id IN $providers AND n.event_type IN $types
WITH n
ORDER BY n.timestamp DESC, n.key DESC
LIMIT $most
RETURN properties(n) AS properties;

// The newest place in the live stream
WITH EXISTS { MATCH (event:Event {unplaced: true}) } AS isOneWaiting
OPTIONAL MATCH (order:EventOrder {key: 'events'})
RETURN coalesce(order.places, 0) AS newest, isOneWaiting;

// Lock the places of events
MERGE (order:EventOrder {key: 'events'})
SET order.lock = true;

// Give events their places
MATCH (event:Event {unplaced: true})
WITH event
ORDER BY event.timestamp, event.key
LIMIT $most
WITH collect(event) AS events
MATCH (order:EventOrder {key: 'events'})
WITH order, events, coalesce(order.places, 0) AS before
SET order.places = before + size(events)
WITH events, before
UNWIND range(1, size(events)) AS at
WITH events[at - 1] AS event, before + at AS place
SET event.place = place
REMOVE event.unplaced;

// Events by their places
MATCH (n:Event)
WHERE n.place > $after AND n.place <= $newest
WITH n
ORDER BY n.place
LIMIT $most
RETURN n.place AS place, properties(n) AS properties;

// Events of some providers by their places
MATCH (n:Event)
WHERE n.place > $after AND n.place <= $newest AND n.provider_id IN $providers AND n.event_type IN $types
WITH n
ORDER BY n.place
LIMIT $most
RETURN n.place AS place, properties(n) AS properties;

// Erase: count chunked pushes
MATCH (large:LargePush)
RETURN count(large) AS number;

// Erase: people
UNWIND $keys[0] AS key
MATCH (n:IdpUser|Employee|LocalUser|Identity {key: key})
RETURN key, [label IN labels(n) WHERE label IN ['IdpUser','Employee','LocalUser','Identity']][0] AS label, properties(n) AS properties;

// Erase: what belongs to people
UNWIND $keys[0] AS key
MATCH (n:IdpUser|Employee|LocalUser|Identity {key: key})-[r:HAS_ACCOUNT|SOURCE_IDENTITY_OF|KNOWN_AS|IDENTITY_OF]-(other:IdpUser|Employee|LocalUser|Identity|IdpGroup)
RETURN key, type(r) AS type, other.key AS other, labels(other) AS labels, r.since AS since;

// Erase: what resolves to people
UNWIND $keys[0] AS key
MATCH (:IdpUser|Employee|LocalUser|Identity {key: key})<-[:RESOLVES_TO]-(entity:ExternalEntity)
WITH DISTINCT entity
MATCH (entity)-[:RESOLVES_TO]->(end)
RETURN entity.key AS entity, collect(end.key) AS ends;

// Erase: versions of nodes
UNWIND $keys[0] AS key
MATCH (past:PastNode {key: key})
USING INDEX SEEK past:PastNode(key, until)
WHERE past.until IS NOT NULL
RETURN elementId(past) AS id, properties(past) AS properties;

// Erase: ended relationships, 1
UNWIND $keys[0] AS key
MATCH (past:PastRelationship {start: key})
USING INDEX SEEK past:PastRelationship(start, until)
WHERE past.until IS NOT NULL
RETURN elementId(past) AS id, properties(past) AS properties;

// Erase: ended relationships, 2
UNWIND $keys[0] AS key
MATCH (past:PastRelationship {end: key})
USING INDEX SEEK past:PastRelationship(end, until)
WHERE past.until IS NOT NULL
RETURN elementId(past) AS id, properties(past) AS properties;

// Erase: remove ended facts
UNWIND $ids[0] AS id
MATCH (past:Past)
WHERE elementId(past) = id
DELETE past;

// Erase: change ended facts
UNWIND $rows[0] AS row
MATCH (past:Past)
WHERE elementId(past) = row.id
SET past += row.set;

// Erase: who states IdpUser MEMBER_OF IdpGroup
UNWIND $keys[0] AS key
MATCH (end:IdpGroup {key: key})
USING INDEX SEEK end:IdpGroup(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE 'IdpUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpGroup MEMBER_OF IdpGroup
UNWIND $keys[0] AS key
MATCH (end:IdpGroup {key: key})
USING INDEX SEEK end:IdpGroup(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE 'IdpGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalUser MEMBER_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE 'LocalUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalGroup MEMBER_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE 'LocalGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent MEMBER_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE 'LocalAgent' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Employee MEMBER_OF HrisGroup
UNWIND $keys[0] AS key
MATCH (end:HrisGroup {key: key})
USING INDEX SEEK end:HrisGroup(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE 'Employee' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Identity IDENTITY_OF LocalUser
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[r:IDENTITY_OF]->(row)
WHERE 'LocalUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Identity IDENTITY_OF LocalGroup
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[r:IDENTITY_OF]->(row)
WHERE 'LocalGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpUser OWNS ExternalEntity
UNWIND $keys[0] AS key
MATCH (end:ExternalEntity {key: key})
USING INDEX SEEK end:ExternalEntity(key)
MATCH (row)-[r:OWNS]->(end)
WHERE 'IdpUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpGroup OWNS ExternalEntity
UNWIND $keys[0] AS key
MATCH (end:ExternalEntity {key: key})
USING INDEX SEEK end:ExternalEntity(key)
MATCH (row)-[r:OWNS]->(end)
WHERE 'IdpGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpUser ASSIGNED_TO IdpApp
UNWIND $keys[0] AS key
MATCH (end:IdpApp {key: key})
USING INDEX SEEK end:IdpApp(key)
MATCH (row)-[r:ASSIGNED_TO]->(end)
WHERE 'IdpUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpGroup ASSIGNED_TO IdpApp
UNWIND $keys[0] AS key
MATCH (end:IdpApp {key: key})
USING INDEX SEEK end:IdpApp(key)
MATCH (row)-[r:ASSIGNED_TO]->(end)
WHERE 'IdpGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpUser ASSUMES_ROLE CloudRole
UNWIND $keys[0] AS key
MATCH (end:CloudRole {key: key})
USING INDEX SEEK end:CloudRole(key)
MATCH (row)-[r:ASSUMES_ROLE]->(end)
WHERE 'IdpUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpGroup ASSUMES_ROLE CloudRole
UNWIND $keys[0] AS key
MATCH (end:CloudRole {key: key})
USING INDEX SEEK end:CloudRole(key)
MATCH (row)-[r:ASSUMES_ROLE]->(end)
WHERE 'IdpGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpApp ASSUMES_ROLE CloudRole
UNWIND $keys[0] AS key
MATCH (end:CloudRole {key: key})
USING INDEX SEEK end:CloudRole(key)
MATCH (row)-[r:ASSUMES_ROLE]->(end)
WHERE 'IdpApp' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalUser HAS_CREDENTIAL AccessCredential
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (row)-[r:HAS_CREDENTIAL]->(end)
WHERE 'LocalUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent HAS_CREDENTIAL AccessCredential
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (row)-[r:HAS_CREDENTIAL]->(end)
WHERE 'LocalAgent' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent USES_MODEL LocalModel
UNWIND $keys[0] AS key
MATCH (end:LocalModel {key: key})
USING INDEX SEEK end:LocalModel(key)
MATCH (row)-[r:USES_MODEL]->(end)
WHERE 'LocalAgent' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalUser HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalUser {key: key})
USING INDEX SEEK end:LocalUser(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalGroup HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalRole HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states AccessCredential HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:LocalAgent {key: key})
USING INDEX SEEK end:LocalAgent(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Identity HOLDS Grant
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalUser HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalUser {key: key})
USING INDEX SEEK end:LocalUser(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalGroup HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalGroup {key: key})
USING INDEX SEEK end:LocalGroup(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalRole HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states AccessCredential HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:AccessCredential {key: key})
USING INDEX SEEK end:AccessCredential(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:LocalAgent {key: key})
USING INDEX SEEK end:LocalAgent(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Identity HOLDS RoleAssignment
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Grant OF Permission
UNWIND $keys[0] AS key
MATCH (end:Permission {key: key})
USING INDEX SEEK end:Permission(key)
MATCH (row)-[r:OF]->(end)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states RoleAssignment OF LocalRole
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (row)-[r:OF]->(end)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Grant ON Application
UNWIND $keys[0] AS key
MATCH (end:Application {key: key})
USING INDEX SEEK end:Application(key)
MATCH (row)-[r:ON]->(end)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Grant ON Resource
UNWIND $keys[0] AS key
MATCH (end:Resource {key: key})
USING INDEX SEEK end:Resource(key)
MATCH (row)-[r:ON]->(end)
WHERE 'Grant' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states RoleAssignment ON Application
UNWIND $keys[0] AS key
MATCH (end:Application {key: key})
USING INDEX SEEK end:Application(key)
MATCH (row)-[r:ON]->(end)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states RoleAssignment ON Resource
UNWIND $keys[0] AS key
MATCH (end:Resource {key: key})
USING INDEX SEEK end:Resource(key)
MATCH (row)-[r:ON]->(end)
WHERE 'RoleAssignment' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalRole ALLOWS Permission
UNWIND $keys[0] AS key
MATCH (end:Permission {key: key})
USING INDEX SEEK end:Permission(key)
MATCH (row)-[r:ALLOWS]->(end)
WHERE 'LocalRole' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalRole INCLUDES LocalRole
UNWIND $keys[0] AS key
MATCH (end:LocalRole {key: key})
USING INDEX SEEK end:LocalRole(key)
MATCH (row)-[r:INCLUDES]->(end)
WHERE 'LocalRole' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Application CONTAINS Resource
UNWIND $keys[0] AS key
MATCH (end:Application {key: key})
USING INDEX SEEK end:Application(key)
MATCH (end)-[r:CONTAINS]->(row)
WHERE 'Resource' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Resource CONTAINS Resource
UNWIND $keys[0] AS key
MATCH (end:Resource {key: key})
USING INDEX SEEK end:Resource(key)
MATCH (end)-[r:CONTAINS]->(row)
WHERE 'Resource' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Resource CONNECTS_TO ExternalEntity
UNWIND $keys[0] AS key
MATCH (end:ExternalEntity {key: key})
USING INDEX SEEK end:ExternalEntity(key)
MATCH (row)-[r:CONNECTS_TO]->(end)
WHERE 'Resource' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Application OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'Application' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalUser OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'LocalUser' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalGroup OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'LocalGroup' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalRole OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'LocalRole' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states AccessCredential OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'AccessCredential' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'LocalAgent' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalModel OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'LocalModel' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Resource OWNED_BY Identity
UNWIND $keys[0] AS key
MATCH (end:Identity {key: key})
USING INDEX SEEK end:Identity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE 'Resource' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Employee MANAGED_BY Employee
UNWIND $keys[0] AS key
MATCH (end:Employee {key: key})
USING INDEX SEEK end:Employee(key)
MATCH (row)-[r:MANAGED_BY]->(end)
WHERE 'Employee' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Employee IN_DEPARTMENT HrisGroup
UNWIND $keys[0] AS key
MATCH (end:HrisGroup {key: key})
USING INDEX SEEK end:HrisGroup(key)
MATCH (row)-[r:IN_DEPARTMENT]->(end)
WHERE 'Employee' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Employee IN_COST_CENTER HrisGroup
UNWIND $keys[0] AS key
MATCH (end:HrisGroup {key: key})
USING INDEX SEEK end:HrisGroup(key)
MATCH (row)-[r:IN_COST_CENTER]->(end)
WHERE 'Employee' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpDomain FROM DataSource
UNWIND $keys[0] AS key
MATCH (end:DataSource {key: key})
USING INDEX SEEK end:DataSource(key)
MATCH (row)-[r:FROM]->(end)
WHERE 'IdpDomain' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Application FROM DataSource
UNWIND $keys[0] AS key
MATCH (end:DataSource {key: key})
USING INDEX SEEK end:DataSource(key)
MATCH (row)-[r:FROM]->(end)
WHERE 'Application' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states HrisSystem FROM DataSource
UNWIND $keys[0] AS key
MATCH (end:DataSource {key: key})
USING INDEX SEEK end:DataSource(key)
MATCH (row)-[r:FROM]->(end)
WHERE 'HrisSystem' IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpDomain TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'IdpDomain' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpUser TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'IdpUser' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpGroup TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'IdpGroup' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IdpApp TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'IdpApp' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Application TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'Application' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalUser TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'LocalUser' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalGroup TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'LocalGroup' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalRole TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'LocalRole' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states AccessCredential TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'AccessCredential' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalAgent TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'LocalAgent' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states LocalModel TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'LocalModel' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states Resource TAGGED Tag
UNWIND $keys[0] AS key
MATCH (end:Tag {key: key})
USING INDEX SEEK end:Tag(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE 'Resource' IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: IdpDomain: when rows changed
UNWIND $keys[0] AS key
MATCH (n:IdpDomain {key: key})
USING INDEX SEEK n:IdpDomain(key)
RETURN key, n.changed AS changed;

// Erase: IdpUser: when rows changed
UNWIND $keys[0] AS key
MATCH (n:IdpUser {key: key})
USING INDEX SEEK n:IdpUser(key)
RETURN key, n.changed AS changed;

// Erase: IdpGroup: when rows changed
UNWIND $keys[0] AS key
MATCH (n:IdpGroup {key: key})
USING INDEX SEEK n:IdpGroup(key)
RETURN key, n.changed AS changed;

// Erase: IdpApp: when rows changed
UNWIND $keys[0] AS key
MATCH (n:IdpApp {key: key})
USING INDEX SEEK n:IdpApp(key)
RETURN key, n.changed AS changed;

// Erase: Application: when rows changed
UNWIND $keys[0] AS key
MATCH (n:Application {key: key})
USING INDEX SEEK n:Application(key)
RETURN key, n.changed AS changed;

// Erase: LocalUser: when rows changed
UNWIND $keys[0] AS key
MATCH (n:LocalUser {key: key})
USING INDEX SEEK n:LocalUser(key)
RETURN key, n.changed AS changed;

// Erase: LocalGroup: when rows changed
UNWIND $keys[0] AS key
MATCH (n:LocalGroup {key: key})
USING INDEX SEEK n:LocalGroup(key)
RETURN key, n.changed AS changed;

// Erase: LocalRole: when rows changed
UNWIND $keys[0] AS key
MATCH (n:LocalRole {key: key})
USING INDEX SEEK n:LocalRole(key)
RETURN key, n.changed AS changed;

// Erase: AccessCredential: when rows changed
UNWIND $keys[0] AS key
MATCH (n:AccessCredential {key: key})
USING INDEX SEEK n:AccessCredential(key)
RETURN key, n.changed AS changed;

// Erase: LocalAgent: when rows changed
UNWIND $keys[0] AS key
MATCH (n:LocalAgent {key: key})
USING INDEX SEEK n:LocalAgent(key)
RETURN key, n.changed AS changed;

// Erase: LocalModel: when rows changed
UNWIND $keys[0] AS key
MATCH (n:LocalModel {key: key})
USING INDEX SEEK n:LocalModel(key)
RETURN key, n.changed AS changed;

// Erase: Resource: when rows changed
UNWIND $keys[0] AS key
MATCH (n:Resource {key: key})
USING INDEX SEEK n:Resource(key)
RETURN key, n.changed AS changed;

// Erase: Permission: when rows changed
UNWIND $keys[0] AS key
MATCH (n:Permission {key: key})
USING INDEX SEEK n:Permission(key)
RETURN key, n.changed AS changed;

// Erase: Grant: when rows changed
UNWIND $keys[0] AS key
MATCH (n:Grant {key: key})
USING INDEX SEEK n:Grant(key)
RETURN key, n.changed AS changed;

// Erase: RoleAssignment: when rows changed
UNWIND $keys[0] AS key
MATCH (n:RoleAssignment {key: key})
USING INDEX SEEK n:RoleAssignment(key)
RETURN key, n.changed AS changed;

// Erase: HrisSystem: when rows changed
UNWIND $keys[0] AS key
MATCH (n:HrisSystem {key: key})
USING INDEX SEEK n:HrisSystem(key)
RETURN key, n.changed AS changed;

// Erase: Employee: when rows changed
UNWIND $keys[0] AS key
MATCH (n:Employee {key: key})
USING INDEX SEEK n:Employee(key)
RETURN key, n.changed AS changed;

// Erase: HrisGroup: when rows changed
UNWIND $keys[0] AS key
MATCH (n:HrisGroup {key: key})
USING INDEX SEEK n:HrisGroup(key)
RETURN key, n.changed AS changed;

// Erase: Push: change
UNWIND $rows[0] AS row
MATCH (n:Push {key: row.key})
SET n += row.set;

// Erase: Event: change
UNWIND $rows[0] AS row
MATCH (n:Event {key: row.key})
SET n += row.set;

// Erase: Provider: change
UNWIND $rows[0] AS row
MATCH (n:Provider {key: row.key})
SET n += row.set;

// Erase: DataSource: change
UNWIND $rows[0] AS row
MATCH (n:DataSource {key: row.key})
SET n += row.set;

// Erase: record a data source
MATCH (source:DataSource {key: $data_source})
SET source.digest = $digest, source.rows = $rows;

// Erase: read the salt of names
MATCH (names:ErasedNames {key: 'erased'})
RETURN names.salt AS salt;

// Erase: keep the salt of names
MERGE (names:ErasedNames {key: 'erased'})
ON CREATE SET names.salt = $salt
RETURN names.salt AS salt;

// Erase: keep that names were erased
UNWIND $keys[0] AS key
MERGE (name:ErasedName {key: key})
ON CREATE SET name.since = $at;

// Erase: names that were erased
UNWIND $keys[0] AS key
MATCH (name:ErasedName {key: key})
RETURN collect(key) AS keys;

// SCIM: a data source
MATCH (source:DataSource {key: $source})-[:FROM]->(provider:Provider)
RETURN properties(provider) AS provider, properties(source) AS source;

// SCIM: IdpUser by key
UNWIND $keys[0] AS key
CALL (key) {
  MATCH (entity:IdpUser {key: key})
USING INDEX SEEK entity:IdpUser(key)
  RETURN entity
}
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpUser by name
MATCH (entity:IdpUser {fold_name: $name[0]})
USING INDEX SEEK entity:IdpUser(fold_name)
WHERE entity.data_source = $source
WITH entity
ORDER BY entity.key
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpUser by external id
MATCH (entity:IdpUser)
USING INDEX SEEK entity:IdpUser(key)
WHERE entity.key STARTS WITH $prefix
  AND entity.customprop_external_id = $external[0]
WITH entity
ORDER BY entity.key
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: count of IdpUser
MATCH (entity:IdpUser)
USING INDEX SEEK entity:IdpUser(key)
WHERE entity.key STARTS WITH $prefix
RETURN count(entity) AS total;

// SCIM: a page of IdpUser
MATCH (entity:IdpUser)
USING INDEX SEEK entity:IdpUser(key)
WHERE entity.key STARTS WITH $prefix
WITH entity
ORDER BY entity.key
SKIP $skip
LIMIT $most
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpUser after a key
MATCH (entity:IdpUser)
USING INDEX SEEK entity:IdpUser(key)
WHERE entity.key STARTS WITH $prefix
  AND entity.key > $after[0]
WITH entity
ORDER BY entity.key
LIMIT $most
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpGroup by key
UNWIND $keys[0] AS key
CALL (key) {
  MATCH (entity:IdpGroup {key: key})
USING INDEX SEEK entity:IdpGroup(key)
  RETURN entity
}
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpGroup by name
MATCH (entity:IdpGroup {fold_name: $name[0]})
USING INDEX SEEK entity:IdpGroup(fold_name)
WHERE entity.data_source = $source
WITH entity
ORDER BY entity.key
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpGroup by external id
MATCH (entity:IdpGroup)
USING INDEX SEEK entity:IdpGroup(key)
WHERE entity.key STARTS WITH $prefix
  AND entity.customprop_external_id = $external[0]
WITH entity
ORDER BY entity.key
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: count of IdpGroup
MATCH (entity:IdpGroup)
USING INDEX SEEK entity:IdpGroup(key)
WHERE entity.key STARTS WITH $prefix
RETURN count(entity) AS total;

// SCIM: a page of IdpGroup
MATCH (entity:IdpGroup)
USING INDEX SEEK entity:IdpGroup(key)
WHERE entity.key STARTS WITH $prefix
WITH entity
ORDER BY entity.key
SKIP $skip
LIMIT $most
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: IdpGroup after a key
MATCH (entity:IdpGroup)
USING INDEX SEEK entity:IdpGroup(key)
WHERE entity.key STARTS WITH $prefix
  AND entity.key > $after[0]
WITH entity
ORDER BY entity.key
LIMIT $most
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: members of groups
UNWIND $keys[0] AS key
CALL (key) {
  MATCH (group:IdpGroup {key: key})
USING INDEX SEEK group:IdpGroup(key)
  MATCH (group)<-[:MEMBER_OF]-(member:IdpUser|IdpGroup)
  WHERE member.data_source = group.data_source
  RETURN member
}
RETURN key, coalesce(member.identity, member.name) AS id, member.identity AS identity,
  member.name AS name, member:IdpUser AS is_user, member.key AS member
ORDER BY key, member;

// SCIM: counts of members
UNWIND $keys[0] AS key
MATCH (group:IdpGroup {key: key})
USING INDEX SEEK group:IdpGroup(key)
RETURN key, COUNT { (group)<-[:MEMBER_OF]-() } AS members;

// SCIM: groups that wait for a member
MATCH (entity:IdpGroup)
USING INDEX SEEK entity:IdpGroup(key)
WHERE entity.key STARTS WITH $prefix
  AND $member[0] IN entity.customprop_waiting_members
WITH entity
ORDER BY entity.key
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// Note from when on the history is whole
MATCH (store:Store {key: 'store'})
WITH store, datetime.realtime('Z') - duration({days: $days}) AS oldest
WHERE store.history_since < oldest
SET store.history_since = oldest;

// Find old records of pushes
MATCH (push:Push)
WHERE push.outcome IN ['unchanged', 'refused'] AND push.at < datetime() - duration({days: $days})
MATCH (push)-[:FROM]->(source:DataSource)
WHERE source.last_push IS NULL OR source.last_push <> push.key
WITH push, source
LIMIT $most
RETURN source.key AS source, collect(push.key) AS keys;

// Remove old records of pushes
UNWIND $keys AS key
MATCH (push:Push {key: key})
DETACH DELETE push;

// Remove records of a provider, 1
MATCH (n:ScimConnection {key: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a provider, 2
MATCH (n:ScimImport {key: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a provider, 3
MATCH (n:LifecyclePolicy {provider: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a provider, 4
MATCH (n:ManagedAccount {provider: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a provider, 5
MATCH (n:ManagedAccountVersion {provider: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a provider, 6
MATCH (n:LifecycleAction {provider: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a provider, 7
MATCH (n:LifecycleState {key: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a data source, 1
MATCH (n:KnownPayload {key: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove records of a data source, 2
MATCH (n:LargePush {key: $owner})
WITH n LIMIT $most
DETACH DELETE n
RETURN count(n) AS removed;

// Remove old records (eventDays), 1
MATCH (n:Event)
WHERE n.timestamp < datetime.realtime('Z') - duration({days: $days})
WITH n
ORDER BY n.timestamp
LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed;

// Remove old records (pushDays), 1
MATCH (n:LifecycleAction)
WHERE n.status IN ['DONE', 'DROPPED'] AND n.finished_at < datetime.realtime('Z') - duration({days: $days})
WITH n
ORDER BY n.finished_at
LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed;

// Remove old records (historyDays), 1
MATCH (n:ManagedAccountVersion)
WHERE n.until < datetime.realtime('Z') - duration({days: $days})
WITH n
ORDER BY n.until
LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed;

// Remove old records (historyDays), 2
MATCH (n:PastNode)
WHERE n.until < datetime.realtime('Z') - duration({days: $days})
WITH n
ORDER BY n.until
LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed;

// Remove old records (historyDays), 3
MATCH (n:PastRelationship)
WHERE n.until < datetime.realtime('Z') - duration({days: $days})
WITH n
ORDER BY n.until
LIMIT $most
DETACH DELETE n
RETURN count(*) AS removed;
