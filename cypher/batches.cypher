// Generated from src/model by `npm run cypher`; do not edit.
// A list is the only item of its parameter, as in $rows[0]. Otherwise Neo4j would make a plan for each length.

// Let the removal guard pass the next push
MATCH (source:DataSource {key: $data_source})
SET source.removal_allowed_until = datetime() + duration({hours: 1})
RETURN toString(source.removal_allowed_until) AS until;

// Lock a provider
MATCH (provider:Provider {key: $provider})
SET provider.since = provider.since;

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
MATCH (user:Entity {key: key})
USING INDEX SEEK user:Entity(key)
RETURN user.unique_id AS id, [(user)-[:MEMBER_OF]->(group:LocalGroup) | group.unique_id] AS groups;

// Read the members of imported groups
UNWIND $keys[0] AS key
MATCH (group:Entity {key: key})
USING INDEX SEEK group:Entity(key)
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
MERGE (commit:AccessCommit {key: toString(toInteger(lock.turns))})
SET commit.turn = lock.turns, commit.written = datetime.realtime('Z'), commit.at = null, commit.changes = null
RETURN lock.turns AS turn;

// Say what a commit changed in the access graph
MATCH (commit:AccessCommit {key: $key})
SET commit.at = $at, commit.changes = $changes;

// Remove records of commits that every process has read
MATCH (lock:BindingLock {key: 'binding'})
MATCH (commit:AccessCommit)
WHERE commit.turn < lock.turns - 100000 OR commit.written < datetime.realtime('Z') - duration({days: 1})
WITH commit
LIMIT $most
DETACH DELETE commit
RETURN count(*) AS removed;

// Forget some records of commits
MATCH (commit:AccessCommit)
USING INDEX SEEK commit:AccessCommit(turn)
WHERE commit.turn > 0
WITH commit
LIMIT $most
DETACH DELETE commit
RETURN count(*) AS removed;

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

// Rows: current hashes
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH $prefix
WITH substring(n.key, size($prefix)) AS key, CASE WHEN n.row_hash =~ '[0-9a-f]{64}' THEN n.row_hash ELSE $unknown END AS hash
RETURN left(hash, 1) AS part, collect(key + hash) AS rows;

// IdpDomain: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:FROM]->(m) WHERE 'DataSource' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpDomain: create
UNWIND $rows[0] AS row
CREATE (n:IdpDomain:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[13];

// IdpUser: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'IdpGroup' IN labels(m) | m.key],
  [(n)-[r:OWNS]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
  [(n)-[r:ASSIGNED_TO]->(m) WHERE 'IdpApp' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpUser: create
UNWIND $rows[0] AS row
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
SET n += row[31];

// IdpGroup: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'IdpGroup' IN labels(m) | m.key],
  [(n)-[r:OWNS]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
  [(n)-[r:ASSIGNED_TO]->(m) WHERE 'IdpApp' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpGroup: create
UNWIND $rows[0] AS row
CREATE (n:IdpGroup:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[22];

// IdpApp: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// IdpApp: create
UNWIND $rows[0] AS row
CREATE (n:IdpApp:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[13];

// Application: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:FROM]->(m) WHERE 'DataSource' IN labels(m) | m.key],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// Application: create
UNWIND $rows[0] AS row
CREATE (n:Application:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[12];

// LocalUser: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:IDENTITY_OF]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:HAS_CREDENTIAL]->(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalUser: create
UNWIND $rows[0] AS row
CREATE (n:LocalUser:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[24];

// LocalGroup: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:IDENTITY_OF]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalGroup: create
UNWIND $rows[0] AS row
CREATE (n:LocalGroup:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[17];

// LocalRole: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:ALLOWS]->(m) WHERE 'Permission' IN labels(m) | m.key],
  [(n)-[r:INCLUDES]->(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalRole: create
UNWIND $rows[0] AS row
CREATE (n:LocalRole:Role:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[15];

// AccessCredential: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// AccessCredential: create
UNWIND $rows[0] AS row
CREATE (n:AccessCredential:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[20];

// LocalAgent: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)-[r:HAS_CREDENTIAL]->(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)-[r:USES_MODEL]->(m) WHERE 'LocalModel' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalAgent: create
UNWIND $rows[0] AS row
CREATE (n:LocalAgent:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[21];

// LocalModel: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// LocalModel: create
UNWIND $rows[0] AS row
CREATE (n:LocalModel:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[24];

// Resource: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:CONTAINS]-(m) WHERE 'Application' IN labels(m) | m.key],
  [(n)<-[r:CONTAINS]-(m) WHERE 'Resource' IN labels(m) | m.key],
  [(n)-[r:CONNECTS_TO]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
  [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
  [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
]]) AS rows;

// Resource: create
UNWIND $rows[0] AS row
CREATE (n:Resource:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[21];

// Permission: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  
]]) AS rows;

// Permission: create
UNWIND $rows[0] AS row
CREATE (n:Permission:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
});

// Grant: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
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
CREATE (n:Grant:Entitlement:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
});

// RoleAssignment: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
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
CREATE (n:RoleAssignment:Entitlement:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[9];

// HrisSystem: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:FROM]->(m) WHERE 'DataSource' IN labels(m) | m.key]
]]) AS rows;

// HrisSystem: create
UNWIND $rows[0] AS row
CREATE (n:HrisSystem:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[17];

// Employee: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)-[r:MEMBER_OF]->(m) WHERE 'HrisGroup' IN labels(m) | m.key],
  [(n)-[r:MANAGED_BY]->(m) WHERE 'Employee' IN labels(m) | m.key],
  [(n)-[r:IN_DEPARTMENT]->(m) WHERE 'HrisGroup' IN labels(m) | m.key],
  [(n)-[r:IN_COST_CENTER]->(m) WHERE 'HrisGroup' IN labels(m) | m.key]
]]) AS rows;

// Employee: create
UNWIND $rows[0] AS row
CREATE (n:Employee:Principal:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[50];

// HrisGroup: current rows
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  
]]) AS rows;

// HrisGroup: create
UNWIND $rows[0] AS row
CREATE (n:HrisGroup:Entity {
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
  fold_of_provider: $fold_of_provider[0][0],
  since: $at,
  changed: $at
})
SET n += row[13];

// Rows: keep versions that end
UNWIND $rows[0] AS row
WITH row[0] AS key, row[1] AS label
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
CALL (n, key) {
  OPTIONAL MATCH (earlier:PastNode {key: key})
  USING INDEX SEEK earlier:PastNode(key, until)
  WHERE earlier.until > n.since
  RETURN max(earlier.until) AS ended
}
WITH n, label, coalesce(ended, n.since) AS from
WHERE from < $until[0]
CREATE (past:PastNode:Past)
SET past = n {.*, label: label, from: from, until: $until[0], row_hash: null, changed: null, fold_of_provider: null, fold_name: null, fold_of_domain: null, fold_of_idp_type: null, fold_of_idp_description: null, fold_of_idp_name: null, fold_custom: null, fold_id: null, fold_email: null, fold_manager_id: null, fold_source_identity: null, fold_source_type: null, fold_idp_type: null, fold_of_identity: null, fold_of_full_name: null, fold_of_department: null, fold_of_identity_type: null, fold_of_source_identity_provider_type: null, fold_exact: null, fold_of_description: null, fold_application_type: CASE WHEN label IN ['Application'] THEN n.fold_application_type END, fold_of_application: null, fold_other_id: null, fold_of_id: null, fold_of_unique_id: null, fold_of_email: null, fold_of_user_type: null, fold_of_ai_platform: null, fold_of_ai_agent_publisher: null, fold_of_ai_model_publisher: null, fold_of_ai_model_family: null, fold_of_ai_model_series: null, fold_path: null, fold_id_path: null, fold_resource_type: null, fold_of_path: null, fold_application_types: CASE WHEN label IN ['Permission'] THEN n.fold_application_types END, fold_of_permission_type: null, fold_of_name: null, fold_of_url: null, fold_of_idp_providers: null, fold_of_system: null, fold_of_hris_type: null, fold_of_hris_name: null, fold_account: null, fold_only_id: null, fold_of_employee_number: null, fold_of_first_name: null, fold_of_last_name: null, fold_of_employment_status: null, fold_of_company: null, fold_of_preferred_name: null, fold_of_display_full_name: null, fold_of_canonical_name: null, fold_of_username: null, fold_of_idp_id: null, fold_of_personal_email: null, fold_of_home_location: null, fold_of_work_location: null, fold_of_job_title: null, fold_of_employment_types: null, fold_of_primary_time_zone: null, fold_of_group_type: null};

// Rows: change
UNWIND $rows[0] AS row
MATCH (n:Entity {key: row.key})
USING INDEX SEEK n:Entity(key)
SET n += row.set, n.changed = $at;

// Rows: write hashes
UNWIND $pairs[0] AS pair
MATCH (n:Entity {key: pair[0]})
USING INDEX SEEK n:Entity(key)
SET n.row_hash = pair[1];

// Rows: look-ups that follow
UNWIND $rows[0] AS row
MATCH (n:Entity {key: row.key})
USING INDEX SEEK n:Entity(key)
SET n += row.set;

// Rows: remove
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
DETACH DELETE n;

// Rows: some of a label
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH $prefix
RETURN n.key AS key LIMIT toInteger($most);

// Shared nodes: create
UNWIND $rows[0] AS row
OPTIONAL MATCH (n:Entity {key: row.key})
USING INDEX SEEK n:Entity(key)
WITH collect(CASE WHEN n IS NULL THEN row END) AS missing
FOREACH (row IN missing | CREATE (n:$($labels[0])) SET n = row)
RETURN [row IN missing | row.key] AS keys;

// Shared nodes: those that exist
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect(n.key) AS keys;

// Identity: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE NOT EXISTS { (n)<-[:OWNED_BY]-() } AND NOT EXISTS { (n)-[:IDENTITY_OF|HOLDS]->() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
FOREACH (r IN [(n)-[r:KNOWN_AS]-() | r] |
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]})))
DETACH DELETE n
RETURN key, gone;

// CloudRole: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE NOT EXISTS { (n)<-[:ASSUMES_ROLE]-() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
FOREACH (r IN [(n)-[r:ACTS_AS]-() | r] |
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]})))
DETACH DELETE n
RETURN key, gone;

// ExternalEntity: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE NOT EXISTS { (n)<-[:OWNS|CONNECTS_TO]-() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
FOREACH (r IN [(n)-[r:RESOLVES_TO]-() | r] |
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]})))
DETACH DELETE n
RETURN key, gone;

// Tag: remove those that nothing states
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE NOT EXISTS { (n)<-[:TAGGED]-() }
WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
DETACH DELETE n
RETURN key, gone;

