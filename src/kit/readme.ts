import { modelDiagram } from '../translate/model-page';
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
  history: 'What ended, and what was so on a day',
  policies: 'Accounts that policies keep in applications',
  freshness: 'How fresh the graph is, what is new in it, what is tagged how',
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

Systems push what they know of people, accounts, groups, roles and resources. The graph joins it, and you ask who can do what.
You need Neo4j Browser, the user and the password of Neo4j, and three things from the service, which hands them out without a key (here the demo's addresses):

| | |
| --- | --- |
| guide | \`npm run demo\` prints a link, **Guide**, which opens it; or run \`:play http://127.0.0.1:8080/kit/guide.html\` |
| style | \`:style http://127.0.0.1:8080/kit/style.grass\`: a colour and a caption for each kind of node |
| queries | fetch http://127.0.0.1:8080/kit/queries.zip and drop it, as it is, on the editor: under **Favorites** each topic becomes a folder |

Neo4j Browser plays guides and takes styles only from hosts in \`browser.remote_content_hostname_whitelist\`: the Neo4j that the service starts has localhost and 127.0.0.1 there;
on another one, add the service's host.

![Neo4j Browser with the guide and the style](../docs/images/guide.png)

![The saved queries under Favorites](../docs/images/saved-queries.png)

## Run a query

1. Under **Favorites** in Neo4j Browser, open one and run it as it is: its example values stand at its top.
2. To ask of something else, change the values there; each stands once. Names are found in any case; where two things have one name, use the \`key\`.
3. The last column is the \`key\`, which leads to the thing itself: \`MATCH (n:IdpUser {key: '…'}) RETURN n\`.

The files in [queries](queries) have parameters instead (\`// :param resource => …\`), for programs, cypher-shell and \`POST /api/v1/query\`.

Beside each query, \`<query>.rows.json\` holds the rows that it gives on the demo's graph with the parameters of its example, so that you know what an answer looks like
(ids and dates of pushes are written as the data source, with the week of the demo after the first; where time matters the demo's day stands in for it).

Two kinds: most start at what you name, and are quick on a graph of any size. Those that say *a report about the whole graph* look at all of some kind of node: let them run.

## What you see

Every access relationship points **from the one who gains to what is gained**. The spine:

\`\`\`
IdpUser ─MEMBER_OF▶ IdpGroup ─KNOWN_AS▶ Identity ─IDENTITY_OF▶ LocalUser ─MEMBER_OF▶ LocalGroup ─HOLDS▶ RoleAssignment ─OF▶ LocalRole ─ALLOWS▶ Permission
 the directory's                        the login                the account                              what is held  ─ON▶ Application ─CONTAINS▶ Resource
\`\`\`

- A **Grant** is a permission held on a scope; a **RoleAssignment** a role held on a scope. Whoever leads to one has what it gives.
- An **Identity** is a name that an application uses for somebody. Nobody is known by it: a finding, not an error.
- Nothing is denied anywhere: access only adds up. Inactive people keep theirs in every answer, marked as inactive.
- Every relationship carries \`since\`, the moment of the push that brought it: \`MATCH (push:Push {at: $since})-[:FROM]->(source:DataSource) RETURN push.id, source.name\`.
- What ended stands apart, as nodes **PastNode** and **PastRelationship** ([History](model.md#history)). A query sees what holds now, unless it names these labels.

The whole model; [model.md](model.md) tells of each property:

${modelDiagram()}

## The queries
${index(queries).join('\n')}

## Change a query

The files in [queries](queries) are the source: change one, or add one. Its head tells title, question, parameters and
rows, and an empty line ends it.

The rules of who can do what stand once, in \`src/translate\`, and the service's own answers follow them. The queries
hold them word for word between two comments:

\`\`\`
// <shared: what a permission or role gives>
…
// </shared>
\`\`\`

\`npm run cypher\` writes the present rule between the comments, and the list of the relationships by which access is
gained wherever a query has it. A test fails where a query differs. The rules go by these variables:

| marker | variables |
| --- | --- |
${sharedRuleList()
  .map(([name, variables]) => `| \`${name}\` | ${variables} |`)
  .join('\n')}

\`WRITE_ROWS=1 npm test -- test/demo/saved-queries\` writes the rows anew.
`;
