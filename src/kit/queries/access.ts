import { ACTED_FOR, GAIN } from '../../translate/questions/access-rules';
import { folded } from '../../translate/clauses/fold';
import { parameter, person, RESOURCE } from '../parameters';
import {
  ADMINISTERING,
  FIND_PERSON,
  FIND_RESOURCE,
  heldAbove,
  heldOnScope,
  inOrder,
  isAnyOf,
  kindOf,
  marksOf,
  named,
  permissionNames,
  placed,
  reachedFrom,
} from '../pieces';
import { type Question, topic } from '../saved-query';

/** The steps of a `way` to what is `held`, as a text; `first` are the steps before it. */
const wayAsText = (
  first: string,
): string => `reduce(text = '', step IN ${first} + [node IN nodes(way) WHERE NOT node:Entitlement | ${named('node')}] |
    CASE WHEN text = '' THEN step ELSE text + ' → ' + step END) +
  ' → ' + held.name + ' on ' + reduce(text = '', name IN scopes | CASE WHEN text = '' THEN name ELSE text + ', ' + name END)`;

/** Who has permissions of some canonical types on a resource, and through what. */
const whoCan = (verb: string, types: readonly string[]): Question => ({
  name: `who-can-${verb.replace(' ', '-')}-a-resource`,
  title: `Who can ${verb} a resource`,
  question: `Who can ${verb} a resource, and through what?`,
  parameters: [RESOURCE],
  rows: `One row for each principal with effective access (graph.md 9) of the canonical types ${types.join(', ')}: who it is, its permissions, and the shortest ways to each grant or role assignment that gives them.`,
  cypher: `${FIND_RESOURCE}
${heldAbove()}
UNWIND entitlements AS held
UNWIND permissions AS permission
WITH target, held, permission.name AS permission, permission.permission_type AS types, scope.name AS scope
WHERE ${isAnyOf('types', types)}
WITH target, held, permission, scope ORDER BY permission, scope
WITH target, held, collect(DISTINCT permission) AS permissions, collect(DISTINCT scope) AS scopes
// Everyone from whom a path of gain leads to a holder.
MATCH (holder)-[:HOLDS]->(held)
MATCH way = ALL SHORTEST
  (entity:Principal)-[:${GAIN}]->*(holder)
// A connected resource acts with that entity's access, one step, and does not pass it on.
${ACTED_FOR}
WITH target, who, permissions, length(way) AS steps,
  ${wayAsText('CASE WHEN who = entity THEN [] ELSE [who.name] END')} AS through
UNWIND permissions AS permission
WITH target, who, permission, through ORDER BY steps, through, permission
WITH target, who, collect(DISTINCT permission) AS permissions, collect(DISTINCT through) AS through
RETURN ${placed('target')} AS resource,
  ${named('who')} AS who,
  ${kindOf('who')} AS label,
  ${marksOf('who')} AS marks,
  coalesce(who.application, who.domain) AS lives_in,
  permissions,
  through,
  who.key AS key
ORDER BY resource, who, label, key`,
});

const reach: Question = {
  name: 'what-a-person-can-reach',
  title: 'What a person can reach',
  question: 'What can a person reach, and with which permissions?',
  parameters: [person('Omar Farouk')],
  rows: 'One row for each application or resource, with all permissions of all ways.',
  cypher: `${FIND_PERSON}
${reachedFrom('person', 'person')}
WITH person, target, collect(permissions) AS found
RETURN person.name AS person,
  target.application AS application,
  ${placed('target')} AS resource,
  coalesce(target.resource_type, ${kindOf('target')}) AS type,
  ${permissionNames('found')} AS permissions,
  target.key AS key
ORDER BY person, application, resource, key`,
};

const why: Question = {
  name: 'why-a-person-has-access',
  title: 'Why a person has access',
  question: 'Through what does a person have access to a resource, and since when?',
  parameters: [person('Nadia Haddad'), RESOURCE],
  rows: 'One row for each shortest way to something held, hop by hop, with what it gives there; `since` is when its newest hop came. As a picture: access/explain-access.cypher.',
  cypher: `${FIND_PERSON}
MATCH (person)-[:${GAIN}*0..]->(holder)
WITH person, collect(DISTINCT holder) AS holders
${FIND_RESOURCE}
${heldAbove('person', 'holders')}
UNWIND entitlements AS held
MATCH (holder)-[holds:HOLDS]->(held)
WHERE holder IN holders
UNWIND permissions AS permission
WITH person, target, held, holds, holder, permission.name AS permission, scope.name AS scope ORDER BY permission, scope
WITH person, target, held, holds, holder, collect(DISTINCT permission) AS permissions, collect(DISTINCT scope) AS scopes
MATCH way = ALL SHORTEST
  (person)-[:${GAIN}]->*(holder)
WITH person, target, held, permissions, length(way) + 1 AS hops,
  ${wayAsText('[]')} AS through,
  [hop IN relationships(way) + [holds] | type(hop)] AS relationships,
  reduce(newest = held.since, hop IN relationships(way) + [holds] |
    CASE WHEN hop.since > newest THEN hop.since ELSE newest END) AS since
RETURN person.name AS person, ${placed('target')} AS resource, permissions, through, relationships, hops, since
ORDER BY person, resource, hops, through`,
};