// Relationships without properties: create
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CREATE (a)-[r:$($type[0]) {since: $at}]->(b);

// Relationships with properties: create
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CREATE (a)-[r:$($type[0]) {since: $at}]->(b)
SET r += pair[2];

// Relationships to data sources: create
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CREATE (a)-[r:$($type[0]) {since: $at}]->(b);

// MEMBER_OF: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MEMBER_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// IDENTITY_OF: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IDENTITY_OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IDENTITY_OF', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// OWNS: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OWNS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// ASSIGNED_TO: change
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
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
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until[0] THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], from: from})
SET r += pair[3];

// ASSIGNED_TO: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
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
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until[0] THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], from: from})
DELETE r;

// ASSUMES_ROLE: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ASSUMES_ROLE]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ASSUMES_ROLE', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// HAS_CREDENTIAL: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HAS_CREDENTIAL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// USES_MODEL: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:USES_MODEL]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'USES_MODEL', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// HOLDS: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:HOLDS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// OF: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OF]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// ON: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// ALLOWS: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ALLOWS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ALLOWS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// INCLUDES: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:INCLUDES]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'INCLUDES', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// CONTAINS: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONTAINS]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// CONNECTS_TO: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:CONNECTS_TO]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONNECTS_TO', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// OWNED_BY: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:OWNED_BY]->(b)
  WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0]})
DELETE r;

// MANAGED_BY: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:MANAGED_BY]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// IN_DEPARTMENT: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IN_DEPARTMENT]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_DEPARTMENT', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// IN_COST_CENTER: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:IN_COST_CENTER]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_COST_CENTER', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// FROM: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:DataSource {key: pair[1]})
USING INDEX SEEK b:DataSource(key)
CALL (pair, a, b) {
  MATCH (a)-[r:FROM]->(b)
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'FROM', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// TAGGED: remove
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:TAGGED]->(b)
  WHERE r.derived IS NULL
  RETURN r
}
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// MEMBER_OF: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:MEMBER_OF]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MEMBER_OF', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// ASSIGNED_TO: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:ASSIGNED_TO]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
CALL (pair, r) {
  OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
  USING INDEX SEEK earlier:PastRelationship(start, until)
  WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
  RETURN max(earlier.until) AS from
}
FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until[0] THEN [0] END |
  CREATE (past:PastRelationship:Past)
  SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], from: from})
DELETE r;

// HAS_CREDENTIAL: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:HAS_CREDENTIAL]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_CREDENTIAL', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// USES_MODEL: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:USES_MODEL]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'USES_MODEL', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// HOLDS: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:Entity {key: key})
USING INDEX SEEK a:Entity(key)
MATCH (a)-[r:HOLDS]->(b)
WHERE $end_label[0] IN labels(b)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HOLDS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// OF: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:OF]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// ON: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:ON]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ON', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// ALLOWS: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:ALLOWS]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ALLOWS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// INCLUDES: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:INCLUDES]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'INCLUDES', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// CONTAINS: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (a:Entity {key: key})
USING INDEX SEEK a:Entity(key)
MATCH (a)-[r:CONTAINS]->(b)
WHERE $end_label[0] IN labels(b)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'CONTAINS', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// MANAGED_BY: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:MANAGED_BY]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// IN_DEPARTMENT: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:IN_DEPARTMENT]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_DEPARTMENT', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// IN_COST_CENTER: remove at what is referred to
UNWIND $keys[0] AS key
MATCH (b:Entity {key: key})
USING INDEX SEEK b:Entity(key)
MATCH (a)-[r:IN_COST_CENTER]->(b)
WHERE $start_label[0] IN labels(a)
WITH r, [a.key, b.key] AS pair
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'IN_COST_CENTER', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
DELETE r;

// KNOWN_AS of Identity and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer:IdpUser {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_id)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer:IdpUser {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: draw for askers, by fold_email
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer:IdpUser {fold_email: pair[1]})
USING INDEX SEEK answerer:IdpUser(fold_email)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'Identity', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpUser, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'Identity', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer:IdpGroup {fold_id: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_id)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: draw for askers, by fold_name
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer:IdpGroup {fold_name: pair[1]})
USING INDEX SEEK answerer:IdpGroup(fold_name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup: remove for answerers
UNWIND $rows[0] AS row
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'Identity', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker:Identity {name: pair[1]})
USING INDEX SEEK asker:Identity(name)
MERGE (answerer)-[r:KNOWN_AS]->(asker)
ON CREATE SET r.since = $at
WITH asker, answerer, r
WHERE r.since = $at
RETURN asker.key AS asker, answerer.key AS answerer;

// KNOWN_AS of Identity and IdpGroup, with trusts: draw for askers, by fold_id
UNWIND $pairs[0] AS pair
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:KNOWN_AS]->(asker)
WHERE asker:Identity AND NOT coalesce(asker.name IN row.values, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'KNOWN_AS', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'Identity', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpUser AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpUser AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed[asker.fold_source_identity] IS NULL OR asker.provider IN row.allowed[asker.fold_source_identity]) AND NOT asker.provider IN row.denied[asker.fold_source_identity], false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpUser and IdpUser, with trusts: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed IS NULL OR answerer.provider IN row.allowed) AND NOT answerer.provider IN row.denied, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpUser', end: asker.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpGroup AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpGroup AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE asker:IdpGroup AND NOT coalesce(asker.fold_source_identity IN row.values AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed[asker.fold_source_identity] IS NULL OR asker.provider IN row.allowed[asker.fold_source_identity]) AND NOT asker.provider IN row.denied[asker.fold_source_identity], false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// SOURCE_IDENTITY_OF of IdpGroup and IdpGroup, with trusts: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (answerer)-[r:SOURCE_IDENTITY_OF]->(asker)
WHERE answerer:IdpGroup AND NOT coalesce(asker.fold_source_identity IN [answerer.fold_id] AND asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type) AND (row.allowed IS NULL OR answerer.provider IN row.allowed) AND NOT answerer.provider IN row.denied, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SOURCE_IDENTITY_OF', start: answerer.key, start_label: 'IdpGroup', end: asker.key, end_label: 'IdpGroup', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// MANAGED_BY of IdpUser and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:MANAGED_BY]->(answerer)
WHERE asker:IdpUser AND NOT coalesce(asker.fold_manager_id IN row.values AND asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: asker.key, start_label: 'IdpUser', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// MANAGED_BY of IdpUser and IdpUser: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (asker)-[r:MANAGED_BY]->(answerer)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_manager_id IN [answerer.fold_id] AND asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'MANAGED_BY', start: asker.key, start_label: 'IdpUser', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE asker:Employee AND NOT coalesce(asker.fold_account IN row.values AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_account IN [answerer.fold_id, answerer.fold_email] AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE asker:Employee AND NOT coalesce(asker.fold_account IN row.values AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (row.allowed[asker.fold_account] IS NULL OR asker.provider IN row.allowed[asker.fold_account]) AND NOT asker.provider IN row.denied[asker.fold_account], false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// HAS_ACCOUNT of Employee and IdpUser, with trusts: remove for askers
UNWIND $rows[0] AS row
MATCH (asker:Entity {key: row.key})
USING INDEX SEEK asker:Entity(key)
MATCH (asker)-[r:HAS_ACCOUNT]->(answerer)
WHERE answerer:IdpUser AND NOT coalesce(asker.fold_account IN [answerer.fold_id, answerer.fold_email] AND (asker.fold_only_id IS NULL OR coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)) AND (row.allowed IS NULL OR answerer.provider IN row.allowed) AND NOT answerer.provider IN row.denied, false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'HAS_ACCOUNT', start: asker.key, start_label: 'Employee', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// ACTS_AS of CloudRole and LocalRole: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:ACTS_AS]->(answerer)
WHERE asker:CloudRole AND NOT coalesce(asker.arn IN row.values AND asker.arn IN [answerer.unique_id, answerer.id, answerer.name], false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'ACTS_AS', start: asker.key, start_label: 'CloudRole', end: answerer.key, end_label: 'LocalRole', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Resource: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource'], false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'Resource', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and Application: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type IN ['application', answerer.fold_application_type], false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'Application', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'localuser', false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'localgroup', false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalGroup', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalAgent: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'localagent', false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalAgent', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and AccessCredential: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'accesscredential', false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'AccessCredential', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and LocalRole: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND (asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:'), false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'LocalRole', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpUser: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'idpuser', false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'IdpUser', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// RESOLVES_TO of ExternalEntity and IdpGroup: draw for answerers
UNWIND $pairs[0] AS pair
MATCH (answerer:Entity {key: pair[0]})
USING INDEX SEEK answerer:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (asker:Entity {key: pair[0]})
USING INDEX SEEK asker:Entity(key)
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
MATCH (answerer:Entity {key: row.key})
USING INDEX SEEK answerer:Entity(key)
MATCH (asker)-[r:RESOLVES_TO]->(answerer)
WHERE asker:ExternalEntity AND NOT coalesce(asker.id IN row.values AND asker.node_type = 'idpgroup', false)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'RESOLVES_TO', start: asker.key, start_label: 'ExternalEntity', end: answerer.key, end_label: 'IdpGroup', since: r.since, until: $until[0]}))
DELETE r
RETURN asker.key AS asker, answerer.key AS answerer;

// Managers: candidates by entity
UNWIND $pairs[0] AS pair
MATCH (entity:Entity {key: pair[0]})
USING INDEX SEEK entity:Entity(key)
MATCH (entity)-[:RESOLVES_TO]->(managed)
WHERE $label[0] IN labels(managed)
RETURN DISTINCT managed.key AS managed, pair[1] AS manager;

// Managers: candidates by owner
UNWIND $pairs[0] AS pair
MATCH (entity:Entity {key: pair[0]})
USING INDEX SEEK entity:Entity(key)
MATCH (entity)<-[:OWNS]-(manager)
WHERE $label[0] IN labels(manager)
RETURN DISTINCT pair[1] AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Managers: draw
UNWIND $pairs[0] AS pair
MATCH (managed:Entity {key: pair[0]})
USING INDEX SEEK managed:Entity(key)
MATCH (manager:Entity {key: pair[1]})
USING INDEX SEEK manager:Entity(key)
WHERE EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } }
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers: remove
UNWIND $pairs[0] AS pair
MATCH (managed:Entity {key: pair[0]})
USING INDEX SEEK managed:Entity(key)
MATCH (manager:Entity {key: pair[1]})
USING INDEX SEEK manager:Entity(key)
WITH managed, manager, pair, head([(managed)-[drawn:SYSTEM_resource_managers]->(manager) | drawn]) AS r
WHERE r IS NOT NULL AND NOT EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } }
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: $managed_label[0], end: pair[1], end_label: $manager_label[0], since: r.since, until: $until[0]}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers: draw, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Entity {key: pair[0]})
USING INDEX SEEK managed:Entity(key)
MATCH (manager:Entity {key: pair[1]})
USING INDEX SEEK manager:Entity(key)
WHERE (EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } } AND coalesce(manager.provider IN $meant[managed.provider], true))
MERGE (managed)-[r:SYSTEM_resource_managers]->(manager)
ON CREATE SET r.since = $at
WITH managed, manager, r
WHERE r.since = $at
RETURN managed.key AS start, manager.key AS end;

