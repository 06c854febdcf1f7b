import { modelDiagram } from './model-page';
import { fileOf, type SavedQuery } from './saved-query';
import { sharedRuleList } from './shared-rules';

/** The titles of the folders, in the order of the page. */
const TOPICS: Readonly<Record<string, string>> = {
  access: 'Who can do what, and why',
  people: 'People, and the names by which applications know them',
  accounts: 'Accounts, and what acts without a person',
  groups: 'Groups of directories and applications',
  roles: 'Roles, grants and permissions',
  resources: 'Resources',
  history: 'What ended, and what was true on a day',
  policies: 'Accounts that policies manage in applications',
  freshness: 'How recent the graph is, what is new in it, and what has which tags',
};

const line = (file: string, question: string): string =>
  `| [${file.replace(/\.cypher$/, '')}](queries/${file}) | ${question} |`;

const rowsOf = (queries: readonly SavedQuery[], topic: string): readonly string[] =>
  queries
    .filter((query) => query.topic === topic)
    .map((query) => line(fileOf(query), query.question));

/** The topics of all queries. Topics that this file does not know come last, by their names. */
const topics = (queries: readonly SavedQuery[]): readonly string[] => [
  ...new Set([...Object.keys(TOPICS), ...queries.map(({ topic }) => topic)]),
];

const index = (queries: readonly SavedQuery[]): readonly string[] =>
  topics(queries).flatMap((topic) => [
    '',
    `### ${TOPICS[topic] ?? topic}`,
    '',
    '| query | question |',
    '| --- | --- |',
    ...rowsOf(queries, topic),
  ]);

/**
 * `cypher/README.md`: the first page for analysts, with the model's diagram and an index of the
 * queries.
 */
export const readme = (
  queries: readonly SavedQuery[],
): string => `<!-- \`npm run cypher\` writes this page out of src/kit and the heads of the queries; do not edit it. -->

# Your first day with the graph

Systems push what they know of people, accounts, groups, roles and resources. The graph links all of it, and you can query who can do what.
You need Neo4j Browser, the user and the password of Neo4j, and three things from the service. It gives them to anybody, without a key (the addresses below are those of the demo):

| | |
| --- | --- |
| guide | \`npm run demo\` prints a link, **Guide**, that opens it; or run \`:play http://127.0.0.1:8080/kit/guide.html\` |
| style | \`:style http://127.0.0.1:8080/kit/style.grass\`: a colour and a caption for each kind of node |
| queries | download http://127.0.0.1:8080/kit/queries.zip and drop the zip file on the editor: each topic becomes a folder under **Favorites** |

Neo4j Browser loads guides and styles only from hosts in \`browser.remote_content_hostname_whitelist\`. The Neo4j that the service starts has localhost and 127.0.0.1 in this list.
In the settings of another Neo4j, add the service's host.

![Neo4j Browser with the guide and the style](../docs/images/guide.png)

![The saved queries under Favorites](../docs/images/saved-queries.png)

## Run a query

1. Open a query under **Favorites** in Neo4j Browser and run it without changes. Its example values are at its top.
2. To ask about something else, change these values; each is written once. Names are found in any case. If two things have the same name, use the \`key\`.
3. The last column is the \`key\`, with which you find the thing itself: \`MATCH (n:Entity {key: '…'}) RETURN n\`.

The files in [queries](queries) have parameters instead (\`// :param resource => …\`), for programs and cypher-shell; \`POST /api/v1/queries/<topic>/<query>\` and \`grantgraph saved\` run them by their names.

Next to each query, \`<query>.rows.json\` has the rows that it returns on the demo's graph for its example values, so that you know what an answer looks like.
In place of ids and dates of pushes, these rows name the data source, and the week of the demo if it is not the first. In place of times that depend on today, they name the day of the demo.

Most queries start at the things that you name, and are quick on a graph of any size. Those that say *a report about the complete graph* look at all nodes of some kind, so give them time.

## What you see

Every access relationship points **from the one who gains to what is gained**. The main path:

\`\`\`
IdpUser ─MEMBER_OF▶ IdpGroup ─KNOWN_AS▶ Identity ─IDENTITY_OF▶ LocalUser ─MEMBER_OF▶ LocalGroup ─HOLDS▶ RoleAssignment ─OF▶ LocalRole ─ALLOWS▶ Permission
 the directory's                        the login                the account                              what is held  ─ON▶ Application ─CONTAINS▶ Resource
\`\`\`

- A **Grant** is a permission held on a scope; a **RoleAssignment** is a role held on a scope. Every node from which a path leads to one has what it gives.
- An **Identity** is a name that an application uses for somebody. If nobody is known by it, that is a finding and not an error.
- Nothing denies access: access only adds up. Inactive people still have theirs in every answer, marked as inactive.
- Every relationship carries \`since\`, the moment of the push that brought it: \`MATCH (push:Push {at: $since})-[:FROM]->(source:DataSource) RETURN push.id, source.name\`.
- What ended is stored separately, as nodes **PastNode** and **PastRelationship** ([History](model.md#history)). A query sees only what is true now, unless it names these labels.

This is the complete model. [model.md](model.md) describes each property:

${modelDiagram()}

## The queries
${index(queries).join('\n')}

## Change a query

The files in [queries](queries) are the source: change one, or add one. Its head has title, question, parameters and
rows, and ends with an empty line.

The rules of who can do what are written once, in \`src/graph/statements\`, and the service's own answers follow them. The queries
contain them word for word between two comments:

\`\`\`
// <shared: what a permission or role gives>
…
// </shared>
\`\`\`

\`npm run cypher\` writes the present rule between the comments, and the list of the relationships by which access is
gained wherever a query has it. A test fails if a query differs. The rules use these variables:

| marker | variables |
| --- | --- |
${sharedRuleList()
  .map(([name, variables]) => `| \`${name}\` | ${variables} |`)
  .join('\n')}

\`WRITE_ROWS=1 npm test -- test/demo/saved-queries\` writes the rows again.
`;
