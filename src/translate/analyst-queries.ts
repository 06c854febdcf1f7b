import { PERMISSIONS_BETWEEN } from './access-pages';
import { GAIN } from './access-rules';
import { accessFound, accessOf, accessTo } from './access-statements';
import { labelOf, nameOf } from './summary';

const GENERATED = `// Generated from src/translate by \`npm run cypher\`; do not edit. The service asks the same.`;

const PRINCIPAL = [
  "//   :param principal => '…|IdpUser|…'",
  '//   principal: the key of a principal, or of a resource that connects to one',
];
const RESOURCE = [
  "//   :param resource => '…|Resource|…'",
  '//   resource: the key of a resource or application',
];

/** A query as it stands in its file: question, parameters, what its rows are. */
const file = (
  question: string,
  parameters: readonly (readonly string[])[],
  rows: string,
  text: string,
): string =>
  [
    `// ${question}`,
    '//',
    '// Parameters (in Neo4j Browser, before the query):',
    ...parameters.flat(),
    '//',
    `// ${rows}`,
    GENERATED,
    text,
    '',
  ].join('\n');

/** The permissions of lists of nodes, by name. */
const NAMES = `COLLECT {
    UNWIND permissions AS list
    UNWIND list AS permission
    RETURN DISTINCT permission.name AS name ORDER BY name
  } AS permissions`;

/** What analysts run of the service's own questions about access, by file name below `cypher/` (graph.md 9). */
export const analystQueries = (): Readonly<Record<string, string>> => ({
  'queries/access/access-of-principal.cypher': file(
    'What can a principal reach?',
    [PRINCIPAL],
    'One row for each resource or application, with the native permissions.',
    `${accessOf}
RETURN ${nameOf('target')} AS resource, target.path AS path, ${labelOf('target')} AS label,
  target.application AS application,
  ${NAMES}, target.key AS key
ORDER BY resource, key`,
  ),
  'queries/access/access-to-resource.cypher': file(
    'Who can reach a resource?',
    [RESOURCE],
    'One row for each principal, and for each resource that connects to one, with the native permissions.',
    `${accessTo}
RETURN ${nameOf('who')} AS principal, ${labelOf('who')} AS label,
  coalesce(who.application, who.domain) AS lives_in, who.is_active AS is_active,
  ${NAMES}, who.key AS key
ORDER BY principal, key`,
  ),
  'queries/access/check-access.cypher': file(
    'What may a principal do with a resource?',
    [PRINCIPAL, RESOURCE],
    'One row for each native permission, with its canonical types; none: no access.',
    PERMISSIONS_BETWEEN,
  ),
  'queries/access/explain-access.cypher': file(
    'Through what does a principal have access to a resource?',
    [
      PRINCIPAL,
      RESOURCE,
      [
        "//   :param names => ['Push']",
        '//   names: native permissions that count; null: all',
        "//   :param permission_type => 'DataWrite'",
        '//   permission_type: the canonical type that counts; null: all',
      ],
    ],
    'The shortest ways to each thing held, what that gives, and where: a picture in Neo4j Browser.',
    `${accessFound}
UNWIND found AS row
UNWIND row.permissions AS permission
WITH DISTINCT who, target, row.held AS held, row.scope AS scope, permission
MATCH way = ALL SHORTEST
  (who) (()-[:CONNECTS_TO]->()-[:RESOLVES_TO]->()){0,1} (entity:Principal)-[:${GAIN}]->+(held)
MATCH gives = ALL SHORTEST (held)-[:OF|INCLUDES|ALLOWS]->+(permission)
MATCH place = (held)-[:ON]->(scope)-[:CONTAINS*0..]->(target)
RETURN way, gives, place
ORDER BY length(way) + length(gives), permission.name, held.key`,
  ),
});