// Managers: remove, with trusts
UNWIND $pairs[0] AS pair
MATCH (managed:Entity {key: pair[0]})
USING INDEX SEEK managed:Entity(key)
MATCH (manager:Entity {key: pair[1]})
USING INDEX SEEK manager:Entity(key)
WITH managed, manager, pair, head([(managed)-[drawn:SYSTEM_resource_managers]->(manager) | drawn]) AS r
WHERE r IS NOT NULL AND NOT (EXISTS { MATCH (managed)<-[:RESOLVES_TO]-(owned:ExternalEntity) WHERE EXISTS { (owned)<-[:OWNS]-(manager) } } AND coalesce(manager.provider IN $meant[managed.provider], true))
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'SYSTEM_resource_managers', start: pair[0], start_label: $managed_label[0], end: pair[1], end_label: $manager_label[0], since: r.since, until: $until[0]}))
DELETE r
RETURN managed.key AS start, manager.key AS end;

// Managers: tag
UNWIND $pairs[0] AS noted
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
RETURN managed.key AS start, tag.key AS end;

// Managers: untag
UNWIND $pairs[0] AS noted
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
RETURN managed.key AS start, tag.key AS end;

// Managers: untag rows to remove
UNWIND $keys[0] AS key
MATCH (managed:Entity {key: key})
USING INDEX SEEK managed:Entity(key)
MATCH (managed)-[r:TAGGED {derived: true}]->(tag)
WHERE 'Tag' IN labels(tag)
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: 'TAGGED', start: managed.key, start_label: $label[0], end: tag.key, end_label: 'Tag', derived: true, since: r.since, until: $until[0]}))
DELETE r
RETURN key AS start, tag.key AS end;

// Rows to remove: remove derived KNOWN_AS, SOURCE_IDENTITY_OF, MANAGED_BY, HAS_ACCOUNT, RESOLVES_TO, SYSTEM_resource_managers
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|MANAGED_BY|HAS_ACCOUNT|RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
DELETE r
RETURN type, start, end;

// Rows to remove: remove derived KNOWN_AS, SOURCE_IDENTITY_OF, RESOLVES_TO, SYSTEM_resource_managers
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
DELETE r
RETURN type, start, end;

// Rows to remove: remove derived RESOLVES_TO, SYSTEM_resource_managers
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:RESOLVES_TO|SYSTEM_resource_managers]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
DELETE r
RETURN type, start, end;

// Rows to remove: remove derived RESOLVES_TO
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
DELETE r
RETURN type, start, end;

// Rows to remove: remove derived ACTS_AS, RESOLVES_TO
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:ACTS_AS|RESOLVES_TO]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
DELETE r
RETURN type, start, end;

// Rows to remove: remove derived HAS_ACCOUNT
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:HAS_ACCOUNT]-()
WITH DISTINCT r
WITH r, type(r) AS type, startNode(r) AS a, endNode(r) AS b
WITH r, type, a, b, a.key AS start, b.key AS end
FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
  CREATE (:PastRelationship:Past {type: type, start: start, start_label: head([label IN labels(a) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: end, end_label: head([label IN labels(b) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]}))
DELETE r
RETURN type, start, end;

// Identities by which nobody is known
UNWIND $keys[0] AS key
OPTIONAL MATCH (identity:Entity {key: key})
USING INDEX SEEK identity:Entity(key)
WITH key, identity
WHERE identity IS NULL OR NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
RETURN collect(key) AS keys;

// Employees without an account who have the id of a user
UNWIND $keys[0] AS key
MATCH (employee:Entity {key: key})
USING INDEX SEEK employee:Entity(key)
WHERE NOT EXISTS { (employee)-[:HAS_ACCOUNT]->(:IdpUser) }
RETURN employee.key AS key, employee.fold_only_id AS id,
  COLLECT {
    MATCH (user:IdpUser {fold_id: employee.fold_only_id}) RETURN user.provider AS provider
    UNION
    MATCH (user:IdpUser {fold_email: employee.fold_only_id}) RETURN user.provider AS provider
  } AS providers;

// Cloud roles that no role has
UNWIND $keys[0] AS key
OPTIONAL MATCH (role:Entity {key: key})
USING INDEX SEEK role:Entity(key)
WITH key, role
WHERE role IS NULL OR NOT EXISTS { (role)-[:ACTS_AS]->() }
RETURN collect(key) AS keys;

// IdpUser: current names
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

// IdpGroup: current names
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

// Employee: current names
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

// Increment: Application by fold_name
UNWIND $texts[0] AS text
MATCH (n:Application {fold_name: text})
USING INDEX SEEK n:Application(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

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

// Increment: Permission by fold_name
UNWIND $texts[0] AS text
MATCH (n:Permission {fold_name: text})
USING INDEX SEEK n:Permission(fold_name)
WHERE n.data_source = $data_source
RETURN collect([text, n.key]) AS found;

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

// Increment: rows within an application
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application
RETURN n.key AS key;

// Increment: names of some rows
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH $prefix
WITH n LIMIT toInteger($most)
RETURN collect([n.name, n.id, n.unique_id, n.identity, n.path]) AS found;

// Increment: rows that refer to something by MEMBER_OF
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:MEMBER_OF]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by IDENTITY_OF
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (end)-[:IDENTITY_OF]->(row)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by ASSIGNED_TO
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:ASSIGNED_TO]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by HAS_CREDENTIAL
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:HAS_CREDENTIAL]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by USES_MODEL
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:USES_MODEL]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by HOLDS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (end)-[:HOLDS]->(row)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by OF
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:OF]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by ON
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:ON]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by ALLOWS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:ALLOWS]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by INCLUDES
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:INCLUDES]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by CONTAINS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (end)-[:CONTAINS]->(row)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by OWNED_BY
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:OWNED_BY]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by MANAGED_BY
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:MANAGED_BY]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by IN_DEPARTMENT
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:IN_DEPARTMENT]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: rows that refer to something by IN_COST_CENTER
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[:IN_COST_CENTER]->(end)
WHERE $label[0] IN labels(row) AND row.data_source = $data_source
RETURN collect([key, row.key]) AS found;

// Increment: Grant: rows without their long lists
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalUser' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalAgent' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OF]->(m) WHERE 'Permission' IN labels(m) | m.key]
]]) AS rows;

// Increment: RoleAssignment: rows without their long lists
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalUser' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalGroup' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalRole' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'AccessCredential' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'LocalAgent' IN labels(m) | m.key],
  [(n)<-[r:HOLDS]-(m) WHERE 'Identity' IN labels(m) | m.key],
  [(n)-[r:OF]->(m) WHERE 'LocalRole' IN labels(m) | m.key]
]]) AS rows;

// Increment: ON: those of these that exist
UNWIND $pairs[0] AS pair
MATCH (a:Entity {key: pair[0]})
USING INDEX SEEK a:Entity(key)
MATCH (b:Entity {key: pair[1]})
USING INDEX SEEK b:Entity(key)
CALL (pair, a, b) {
  MATCH (a)-[r:ON]->(b)
  RETURN r
}
RETURN collect(pair) AS found;

// Increment: ON: whole lists
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
RETURN key, [(row)-[:ON]->(end) WHERE $label[0] IN labels(end) | end.key] AS found;

// Increment: resources below others
UNWIND $keys[0] AS key
MATCH (top:Entity {key: key})
USING INDEX SEEK top:Entity(key)
MATCH (top)-[:CONTAINS*1..]->(n:Resource)
RETURN collect([key, n.key]) AS found;

// Increment: resources of a type, with an id
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH $prefix AND n.application = $application AND n.fold_resource_type = $type AND n.id IS NOT NULL
RETURN n.key AS key LIMIT toInteger($most);

// Increment: resources of a type, without an id
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
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

// Rows: count those of a data source
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH $prefix
RETURN count(*) AS rows;

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

// Remove a provider
MATCH (provider:Provider {key: $provider, state: 'DELETING'})
WHERE NOT EXISTS { (provider)<-[:FROM]-() }
WITH provider, provider.key AS id, provider.name AS name, properties(provider) AS act
DETACH DELETE provider
RETURN id, name, act.deleting_rows AS rows, coalesce(act.deleting_erases, false) AS erases, act.deleting_request AS request, act.deleting_key_id AS key_id, act.deleting_key_name AS key_name, act.deleting_address AS address, act.deleting_confirmed AS confirmed;

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
WHERE NOT coalesce(label IN $labels AND label IN labels(n) AND n:Entity, false)
  AND (label IS NOT NULL OR NOT EXISTS { (:DataSource {key: source}) })
RETURN elementId(n) AS id, key, label, labels(n) AS labels, n.row_hash IS NOT NULL OR n.since IS NOT NULL AS is_ours;

// Verify: shared nodes that lack a label
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH 'Identity|' AND NOT n:Identity
RETURN elementId(n) AS id, n.key AS key, 'Identity' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:Identity)
WHERE toStringOrNull(n.key) STARTS WITH 'Identity|' AND NOT n:Entity
RETURN elementId(n) AS id, n.key AS key, 'Identity' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH 'CloudRole|' AND NOT n:CloudRole
RETURN elementId(n) AS id, n.key AS key, 'CloudRole' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:CloudRole)
WHERE toStringOrNull(n.key) STARTS WITH 'CloudRole|' AND NOT n:Entity
RETURN elementId(n) AS id, n.key AS key, 'CloudRole' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH 'ExternalEntity|' AND NOT n:ExternalEntity
RETURN elementId(n) AS id, n.key AS key, 'ExternalEntity' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:ExternalEntity)
WHERE toStringOrNull(n.key) STARTS WITH 'ExternalEntity|' AND NOT n:Entity
RETURN elementId(n) AS id, n.key AS key, 'ExternalEntity' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key STARTS WITH 'Tag|' AND NOT n:Tag
RETURN elementId(n) AS id, n.key AS key, 'Tag' AS label, labels(n) AS labels, true AS is_ours
UNION ALL
MATCH (n:Tag)
WHERE toStringOrNull(n.key) STARTS WITH 'Tag|' AND NOT n:Entity
RETURN elementId(n) AS id, n.key AS key, 'Tag' AS label, labels(n) AS labels, true AS is_ours;

