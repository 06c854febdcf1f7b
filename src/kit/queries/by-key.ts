import { PERMISSIONS_BETWEEN } from '../../translate/questions/access-pages';
import { GAIN } from '../../translate/questions/access-rules';
import { accessFound, accessOf, accessTo } from '../../translate/questions/access-statements';
import { labelOf, nameOf } from '../../translate/clauses/summary';
import { parameter } from '../parameters';
import { type Question, topic } from '../saved-query';

// Keys differ from graph to graph: the examples find them.
const PRINCIPAL = parameter(
  'principal',
  "COLLECT { MATCH (user:IdpUser {fold_name: 'nadia haddad'}) RETURN user.key }[0]",
  'the key of a principal, or of a resource that connects to one; the example finds one by its name',
);
const RESOURCE = parameter(
  'resource',
  "COLLECT { MATCH (resource:Resource {fold_path: 'firmware.motor-control'}) RETURN resource.key }[0]",
  'the key of a resource or application; the example finds one by its path',
);

/** The permissions of lists of nodes, by name. */
const NAMES = `COLLECT {
    UNWIND permissions AS list
    UNWIND list AS permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions`;

const ofPrincipal: Question = {
  name: 'access-of-principal',
  title: 'What a principal can reach (by key)',
  question: 'What can a principal reach?',
  parameters: [PRINCIPAL],
  rows: 'One row for each resource or application, with the native permissions. The service asks the same.',
  cypher: `${accessOf}
RETURN ${nameOf('target')} AS resource, target.path AS path, ${labelOf('target')} AS label,
  target.application AS application,
  ${NAMES}, target.key AS key
ORDER BY resource, application, label, key`,
};

const toResource: Question = {
  name: 'access-to-resource',
  title: 'Who can reach a resource (by key)',
  question: 'Who can reach a resource?',
  parameters: [RESOURCE],
  rows: 'One row for each principal, and for each resource that connects to one, with the native permissions. The service asks the same.',
  cypher: `${accessTo}
RETURN ${nameOf('who')} AS principal, ${labelOf('who')} AS label,
  coalesce(who.application, who.domain) AS lives_in, who.is_active AS is_active,
  ${NAMES}, who.key AS key
ORDER BY principal, lives_in, label, key`,
};

const check: Question = {
  name: 'check-access',
  title: 'What a principal may do with a resource (by keys)',
  question: 'What may a principal do with a resource?',
  parameters: [PRINCIPAL, RESOURCE],
  rows: 'One row for each native permission, with its canonical types; none: no access. The service asks the same.',
  cypher: PERMISSIONS_BETWEEN,
};

const explain: Question = {
  name: 'explain-access',
  title: 'Through what a principal has access (by keys, a picture)',
  question: 'Through what does a principal have access to a resource?',
  parameters: [
    PRINCIPAL,
    RESOURCE,
    parameter('names', 'null', "the native permissions that count, such as ['Push']; null: all"),
    parameter('permission_type', "'DataWrite'", 'the canonical type that counts; null: all'),
  ],
  rows: 'The shortest ways to each thing held, what that gives, and where: a picture in Neo4j Browser. The service asks the same.',
  cypher: `${accessFound}
UNWIND found AS row
UNWIND row.permissions AS permission
WITH DISTINCT who, target, row.held AS held, row.scope AS scope, permission
MATCH way = ALL SHORTEST
  (who) (()-[:CONNECTS_TO]->()-[:RESOLVES_TO]->()){0,1} (entity:Principal)-[:${GAIN}]->+(held)
MATCH gives = ALL SHORTEST (held)-[:OF|INCLUDES|ALLOWS]->+(permission)
MATCH place = (held)-[:ON]->(scope)-[:CONTAINS*0..]->(target)
RETURN way, gives, place
ORDER BY length(way) + length(gives), permission.name, held.key`,
};

/** The service's own questions about access, as analysts run them. */
export const accessByKey = topic('access', [ofPrincipal, toResource, check, explain]);