const application = (name: string, example: string) =>
  parameter(name, `'${example}'`, 'the name of an application');

const separationOfDuties: Question = {
  name: 'people-with-access-in-two-applications',
  title: 'People with access in two applications (separation of duties)',
  question: 'Who has access in both of two applications, and to do what?',
  parameters: [application('one', 'Forge'), application('other', 'Clientbook')],
  rows: 'One row for each user of a directory who reaches something in both, with the permissions in each.',
  cypher: `UNWIND [$one, $other] AS name
MATCH (application:Application) WHERE application.fold_name = ${folded('name')}
MATCH (application)-[:CONTAINS*0..]->(scope)
${heldOnScope('name', 'application')}
UNWIND entitlements AS held
UNWIND permissions AS permission
WITH DISTINCT name, held, permission.name AS permission
MATCH (holder)-[:HOLDS]->(held)
WITH name, holder, collect(DISTINCT permission) AS permissions
MATCH (person:IdpUser)-[:${GAIN}*0..]->(holder)
WITH DISTINCT name, person, permissions
UNWIND permissions AS permission
WITH name, person, permission ORDER BY permission
WITH name, person, collect(DISTINCT permission) AS permissions
WITH person, collect({application: name, permissions: permissions}) AS found
WHERE size(found) > 1
RETURN person.name AS person, person.email AS email,
  ${marksOf('person')} AS marks,
  head([access IN found WHERE access.application = $one | access.permissions]) AS in_one,
  head([access IN found WHERE access.application = $other | access.permissions]) AS in_other,
  person.key AS key
ORDER BY person, email, key`,
};

const sourceIdentity: Question = {
  name: 'access-through-source-identity',
  title: 'Access through source identity',
  question:
    'What access do people have because a user of another directory names them as source identity?',
  parameters: [],
  rows: 'One row for each pair of users and application: what the one holds, the other holds too (spec: Rules of behavior 6).',
  whole: 'it looks at all users of directories.',
  cypher: `MATCH (source:IdpUser)-[link:SOURCE_IDENTITY_OF]->(person:IdpUser)
${reachedFrom('person', 'source', 'link', 'person')}
WITH source, link, person, target.application AS application, collect(permissions) AS found, collect(DISTINCT ${placed('target')}) AS places
RETURN source.name AS who, source.domain AS of, person.name AS through, person.domain AS at,
  application,
  ${permissionNames('found')} AS permissions,
  size(places) AS resources,
  link.since AS since
ORDER BY who, through, application`,
};

const cloudRole: Question = {
  name: 'access-through-a-cloud-role',
  title: 'Access through a cloud role',
  question:
    'Who can do what because a cloud role that they assume acts as a role of an application?',
  parameters: [],
  rows: 'One row for each cloud role and resource: the users of directories who assume it, directly, by a group or by an app, and what it allows there.',
  whole: 'it looks at all cloud roles.',
  cypher: `MATCH (cloud:CloudRole)
WHERE EXISTS { (cloud)-[:ACTS_AS]->() }
${reachedFrom('cloud', 'cloud')}
WITH cloud, target, collect(permissions) AS found
RETURN cloud.arn AS cloud_role,
  ${inOrder('[(cloud)-[:ACTS_AS]->(role) | role.name]')} AS acts_as,
  target.application AS application,
  ${placed('target')} AS resource,
  ${permissionNames('found')} AS permissions,
  COLLECT {
    MATCH (person:IdpUser)-[:${GAIN}*1..]->(cloud)
    RETURN DISTINCT person.name AS name ORDER BY name
  } AS people
ORDER BY cloud_role, application, resource`,
};

const connection: Question = {
  name: 'what-a-connection-lets-a-resource-do',
  title: 'What a connection lets a resource do',
  question: 'What can a resource do because it is connected to a principal?',
  parameters: [],
  rows: "One row for each connected resource and what it can reach: it acts with that principal's access, one step (graph.md 9).",
  whole: 'it looks at all that connections and owners name.',
  cypher: `MATCH (external:ExternalEntity)<-[connection:CONNECTS_TO]-(who:Resource)
MATCH (external)-[:RESOLVES_TO]->(entity:Principal)
${reachedFrom('entity', 'who', 'connection', 'entity')}
WITH who, connection, entity, target, collect(permissions) AS found
RETURN who.application AS application, ${placed('who')} AS resource,
  ${named('entity')} AS acts_as, ${kindOf('entity')} AS label,
  target.application AS reaches_in, ${placed('target')} AS reaches,
  ${permissionNames('found')} AS permissions,
  connection.since AS since
ORDER BY application, resource, acts_as, reaches_in, reaches`,
};

/** Who can do what, and why. */
export const access = topic('access', [
  whoCan('read', ['DataRead']),
  whoCan('write to', ['DataWrite']),
  whoCan('administer', ADMINISTERING),
  reach,
  why,
  separationOfDuties,
  sourceIdentity,
  cloudRole,
  connection,
]);