// Verify: restore labels
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id AND NOT EXISTS { MATCH (other:Entity {key: n.key}) WHERE other <> n }
SET n:$($labels[0])
RETURN id;

// Verify: remove these nodes
UNWIND $ids AS id
MATCH (n) WHERE elementId(n) = id
DETACH DELETE n;

// Verify: a page of rows
MATCH (n:Entity)
USING INDEX SEEK n:Entity(key)
WHERE n.key > $after AND n.key < $before
WITH n
ORDER BY n.key
LIMIT toInteger($most)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: shared nodes
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN labels(n) AS labels, properties(n) AS properties;

// Verify: restore nodes
UNWIND $rows[0] AS row
MATCH (n:Entity {key: row.key})
USING INDEX SEEK n:Entity(key)
SET n += row.set
SET n:$($labels[0])
REMOVE n:$(row.labels);

// Verify: relationships that the model does not allow
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r]-(other)
WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id;

// Verify: remove relationships
UNWIND $rows[0] AS row
MATCH (n:Entity {key: row.key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r]-()
WHERE elementId(r) IN row.ids
WITH DISTINCT r
DELETE r;

// Verify: restore relationships
UNWIND $rows[0] AS row
MATCH (n:Entity {key: row.key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r]-()
WHERE elementId(r) = row.id
SET r += row.set;

// Verify: MEMBER_OF found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:MEMBER_OF]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IDENTITY_OF found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (other)-[r:IDENTITY_OF]->(row)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: OWNS found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:OWNS]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: ASSIGNED_TO found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:ASSIGNED_TO]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: ASSUMES_ROLE found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:ASSUMES_ROLE]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: HAS_CREDENTIAL found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:HAS_CREDENTIAL]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: USES_MODEL found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:USES_MODEL]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: HOLDS found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (other)-[r:HOLDS]->(row)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: OF found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:OF]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: ON found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:ON]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: ALLOWS found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:ALLOWS]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: INCLUDES found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:INCLUDES]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: CONTAINS found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (other)-[r:CONTAINS]->(row)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: CONNECTS_TO found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:CONNECTS_TO]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: OWNED_BY found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:OWNED_BY]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: MANAGED_BY found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:MANAGED_BY]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IN_DEPARTMENT found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:IN_DEPARTMENT]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: IN_COST_CENTER found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:IN_COST_CENTER]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: FROM found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:FROM]->(other)
WHERE $label[0] IN labels(other)
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: TAGGED found
UNWIND $keys[0] AS key
MATCH (row:Entity {key: key})
USING INDEX SEEK row:Entity(key)
MATCH (row)-[r:TAGGED]->(other)
WHERE $label[0] IN labels(other) AND r.derived IS NULL
RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id;

// Verify: derived twice: KNOWN_AS, SOURCE_IDENTITY_OF, MANAGED_BY, HAS_ACCOUNT, RESOLVES_TO, SYSTEM_resource_managers
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|MANAGED_BY|HAS_ACCOUNT|RESOLVES_TO|SYSTEM_resource_managers]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: derived twice: KNOWN_AS, SOURCE_IDENTITY_OF, RESOLVES_TO, SYSTEM_resource_managers
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:KNOWN_AS|SOURCE_IDENTITY_OF|RESOLVES_TO|SYSTEM_resource_managers]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: derived twice: RESOLVES_TO, SYSTEM_resource_managers, TAGGED
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:RESOLVES_TO|SYSTEM_resource_managers|TAGGED]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: derived twice: RESOLVES_TO
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: derived twice: ACTS_AS, RESOLVES_TO
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:ACTS_AS|RESOLVES_TO]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: derived twice: HAS_ACCOUNT
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:HAS_ACCOUNT]-()
WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
WITH DISTINCT r
WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
WHERE size(found) > 1
WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
FOREACH (r IN doubles | DELETE r)
RETURN type, start, end;

// Verify: date relationships without a date
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r]-()
WHERE r.since IS NOT :: ZONED DATETIME NOT NULL AND type(r) <> 'ACCOUNT_OF'
WITH DISTINCT r
SET r.since = $dated
RETURN type(r) AS type, startNode(r).key AS start, endNode(r).key AS end;

// Verify: paths of resources
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH path = (:Application)-[:CONTAINS*1..]->(n)
RETURN key, [step IN tail(nodes(path)) | step.name] AS names, [step IN tail(nodes(path)) | coalesce(step.id, step.name)] AS ids;

// Verify: Identity: what nothing states
MATCH (n:Identity)
WHERE NOT EXISTS { (n)<-[:OWNED_BY]-() } AND NOT EXISTS { (n)-[:IDENTITY_OF|HOLDS]->() }
RETURN n.key AS key;

// Verify: CloudRole: what nothing states
MATCH (n:CloudRole)
WHERE NOT EXISTS { (n)<-[:ASSUMES_ROLE]-() }
RETURN n.key AS key;

// Verify: ExternalEntity: what nothing states
MATCH (n:ExternalEntity)
WHERE NOT EXISTS { (n)<-[:OWNS|CONNECTS_TO]-() }
RETURN n.key AS key;

// Verify: Tag: what nothing states
MATCH (n:Tag)
WHERE NOT EXISTS { (n)<-[:TAGGED]-() }
RETURN n.key AS key;

// Verify: KNOWN_AS: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:KNOWN_AS]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: SOURCE_IDENTITY_OF: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:SOURCE_IDENTITY_OF]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: MANAGED_BY: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:MANAGED_BY]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: HAS_ACCOUNT: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:HAS_ACCOUNT]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: ACTS_AS: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:ACTS_AS]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: RESOLVES_TO: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:RESOLVES_TO]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: SYSTEM_resource_managers: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:SYSTEM_resource_managers]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: TAGGED: date those just drawn
UNWIND $pairs[0] AS pair
MATCH (start:Entity {key: pair[0]})
USING INDEX SEEK start:Entity(key)
MATCH (start)-[r:TAGGED]->(other)
WHERE r.since = $at AND other.key = pair[1]
SET r.since = $dated;

// Verify: who should manage, by managed
UNWIND $keys[0] AS key
MATCH (managed:Entity {key: key})
USING INDEX SEEK managed:Entity(key)
MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
WHERE $label[0] IN labels(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: who manages, by managed
UNWIND $keys[0] AS key
MATCH (managed:Entity {key: key})
USING INDEX SEEK managed:Entity(key)
MATCH (managed)-[:SYSTEM_resource_managers]->(manager)
WHERE $label[0] IN labels(manager)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: who should manage, by manager
UNWIND $keys[0] AS key
MATCH (manager:Entity {key: key})
USING INDEX SEEK manager:Entity(key)
MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
WHERE $label[0] IN labels(managed)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: who manages, by manager
UNWIND $keys[0] AS key
MATCH (manager:Entity {key: key})
USING INDEX SEEK manager:Entity(key)
MATCH (managed)-[:SYSTEM_resource_managers]->(manager)
WHERE $label[0] IN labels(managed)
RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id;

// Verify: managers' tags
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)-[r:TAGGED]->(tag:Tag)
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

// Read what is tagged as privileged
MATCH (tag:Tag)
WHERE coalesce(tag.fold_of_name, tag.name) = 'privileged'
MATCH (tag)<-[:TAGGED]-(node:Entity)
RETURN DISTINCT node.key AS key;

// Read who manages and owns places
UNWIND $keys[0] AS key
MATCH (place:Entity {key: key})
CALL (place) {
  MATCH (place)-[:SYSTEM_resource_managers]->(reviewer:IdpUser|IdpGroup)
  RETURN reviewer, 'manages' AS why
  UNION
  MATCH (place)-[:OWNED_BY]->(identity:Identity)
  OPTIONAL MATCH (person:IdpUser|IdpGroup)-[:KNOWN_AS]->(identity)
  RETURN coalesce(person, identity) AS reviewer, 'owns' AS why
  UNION
  MATCH (reviewer:IdpUser|IdpGroup)-[:OWNS]->(:ExternalEntity)-[:RESOLVES_TO]->(place)
  RETURN reviewer, 'owns' AS why
}
RETURN DISTINCT key, reviewer.key AS reviewer, why;

// Read the managers of people
UNWIND $keys[0] AS key
MATCH (person:Entity {key: key})-[:MANAGED_BY]->(reviewer:IdpUser|Employee)
RETURN DISTINCT key, reviewer.key AS reviewer, 'is the manager of' AS why;

// Read the addresses of people
UNWIND $keys[0] AS key
MATCH (person:Entity {key: key})
WHERE person.email IS NOT NULL
RETURN key, person.email AS email;

// Read the sources of a review
UNWIND $keys[0] AS id
MATCH (source:DataSource {key: id})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (import:ScimImport {key: provider.key})
RETURN id, source.name AS name, provider.name AS provider, source.last_push AS push, source.last_push_at AS at,
  source.status = 'ERROR' OR (import.data_source = id AND coalesce(import.failures, 0) > 0) AS has_failed
ORDER BY id;

// Read the pushes at instants
UNWIND $keys[0] AS at
MATCH (push:Push {at: datetime(at)})
RETURN at, push.id AS push;

// Create a review
MERGE (review:Review {key: $id})
ON CREATE SET review += $properties;

// List reviews
MATCH (review:Review)
RETURN properties(review) AS review;

// Find any review
MATCH (review:Review)
USING INDEX SEEK review:Review(state)
WHERE review.state > ''
RETURN review.key AS id
LIMIT 1;

// Write the applications of a review
UNWIND $rows[0] AS row
MERGE (place:ReviewedPlace {key: row.key})
SET place += row.properties;

// Find the newest reviews of an application
UNWIND $applications[0] AS application
MATCH (place:ReviewedPlace {application: application})
MATCH (review:Review {key: place.review})
WHERE review.state IN ['open', 'closed']
WITH review, place.is_partly AS is_partly
ORDER BY review.at DESC
WITH review.state AS state, is_partly, head(collect(review)) AS newest
RETURN properties(newest) AS review;

// Read a review
MATCH (review:Review {key: $id})
RETURN properties(review) AS review;

// Lock a review
MATCH (review:Review {key: $id})
SET review.lock = true
REMOVE review.lock
RETURN properties(review) AS review;

// Change a review
MATCH (review:Review {key: $id})
SET review += $properties;

// Count the items of a review by state
UNWIND $states[0] AS state
MATCH (item:ReviewItem {review: $run, state: state})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.number > 0
RETURN state, count(*) AS number;

// Find an item that nobody decided in time
MATCH (item:ReviewItem {review: $run, state: 'excepted'})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.number > 0
RETURN item.number AS number
LIMIT 1;

// Count pending items of a review by reviewer
MATCH (item:ReviewItem {review: $run, state: 'pending'})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.number > 0
RETURN item.reviewer AS reviewer, count(*) AS number
ORDER BY reviewer;

// Count the items of a reviewer by state
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, state)
WHERE item.reviewer IN $aliases[0] AND item.state > ''
RETURN item.state AS state, count(*) AS number;

// Find the items of a reviewer
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer IN $aliases[0] AND item.number > 0 AND item.state IN $states[0]
WITH item, any(mark IN item.marks WHERE mark IN ['new', 'changed']) AS is_new
ORDER BY is_new DESC, item.entitlement, item.number
SKIP $skip LIMIT $most
RETURN item.number AS number;

// Count the items of a reviewer before one
MATCH (one:ReviewItem {key: $run + '|' + toString($number)})
WITH one, any(mark IN one.marks WHERE mark IN ['new', 'changed']) AS is_one_new
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer IN $aliases[0] AND item.number > 0 AND item.state IN $states[0]
WITH one, is_one_new, item, any(mark IN item.marks WHERE mark IN ['new', 'changed']) AS is_new
WHERE is_new AND NOT is_one_new
  OR is_new = is_one_new AND (item.entitlement < one.entitlement
    OR item.entitlement = one.entitlement AND item.number < one.number)
RETURN count(*) AS number;

// Count the items of a review by reviewer
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, state)
WHERE item.reviewer >= '' AND item.state > ''
RETURN item.reviewer AS reviewer, item.state AS state, count(*) AS number;

// Read how fast reviewers decide
MATCH (entry:ReviewDecision {review: $id})
USING INDEX SEEK entry:ReviewDecision(review, act, by, at)
WHERE entry.act IN ['keep', 'revoke'] AND entry.by >= '' AND entry.at IS NOT NULL
RETURN entry.by AS reviewer, sum(CASE entry.act WHEN 'keep' THEN 1 ELSE 0 END) AS keeps,
  count(DISTINCT entry.at.epochSeconds / 60) AS minutes;

// Find the items whose revokes are so far
MATCH (done:ReviewRemediation {review: $id})
WHERE done.item > 0 AND done.state IN $states[0]
RETURN done.item AS number
ORDER BY done.item
LIMIT $most;

// Count the remediation of a review by state
MATCH (done:ReviewRemediation {review: $id})
USING INDEX SEEK done:ReviewRemediation(review)
RETURN done.state AS state, count(*) AS number;

// List reviews of which revoked facts came back
MATCH (review:Review)
USING INDEX SEEK review:Review(state)
WHERE review.state > ''
WITH review, COUNT {
  MATCH (done:ReviewRemediation {review: review.key, state: 'came_back'})
} AS count
WHERE count > 0
RETURN review.key AS id, review.name AS name, count
ORDER BY count DESC, id;

// Write people of a review
UNWIND $rows[0] AS row
MERGE (person:ReviewPerson {key: row.key})
SET person += row.properties;

// Write items of a review
UNWIND $rows[0] AS row
MERGE (item:ReviewItem {key: row.key})
SET item += row.properties;

// Find openings of reviews that did not end
MATCH (review:Review)
WHERE size(review.openings) > 0 AND review.opening_since < datetime($before)
RETURN review.key AS id, review.openings AS openings;

// Give up openings of a review
MATCH (review:Review {key: $id})
SET review.openings = [opening IN review.openings |
  CASE WHEN opening IN $openings[0] AND NOT opening STARTS WITH 'left:' THEN 'left:' + opening ELSE opening END]
RETURN review.openings AS openings;

// Forget openings of a review
MATCH (review:Review {key: $id})
SET review.openings = [opening IN review.openings WHERE NOT opening IN $openings[0]];

// Read people of a review
UNWIND $keys[0] AS key
MATCH (person:ReviewPerson {key: key})
RETURN properties(person) AS person;

// List people of a review
MATCH (person:ReviewPerson {review: $run})
RETURN properties(person) AS person;

// Find a person of a review
UNWIND $keys[0] AS key
MATCH (person:ReviewPerson {review: $run, person: key})
RETURN DISTINCT person.alias AS alias
ORDER BY size(alias), alias;

// Find the items that people hold
UNWIND $people[0] AS person
MATCH (holder:ReviewPerson {person: person})
MATCH (review:Review {key: split(holder.review, '/')[0], run: holder.review})
MATCH (item:ReviewItem {review: holder.review})
WHERE item.holder = holder.alias
RETURN item.key AS key;

// Find what reviewers said about people
UNWIND $people[0] AS person
MATCH (holder:ReviewPerson {person: person})
MATCH (review:Review {key: split(holder.review, '/')[0], run: holder.review})
MATCH (item:ReviewItem {review: holder.review})
WHERE item.holder = holder.alias
WITH review.key AS id, collect(item.number) AS numbers
MATCH (entry:ReviewDecision {review: id})
WHERE entry.seq > 0 AND entry.item IN numbers AND entry.by <> ''
  AND entry.act IN ['keep', 'revoke', 'reassign', 'except']
RETURN entry.key AS key;

// Find exceptions of what people hold
UNWIND $people[0] AS person
MATCH (holder:ReviewPerson {person: person})
MATCH (review:Review {key: split(holder.review, '/')[0], run: holder.review})
MATCH (item:ReviewItem {review: holder.review})
WHERE item.holder = holder.alias
MATCH (done:ReviewRemediation {key: review.key + '|' + toString(toInteger(item.number))})
RETURN done.key AS key;

// Find items of a review that somebody gave away
MATCH (entry:ReviewDecision {review: $id})
WHERE entry.seq > 0 AND entry.act = 'reassign' AND entry.by IN $by[0] AND entry.detail = $to
  AND entry.item IN $items[0]
RETURN DISTINCT entry.item AS item;

// Read items of a review
UNWIND $numbers[0] AS number
MATCH (item:ReviewItem {key: $run + '|' + toString(number)})
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(number)})
RETURN properties(item) AS item, properties(done) AS done;

// List items of a review
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, number)
WHERE item.number > $after
  AND (size($states[0]) = 0 OR item.state IN $states[0])
  AND (size($reviewers[0]) = 0 OR item.reviewer IN $reviewers[0])
  AND (size($marks[0]) = 0 OR item.marks IN $marks[0])
WITH item
ORDER BY item.review, item.number
LIMIT $most
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(toInteger(item.number))})
RETURN properties(item) AS item, properties(done) AS done;

// List items of a review in one state
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, state, number)
WHERE item.state = $states[0][0] AND item.number > $after
  AND (size($states[0]) = 0 OR item.state IN $states[0])
  AND (size($reviewers[0]) = 0 OR item.reviewer IN $reviewers[0])
  AND (size($marks[0]) = 0 OR item.marks IN $marks[0])
WITH item
ORDER BY item.review, item.state, item.number
LIMIT $most
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(toInteger(item.number))})
RETURN properties(item) AS item, properties(done) AS done;

// List items of one reviewer
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer = $reviewers[0][0] AND item.number > $after
  AND (size($states[0]) = 0 OR item.state IN $states[0])
  AND (size($reviewers[0]) = 0 OR item.reviewer IN $reviewers[0])
  AND (size($marks[0]) = 0 OR item.marks IN $marks[0])
WITH item
ORDER BY item.review, item.reviewer, item.number
LIMIT $most
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(toInteger(item.number))})
RETURN properties(item) AS item, properties(done) AS done;

// List items of a review with some marks
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, marks, number)
WHERE item.marks IN $marks[0] AND item.number > $after
  AND (size($states[0]) = 0 OR item.state IN $states[0])
  AND (size($reviewers[0]) = 0 OR item.reviewer IN $reviewers[0])
  AND (size($marks[0]) = 0 OR item.marks IN $marks[0])
WITH item
ORDER BY item.number
LIMIT $most
OPTIONAL MATCH (done:ReviewRemediation {key: $id + '|' + toString(toInteger(item.number))})
RETURN properties(item) AS item, properties(done) AS done;

// Count the items of a review by marks and state
UNWIND $marks[0] AS marks
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, marks, state)
WHERE item.marks = marks AND item.state > ''
RETURN marks, item.state AS state, count(*) AS number;

// Count the items of a reviewer by marks and state
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, reviewer, number)
WHERE item.reviewer IN $aliases[0] AND item.number > 0 AND item.marks IN $marks[0]
RETURN item.marks AS marks, item.state AS state, count(*) AS number;

// List the facts of a review
MATCH (item:ReviewItem {review: $run})
USING INDEX SEEK item:ReviewItem(review, number)
WHERE item.number > $after AND item.state <> 'gone'
RETURN item.number AS number, item.fact AS fact, item.effect AS effect
ORDER BY item.review, item.number
LIMIT $most;

// List the chain of a review
MATCH (entry:ReviewDecision {review: $id})
USING INDEX SEEK entry:ReviewDecision(review, seq)
WHERE entry.seq > $after
WITH entry
ORDER BY entry.review, entry.seq
LIMIT $most
RETURN properties(entry) AS entry;

// List the remediation of a review
MATCH (done:ReviewRemediation {review: $id})
USING INDEX SEEK done:ReviewRemediation(review, item)
WHERE done.item > $after
WITH done
ORDER BY done.review, done.item
LIMIT $most
RETURN properties(done) AS done;

// Change items of a review
UNWIND $rows[0] AS row
MATCH (item:ReviewItem {key: $run + '|' + toString(row.number)})
SET item += row.properties;

// Write entries of the chain of a review
UNWIND $rows[0] AS row
CREATE (entry:ReviewDecision {key: row.key})
SET entry += row.properties;

// Set the remediation of a review
UNWIND $rows[0] AS row
MERGE (done:ReviewRemediation {key: row.key})
SET done += row.properties;

// Find exceptions that have ended
MATCH (done:ReviewRemediation {review: $id, state: 'excepted'})
WHERE done.excepted_until <= datetime($now)
RETURN done.item AS item
LIMIT 500;

// Read memberships that may be removed over SCIM
UNWIND $rows[0] AS row
MATCH (account:Entity {key: row.from})
USING INDEX SEEK account:Entity(key)
MATCH (group:Entity {key: row.to})
USING INDEX SEEK group:Entity(key)
WHERE account:LocalUser AND group:LocalGroup AND EXISTS { (account)-[:MEMBER_OF]->(group) }
MATCH (source:DataSource {key: account.data_source})-[:FROM]->(provider:Provider)
OPTIONAL MATCH (import:ScimImport {key: provider.key})
WITH provider, import, collect({number: row.number, account: account, group: group}) AS found
CALL (provider, import) {
  MATCH (provider)<-[:FROM]-(source:DataSource)<-[:FROM]-(application:Application)
  WHERE import IS NULL OR source.key = import.data_source
  RETURN count(application) AS applications
}
UNWIND found AS each
WITH provider, import, applications, each.number AS number, each.account AS account, each.group AS group
CALL (account) {
  MATCH (account)<-[:IDENTITY_OF]-(:Identity)<-[:KNOWN_AS]-(user:IdpUser)
  WITH DISTINCT user
  CALL (user) {
    MATCH (user)-[:KNOWN_AS]->(known:Identity)
    MATCH (who)-[:KNOWN_AS]->(known)
    RETURN known.name AS name, collect(who.key) AS whose
    UNION
    MATCH (who:IdpUser {fold_email: user.fold_email})
    USING INDEX SEEK who:IdpUser(fold_email)
    RETURN user.email AS name, collect(who.key) AS whose
  }
  RETURN collect({name: name, whose: whose}) AS known
}
RETURN number, provider.key AS provider, applications, account.data_source = import.data_source AS from_import,
  account.name AS account_name, known,
  [name IN [account.unique_id, account.id, account.name] WHERE name IS NOT NULL] AS account, account.email AS email,
  [(identity:Identity)-[:IDENTITY_OF]->(account) | identity.name] AS identities,
  coalesce(group.unique_id, group.id) AS group, group.name AS group_name;

// Find what was sent and has no answer
MATCH (done:ReviewRemediation)
WHERE done.awaited > ''
OPTIONAL MATCH (action:LifecycleAction {key: done.awaited})
OPTIONAL MATCH (state:LifecycleState {key: action.provider})
WITH done, action, state
WHERE action IS NULL OR action.status IN ['DONE', 'DEAD'] OR (action.status = 'DROPPED' AND NOT coalesce(state.held_until > datetime.realtime(), false))
RETURN done.review AS review, done.item AS item, done.awaited AS action
ORDER BY review, item
LIMIT 500;

// Find the reviews to look at
CALL () {
  MATCH (review:Review)
WHERE review.state IN ['open', 'closed'] AND review.remediated_at IS NULL
  RETURN review
  UNION ALL
  MATCH (review:Review {state: 'closed'})
  WHERE review.remediated_at IS NOT NULL AND (review.watched IS NULL OR EXISTS {
    MATCH (source:DataSource)
    WHERE source.key IN review.watched AND source.last_push IS NOT NULL
      AND NOT source.last_push IN coalesce(review.seen, [])
  })
  RETURN review
}
RETURN properties(review) AS review, COLLECT {
  MATCH (source:DataSource)
  WHERE source.key IN review.watched AND source.last_push IS NOT NULL
  RETURN source.last_push
} AS pushes;

// Find the reviews that are not finished
MATCH (review:Review)
WHERE review.state IN ['open', 'closed'] AND review.remediated_at IS NULL
RETURN properties(review) AS review;

// Find reviews that may be due again
MATCH (review:Review {state: 'closed'})
WHERE review.cadence IS NOT NULL AND review.next IS NULL
RETURN properties(review) AS review;

// Read applications and their sources
MATCH (application:Application)
WITH application, split(application.key, '|')[0] AS data_source
MATCH (source:DataSource {key: data_source})-[:FROM]->(provider:Provider)
RETURN application.key AS id, application.name AS name, data_source, source.name AS source,
  provider.name AS provider, coalesce(toString(application.since), '') AS since;

// Read an application and its source
MATCH (application:Entity {key: $id})
USING INDEX SEEK application:Entity(key)
WHERE application:Application
WITH application, split(application.key, '|')[0] AS data_source
MATCH (source:DataSource {key: data_source})-[:FROM]->(provider:Provider)
RETURN application.key AS id, application.name AS name, data_source, source.name AS source,
  provider.name AS provider, coalesce(toString(application.since), '') AS since;

// Find whether somebody needs a review
MATCH (review:Review {key: $id})
RETURN size(coalesce(review.openings, [])) > 0
  OR coalesce(review.remediated_at, review.cancelled_at) > datetime.realtime('Z') - duration({days: $days})
  OR (review.state = 'closed' AND coalesce(review.cadence, '') <> '' AND coalesce(review.next, '') = '') OR EXISTS {
  MATCH (next:Review {before: $id})
  WHERE next.state IN ['draft', 'open']
} OR EXISTS {
  MATCH (done:ReviewRemediation {review: $id})
  USING INDEX SEEK done:ReviewRemediation(review)
  WHERE done.awaited > '' OR (review.state = 'closed' AND (
    done.state IN ['ordered', 'blocked', 'came_back']
    OR (done.state = 'excepted' AND done.excepted_until > datetime($now))))
} AS is_needed;

// Remove a review
MATCH (review:Review {key: $id})
CREATE (removed:RemovedReview {key: review.key, run: coalesce(review.run, '')})
DELETE review;

// Find removed reviews
MATCH (removed:RemovedReview)
WHERE removed.key > ''
RETURN removed.key AS id, removed.run AS run
ORDER BY id;

// Remove some of what a review has
CALL () {
  MATCH (part:ReviewItem {review: $run})
  USING INDEX SEEK part:ReviewItem(review)
  RETURN part LIMIT $most
  UNION
  MATCH (part:ReviewPerson {review: $run})
  USING INDEX SEEK part:ReviewPerson(review)
  RETURN part LIMIT $most
  UNION
  MATCH (part:ReviewDecision {review: $id})
  USING INDEX SEEK part:ReviewDecision(review, seq)
  WHERE part.seq > 0
  RETURN part LIMIT $most
  UNION
  MATCH (part:ReviewRemediation {review: $id})
  USING INDEX SEEK part:ReviewRemediation(review)
  RETURN part LIMIT $most
  UNION
  MATCH (part:ReviewedPlace {review: $id})
  USING INDEX SEEK part:ReviewedPlace(review)
  RETURN part LIMIT $most
}
WITH part LIMIT $most
DELETE part
RETURN count(*) AS removed;

// Forget a removed review
MATCH (removed:RemovedReview {key: $id})
DELETE removed;

// Find who has addresses
UNWIND $addresses[0] AS address
CALL (address) {
  MATCH (user:IdpUser {fold_email: address})
  RETURN user.key AS key
UNION
  MATCH (employee:Employee {fold_email: address})
  RETURN employee.key AS key
}
RETURN address, key;

// Read the notes of a day about mails
MATCH (mail:ReviewMail {day: $day})
RETURN mail.key AS key, mail.state <> 'impossible' AS isMail,
  mail.state = 'waiting' AND mail.at <= datetime($now) AS isDue;

// Let one process send a mail
MERGE (mail:ReviewMail {key: $key})
ON CREATE SET mail.day = $day, mail.state = 'waiting', mail.at = datetime($now), mail.tries = 0
SET mail.lock = true
REMOVE mail.lock
WITH mail
WHERE mail.state = 'waiting' AND mail.at <= datetime($now)
SET mail.state = 'sending', mail.tries = mail.tries + 1, mail.at = datetime($now)
RETURN mail.tries AS tries;

// Note what became of a mail
MATCH (mail:ReviewMail {key: $key})
SET mail.state = $state, mail.at = datetime($at);

// Remove old notes about mails
MATCH (mail:ReviewMail)
WHERE mail.day < $day
DELETE mail;

// Erase: count chunked pushes
MATCH (large:LargePush)
RETURN count(large) AS number;

// Erase: people
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE n:IdpUser|Employee|LocalUser|Identity
RETURN key, [label IN labels(n) WHERE label IN ['IdpUser','Employee','LocalUser','Identity']][0] AS label, properties(n) AS properties;

// Erase: what belongs to people
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE n:IdpUser|Employee|LocalUser|Identity
MATCH (n)-[r:HAS_ACCOUNT|SOURCE_IDENTITY_OF|KNOWN_AS|IDENTITY_OF]-(other:IdpUser|Employee|LocalUser|Identity|IdpGroup)
RETURN key, type(r) AS type, other.key AS other, labels(other) AS labels, r.since AS since;

// Erase: data sources of what belongs to people
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
MATCH (n)--(row)
WHERE row.row_hash IS NOT NULL
RETURN DISTINCT left(row.key, 36) AS source;

// Erase: what resolves to people
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
WHERE n:IdpUser|Employee|LocalUser|Identity
MATCH (n)<-[:RESOLVES_TO]-(entity:ExternalEntity)
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

// Erase: who states MEMBER_OF
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:MEMBER_OF]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IDENTITY_OF
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (end)-[r:IDENTITY_OF]->(row)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states OWNS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:OWNS]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states ASSIGNED_TO
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:ASSIGNED_TO]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states ASSUMES_ROLE
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:ASSUMES_ROLE]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states HAS_CREDENTIAL
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:HAS_CREDENTIAL]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states USES_MODEL
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:USES_MODEL]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states HOLDS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (end)-[r:HOLDS]->(row)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states OF
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:OF]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states ON
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:ON]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states ALLOWS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:ALLOWS]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states INCLUDES
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:INCLUDES]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states CONTAINS
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (end)-[r:CONTAINS]->(row)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states CONNECTS_TO
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:CONNECTS_TO]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states OWNED_BY
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:OWNED_BY]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states MANAGED_BY
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:MANAGED_BY]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IN_DEPARTMENT
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:IN_DEPARTMENT]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states IN_COST_CENTER
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:IN_COST_CENTER]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states FROM
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:FROM]->(end)
WHERE $label[0] IN labels(row)
RETURN collect([key, row.key, r.since]) AS found;

// Erase: who states TAGGED
UNWIND $keys[0] AS key
MATCH (end:Entity {key: key})
USING INDEX SEEK end:Entity(key)
MATCH (row)-[r:TAGGED]->(end)
WHERE $label[0] IN labels(row) AND r.derived IS NULL
RETURN collect([key, row.key, r.since]) AS found;

// Erase: when rows changed
UNWIND $keys[0] AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
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

// Write a session
CREATE (session:PersonSession {key: $id, since: $at})
SET session += $properties;

// Find a session
MATCH (session:PersonSession {fold_hash: $hash})
WHERE session.ends_at > $now AND session.last_seen > $idle
OPTIONAL MATCH (key:TeamKey {key: session.key_id})
OPTIONAL MATCH (person:Entity {key: session.people[0]})
RETURN session {.*, id_token: null} AS session, properties(key) AS key,
  session.people IS NULL OR person IS NOT NULL AND coalesce(person.is_active, true) AS is_active;

// Note that a person was here
MATCH (session:PersonSession {key: $id})
WHERE session.last_seen < $before
SET session.last_seen = $now;

// List sessions
MATCH (session:PersonSession)
WHERE session.ends_at > $now AND session.last_seen > $idle
OPTIONAL MATCH (key:TeamKey {key: session.key_id})
OPTIONAL MATCH (person:Entity {key: session.people[0]})
RETURN session {.*, id_token: null} AS session, properties(key) AS key,
  session.people IS NULL OR person IS NOT NULL AND coalesce(person.is_active, true) AS is_active;

// Lock a session
MATCH (session:PersonSession {key: $id})
SET session.since = session.since;

// End a session
MATCH (session:PersonSession {key: $id})
WITH session, properties(session) AS ended
DELETE session
RETURN ended AS session;

// End the session of a token
MATCH (session:PersonSession {fold_hash: $hash})
WITH session, properties(session) AS ended
DELETE session
RETURN ended AS session;

// End the oldest sessions of a person
MATCH (session:PersonSession {subject: $subject})
WITH session
ORDER BY session.last_seen DESC
SKIP $most
DELETE session;

// Remove sessions that ended
MATCH (session:PersonSession)
WHERE session.ends_at <= $now OR session.last_seen <= $idle
WITH session
LIMIT $most
DELETE session
RETURN count(*) AS removed;

// Write a one-time code
CREATE (code:SignInCode {key: $hash, since: $at})
SET code += $properties;

// Lock a one-time code
MATCH (code:SignInCode {key: $hash})
SET code.since = code.since
WITH code
OPTIONAL MATCH (key:TeamKey {key: code.key_id})
RETURN properties(code) AS code, properties(key) AS key;

// Use a one-time code
MATCH (code:SignInCode {key: $hash})
SET code.used_at = $now;

// Remove old one-time codes
MATCH (code:SignInCode)
WHERE code.expires_at < $before
WITH code
LIMIT $most
DELETE code
RETURN count(*) AS removed;

// Lock what is counted of sign-ins
MERGE (count:SignInCount {key: $subject})
ON CREATE SET count.since = $now, count.sign_ins = 0.0, count.codes = 0.0, count.subject = $subject
SET count.key = $subject;

// Read what is counted of sign-ins
MERGE (count:SignInCount {key: $subject})
ON CREATE SET count.since = $now, count.sign_ins = 0.0, count.codes = 0.0, count.subject = $subject
RETURN properties(count) AS count;

// Write what is counted of sign-ins
MATCH (count:SignInCount {key: $subject})
SET count += $counts;

// Remove old counts of sign-ins
MATCH (count:SignInCount)
WHERE count.since < $before
WITH count
LIMIT $most
DELETE count
RETURN count(*) AS removed;

// Lock a team key
MATCH (key:TeamKey {key: $id})
SET key.since = key.since;

// Find a team key
MATCH (key:TeamKey {key: $id})
RETURN properties(key) AS key;

// End the sessions of a team key
MATCH (session:PersonSession {subject: $subject})
DELETE session;

// End the one-time codes of a team key
MATCH (code:SignInCode {key_id: $keyId})
WHERE code.used_at IS NULL
DELETE code;

// End the sessions of people
UNWIND $people[0] AS person
MATCH (session:PersonSession {people: [person]})
DELETE session;

// End the sessions of a changed setting
MATCH (session:PersonSession)
WHERE session.setting = $setting AND session.setting_mark <> coalesce($mark, '')
DELETE session;

// End the one-time codes of a changed setting
MATCH (code:SignInCode)
WHERE code.setting = $setting AND code.setting_mark <> coalesce($mark, '') AND code.used_at IS NULL
DELETE code;

// Find the users whom a claim may mean
MATCH (source:DataSource)
WHERE source.key = $dataSource OR source.name = $dataSource
WITH collect(source.key) AS sources
CALL (sources) {
  MATCH (user:IdpUser {fold_id: $value})
  WHERE user.data_source IN sources
  RETURN user
UNION
  MATCH (user:IdpUser {fold_email: $value})
  WHERE user.data_source IN sources
  RETURN user
}
RETURN size(sources) AS sources, collect(DISTINCT {
  key: user.key, identity: user.identity, name: user.name, email: user.email,
  is_active: coalesce(user.is_active, true)
}) AS users;

// Use the answer of an issuer
MERGE (code:SignInCode {key: $hash})
ON CREATE SET code.since = $at, code.used_at = $at, code.expires_at = $until, code.request_id = $request
RETURN code.request_id = $request AS isFirst;

// SCIM: a data source
MATCH (source:DataSource {key: $source})-[:FROM]->(provider:Provider)
RETURN properties(provider) AS provider, properties(source) AS source;

// SCIM: IdpUser by name
MATCH (entity:IdpUser {fold_name: $name[0]})
USING INDEX SEEK entity:IdpUser(fold_name)
WHERE entity.data_source = $source
WITH entity
ORDER BY entity.key
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

// SCIM: users or groups by key
UNWIND $keys[0] AS key
CALL (key) {
  MATCH (entity:Entity {key: key})
USING INDEX SEEK entity:Entity(key)
  RETURN entity
}
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: users or groups by external id
MATCH (entity:Entity)
USING INDEX SEEK entity:Entity(key)
WHERE entity.key STARTS WITH $prefix
  AND entity.customprop_external_id = $external[0]
WITH entity
ORDER BY entity.key
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: count of users or groups
MATCH (entity:Entity)
USING INDEX SEEK entity:Entity(key)
WHERE entity.key STARTS WITH $prefix
RETURN count(entity) AS total;

// SCIM: a page of users or groups
MATCH (entity:Entity)
USING INDEX SEEK entity:Entity(key)
WHERE entity.key STARTS WITH $prefix
WITH entity
ORDER BY entity.key
SKIP $skip
LIMIT $most
RETURN properties(entity) AS properties,
  [(entity)-[:MEMBER_OF]->(group:IdpGroup) WHERE group.data_source = entity.data_source |
    [coalesce(group.identity, group.name), group.name]] AS groups;

// SCIM: users or groups after a key
MATCH (entity:Entity)
USING INDEX SEEK entity:Entity(key)
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
  MATCH (group:Entity {key: key})
USING INDEX SEEK group:Entity(key)
  MATCH (group)<-[:MEMBER_OF]-(member:IdpUser|IdpGroup)
  WHERE member.data_source = group.data_source
  RETURN member
}
RETURN key, coalesce(member.identity, member.name) AS id, member.identity AS identity,
  member.name AS name, member:IdpUser AS is_user, member.key AS member
ORDER BY key, member;

// SCIM: counts of members
UNWIND $keys[0] AS key
MATCH (group:Entity {key: key})
USING INDEX SEEK group:Entity(key)
RETURN key, COUNT { (group)<-[:MEMBER_OF]-() } AS members;

// SCIM: groups that wait for a member
MATCH (entity:Entity)
USING INDEX SEEK entity:Entity(key)
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

// Acquire the lock of backups
MERGE (lock:BackupLock {key: 'backup'})
SET lock.lock = true
REMOVE lock.lock;

// Restore: what waits
MATCH (store:Store {key: 'store'})
OPTIONAL MATCH (key:TeamKey {status: 'INACTIVE'})
WHERE key.id IN store.restored_keys
WITH store, key
ORDER BY key.name, key.id
RETURN store.restored AS restored, store.paused AS paused, collect(key {.id, .name}) AS keys;

// Restore: start what waits
MATCH (store:Store {key: 'store'})
WHERE store.paused IS NOT NULL
REMOVE store.paused
RETURN true AS started;

// List data sources by turns of their providers
MATCH (source:DataSource)-[:FROM]->(provider:Provider)
USING INDEX SEEK source:DataSource(name)
WHERE source.name >= ''
WITH source, provider
ORDER BY source.last_push_at IS NULL, source.last_push_at DESC, source.name
WITH provider, collect(source) AS sources
UNWIND range(0, size(sources) - 1) AS turn
WITH provider, turn, sources[turn] AS source
ORDER BY source.last_push_at IS NULL, turn, source.last_push_at DESC, provider.name, source.name
LIMIT $most
OPTIONAL MATCH (import:ScimImport {key: provider.key})
WITH *,
  CASE WHEN $administers AND import.data_source = source.key THEN coalesce(import.failures, 0) ELSE 0 END AS failed_imports,
  CASE WHEN $administers THEN COUNT {
    MATCH (action:LifecycleAction)
    WHERE action.provider = provider.key AND action.status IN ['FAILED', 'DEAD'] AND action.review IS NULL
  } ELSE 0 END AS failed_actions
OPTIONAL MATCH (push:Push {key: source.last_push})
RETURN properties(source) AS source, properties(provider) AS provider, failed_imports, failed_actions,
  coalesce(push.warning_count, 0) AS warnings
ORDER BY source.last_push_at IS NULL, turn, source.last_push_at DESC, provider.name, source.name;

// List data sources with the oldest push first
MATCH (source:DataSource)-[:FROM]->(provider:Provider)
USING INDEX SEEK source:DataSource(name)
WHERE source.name >= ''
WITH source, provider
ORDER BY coalesce(source.last_push_at, source.since), provider.name, source.name
LIMIT $most
OPTIONAL MATCH (import:ScimImport {key: provider.key})
WITH *,
  CASE WHEN $administers AND import.data_source = source.key THEN coalesce(import.failures, 0) ELSE 0 END AS failed_imports,
  CASE WHEN $administers THEN COUNT {
    MATCH (action:LifecycleAction)
    WHERE action.provider = provider.key AND action.status IN ['FAILED', 'DEAD'] AND action.review IS NULL
  } ELSE 0 END AS failed_actions
OPTIONAL MATCH (push:Push {key: source.last_push})
RETURN properties(source) AS source, properties(provider) AS provider, failed_imports, failed_actions,
  coalesce(push.warning_count, 0) AS warnings
ORDER BY coalesce(source.last_push_at, source.since), provider.name, source.name;

// List data sources of which something failed
MATCH (source:DataSource)-[:FROM]->(provider:Provider)
USING INDEX SEEK source:DataSource(name)
WHERE source.name >= ''
WITH source, provider
OPTIONAL MATCH (import:ScimImport {key: provider.key})
WITH *,
  CASE WHEN $administers AND import.data_source = source.key THEN coalesce(import.failures, 0) ELSE 0 END AS failed_imports,
  CASE WHEN $administers THEN COUNT {
    MATCH (action:LifecycleAction)
    WHERE action.provider = provider.key AND action.status IN ['FAILED', 'DEAD'] AND action.review IS NULL
  } ELSE 0 END AS failed_actions
WHERE source.status = 'ERROR' OR failed_imports > 0 OR failed_actions > 0
WITH source, provider, failed_imports, failed_actions, failed_imports + failed_actions AS failures
ORDER BY failures DESC, coalesce(source.rows, 0) DESC, source.name, source.key
WITH provider, collect({source: source, imports: failed_imports, actions: failed_actions, failures: failures}) AS sources
UNWIND range(0, size(sources) - 1) AS turn
WITH provider, turn, sources[turn] AS one
ORDER BY turn, one.failures DESC, coalesce(one.source.rows, 0) DESC, provider.name, provider.key
WITH collect({provider: provider, one: one}) AS failed
UNWIND failed[..$most] AS each
RETURN properties(each.one.source) AS source, properties(each.provider) AS provider,
  each.one.imports AS failed_imports, each.one.actions AS failed_actions, 0 AS warnings, size(failed) AS total;

// Count stale data sources
MATCH (source:DataSource)-[:FROM]->(provider:Provider)
USING INDEX SEEK source:DataSource(name)
WHERE source.name >= ''
WITH source, provider
WHERE coalesce(source.last_push_at, source.since) < datetime($before)
WITH source.key AS id, source.name AS name, provider.name AS provider
ORDER BY provider, name, id
RETURN count(*) AS count, collect({id: id, name: name, provider: provider})[..3] AS names;

// Count actions of policies that failed
MATCH (action:LifecycleAction)
WHERE action.status IN ['FAILED', 'DEAD'] AND action.review IS NULL
WITH action ORDER BY action.key DESC
WITH count(*) AS count, collect(DISTINCT action.provider) AS providers,
  collect(action.people[0])[..3] AS people
RETURN count,
  COLLECT {
    UNWIND people AS key
    WITH DISTINCT key
    OPTIONAL MATCH (user:Entity {key: key})
USING INDEX SEEK user:Entity(key)
    WITH key, coalesce(user.name, split(key, '|')[-1]) AS name, user.provider AS provider
    RETURN {id: key, name: name, provider: provider} ORDER BY name, provider
  } AS names,
  CASE WHEN size(providers) = 1 THEN COLLECT {
    MATCH (source:DataSource)-[:FROM]->(provider:Provider {key: providers[0]})
    RETURN source.key ORDER BY source.name, source.key LIMIT 1
  }[0] END AS source;

// Find a data source with its provider
MATCH (source:DataSource {key: $id})-[:FROM]->(provider:Provider)
RETURN properties(source) AS source, properties(provider) AS provider;

// Find the names of providers
UNWIND $ids AS id
MATCH (provider:Provider {key: id})
RETURN id, provider.name AS name;

// List pushes with warnings or problems
MATCH (push:Push)
WHERE push.at >= datetime($since) AND (push.warning_count > 0 OR push.problem_count > 0)
WITH push
ORDER BY push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN properties(push) AS push, source.key AS source_id, source.name AS source, provider.name AS provider
ORDER BY push.at DESC, push.key DESC;

// Find a push by the beginning of its id
MATCH (push:Push)
USING INDEX SEEK push:Push(key)
WHERE push.key STARTS WITH $beginning
WITH push ORDER BY push.key LIMIT 2
MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN properties(push) AS push, source.key AS source_id, source.name AS source, provider.name AS provider
ORDER BY push.key;

// Add up what pushes changed in access on each day
MATCH (store:Store {key: 'store'})
MATCH (push:Push)
WHERE push.at > datetime($from) AND push.at <= datetime($to)
  AND (push.access_gained > 0 OR push.access_lost > 0 OR (push.access_state IS NOT NULL OR push.turn > store.access_turn))
RETURN size([begin IN $begins WHERE push.at > datetime(begin)]) - 1 AS span,
  toInteger(sum(coalesce(push.access_gained, 0))) AS gained,
  toInteger(sum(coalesce(push.access_lost, 0))) AS lost,
  CASE WHEN count(push.access_people) = count(*)
    THEN toInteger(max(push.access_people)) END AS people,
  count(CASE WHEN (push.access_state IS NOT NULL OR push.turn > store.access_turn) THEN 1 END) AS uncounted
ORDER BY span;

// List pushes that changed access
MATCH (store:Store {key: 'store'})
MATCH (push:Push)
WHERE push.at > datetime($from) AND push.at <= datetime($to)
  AND (push.access_gained > 0 OR push.access_lost > 0 OR (push.access_state IS NOT NULL OR push.turn > store.access_turn))
WITH push
ORDER BY push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN properties(push) AS push, source.key AS source_id, source.name AS source, provider.name AS provider
ORDER BY push.at DESC, push.key DESC;

// Find the pushes that changed access most
MATCH (store:Store {key: 'store'})
MATCH (push:Push)
WHERE push.at > datetime($from) AND push.at <= datetime($to)
  AND (push.access_gained > 0 OR push.access_lost > 0 OR (push.access_state IS NOT NULL OR push.turn > store.access_turn))
WITH push, CASE WHEN (push.access_state IS NOT NULL OR push.turn > store.access_turn) THEN 0 ELSE 1 END AS is_counted,
  coalesce(push.access_gained, 0) + coalesce(push.access_lost, 0) AS changed
ORDER BY is_counted, changed DESC, push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN properties(push) AS push, source.key AS source_id, source.name AS source, provider.name AS provider
ORDER BY push.at DESC, push.key DESC;

// List the newest pushes that changed access
MATCH (store:Store {key: 'store'})
MATCH (push:Push)
USING INDEX SEEK push:Push(outcome, at)
WHERE push.outcome = 'accepted' AND push.at > datetime($from)
WITH store, push ORDER BY push.at DESC LIMIT $looked
WHERE push.access_gained > 0 OR push.access_lost > 0 OR (push.access_state IS NOT NULL OR push.turn > store.access_turn)
WITH push
ORDER BY push.at DESC, push.key DESC
LIMIT $most
MATCH (push)-[:FROM]->(source:DataSource)-[:FROM]->(provider:Provider)
RETURN properties(push) AS push, source.key AS source_id, source.name AS source, provider.name AS provider
ORDER BY push.at DESC, push.key DESC;

// Find the last version of a node that ended
MATCH (version:PastNode {key: $id})
USING INDEX SEEK version:PastNode(key, until)
WHERE version.until > datetime({epochMillis: 0})
MATCH (store:Store {key: 'store'})
WITH version, store
WHERE version.until > store.history_since AND version.label IN ['IdpUser', 'IdpGroup', 'LocalUser', 'LocalGroup', 'LocalRole', 'AccessCredential', 'LocalAgent', 'Employee', 'Identity', 'Application', 'Resource']
WITH version.key AS id, max(version.until) AS until, collect(version) AS versions
WITH id, until, [version IN versions WHERE version.until = until][0] AS version
OPTIONAL MATCH (node:Entity {key: id})
RETURN id, version.label AS label, coalesce(version.name, version.arn, version.id, version.unique_id, '') AS name, version.provider AS provider,
  toString(until) AS until, coalesce(node.name, node.arn, node.id, node.unique_id, '') AS name_now, node IS NOT NULL AS exists_now,
  COLLECT { MATCH (push:Push {at: until}) RETURN push.id }[0] AS push;

// Find what had a name, among what ended last
MATCH (version:PastNode)
USING INDEX SEEK version:PastNode(until)
WHERE version.until > datetime({epochMillis: 0})
WITH version ORDER BY version.until DESC LIMIT $looked
// The path of a resource has its name in it.
WITH version
WHERE any(text IN $texts[0] WHERE coalesce(version.path, version.name, '') CONTAINS text) AND ($label = '' OR version.label = $label)
  AND NOT version.key IN $found[0]
WITH version
MATCH (store:Store {key: 'store'})
WITH version, store
WHERE version.until > store.history_since AND version.label IN ['IdpUser', 'IdpGroup', 'LocalUser', 'LocalGroup', 'LocalRole', 'AccessCredential', 'LocalAgent', 'Employee', 'Identity', 'Application', 'Resource']
WITH version.key AS id, max(version.until) AS until, collect(version) AS versions
WITH id, until, [version IN versions WHERE version.until = until][0] AS version
OPTIONAL MATCH (node:Entity {key: id})
// What is called so still would take the places of what is gone.
WITH id, until, version, node
WHERE NOT any(text IN $texts[0] WHERE coalesce(node.path, node.name, '') CONTAINS text)
WITH id, until, version, node ORDER BY until DESC, id LIMIT $most
RETURN id, version.label AS label, coalesce(version.name, version.arn, version.id, version.unique_id, '') AS name, version.provider AS provider,
  toString(until) AS until, coalesce(node.name, node.arn, node.id, node.unique_id, '') AS name_now, node IS NOT NULL AS exists_now,
  COLLECT { MATCH (push:Push {at: until}) RETURN push.id }[0] AS push
ORDER BY until DESC, id;

// Find how far back versions that ended are looked at
MATCH (version:PastNode)
USING INDEX SEEK version:PastNode(until)
WHERE version.until > datetime({epochMillis: 0})
WITH version ORDER BY version.until DESC SKIP $looked LIMIT 1
RETURN toString(version.until) AS until;

// List names that begin alike
UNWIND $beginnings[0] AS beginning
CALL (beginning) {
  CALL (beginning) {
    MATCH (n:IdpUser)
    USING INDEX SEEK n:IdpUser(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:IdpGroup)
    USING INDEX SEEK n:IdpGroup(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:Application)
    USING INDEX SEEK n:Application(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:LocalUser)
    USING INDEX SEEK n:LocalUser(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:LocalGroup)
    USING INDEX SEEK n:LocalGroup(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:LocalRole)
    USING INDEX SEEK n:LocalRole(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:AccessCredential)
    USING INDEX SEEK n:AccessCredential(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:LocalAgent)
    USING INDEX SEEK n:LocalAgent(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:Resource)
    USING INDEX SEEK n:Resource(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
  UNION
  CALL (beginning) {
    MATCH (n:Employee)
    USING INDEX SEEK n:Employee(fold_name)
    WHERE n.fold_name STARTS WITH beginning
    RETURN n.name AS name LIMIT $most
  }
  RETURN name
}
RETURN DISTINCT name;

// Find what lists say of entities
UNWIND $keys AS key
MATCH (n:Entity {key: key})
USING INDEX SEEK n:Entity(key)
RETURN {
    id: n.key,
    label: [label IN labels(n) WHERE NOT label IN ['Entitlement', 'Entity', 'Principal', 'Role']][0],
    name: coalesce(n.name, n.arn, n.id, n.unique_id, ''),
    path: n.path,
    resource_type: n.resource_type,
    application: n.application,
    domain: n.domain,
    provider: n.provider,
    inactive: coalesce(n.is_active = false, false) OR coalesce(n.deactivated_at <= datetime(), false)
  } AS summary;

// Find the departments of directory users
UNWIND $keys AS key
MATCH (user:Entity {key: key})
USING INDEX SEEK user:Entity(key)
WHERE user:IdpUser AND user.department IS NOT NULL
RETURN key, user.department AS department;

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
