/**
 * A page of the guide: paragraphs in HTML, then queries. Saved queries are given by their names.
 */
export interface Slide {
  readonly title: string;
  readonly text: readonly string[];
  readonly queries: readonly ({ readonly name: string } | { readonly text: string })[];
}

/** The pages of the guide; `address` is that of the service, escaped for HTML. */
export const slides = (address: string): readonly Slide[] => [
  {
    title: 'Who can do what at Halden Robotics',
    text: [
      'This graph holds a small company: two directories of people, a source-code host, a CRM, and what each of them says about who may do what. Every access relationship points <b>from the one who gains to what is gained</b>.',
      'First give the graph its colours: click the block below, and run it.',
      `Then download <a href="${address}/kit/queries.zip">the saved queries</a>, and drop the zip file on the editor: each topic becomes a folder under <b>Favorites</b> at the left.`,
    ],
    queries: [{ text: `:style ${address}/kit/style.grass` }],
  },
  {
    title: 'One repository and everyone who leads to it',
    text: [
      '<b>motor-control</b> moves the arms of the robots. Follow the arrows from the people in blue: by groups, logins, accounts and roles to what is held on it, or on what contains it.',
    ],
    queries: [{ name: 'everybody-who-reaches-a-resource' }],
  },
  {
    title: 'Who can write to it, and through what',
    text: [
      'A picture is no list. This one is complete: nested groups, roles within roles, inheritance, cloud roles, source identities and connections.',
      'Look for <b>Jonas Eklund</b>, who left; for <b>Wanjiru Kamau</b>, who has access through a cloud role; for <b>release-pipeline</b>, which is no person at all.',
    ],
    queries: [{ name: 'who-can-write-to-a-resource' }],
  },
  {
    title: 'Why does Nadia have access?',
    text: [
      'Each way, hop by hop, the shortest first, with the permissions that it gives and since when. <b>Nadia Haddad</b> has several, so the removal of one would change nothing.',
    ],
    queries: [{ name: 'why-a-person-has-access' }],
  },
  {
    title: 'Access without a person',
    text: [
      'Accounts, keys and AI agents that reach something although no person of any directory leads to them. Some have an owner who is responsible for them; <b>jdoe</b> and <b>temp-intern</b> have nobody.',
    ],
    queries: [
      { name: 'accounts-without-a-person' },
      { name: 'agents-their-models-and-their-reach' },
    ],
  },
  {
    title: 'Who should not have it any more',
    text: [
      'People who left and still reach things; guests who can change data; roles that allow everything.',
    ],
    queries: [
      { name: 'inactive-people-with-access' },
      { name: 'guests-with-write-access' },
      { name: 'roles-that-allow-everything' },
    ],
  },
  {
    title: 'Who would review it',
    text: [
      'The owner of a resource is suggested as its reviewer. If the owner has left, the manager is named instead.',
    ],
    queries: [{ name: 'reviewers-of-a-resource' }, { name: 'resources-without-an-owner' }],
  },
  {
    title: 'What changed last week',
    text: [
      'What ends is stored: as nodes <b>PastRelationship</b> and <b>PastNode</b>, with the push that ended it. The demo pushed three weeks of the company, one right after the other: <b>Mikkel Aas</b> left, <b>Dana Whitlock</b> went and came back, <b>Amara Nwosu</b> moved to another team, <b>Release Managers</b> changed hands.',
      "Every answer can be about an earlier moment: the saved queries of the topic <code>history</code> accept <code>at</code>, and so does the API. The last block shows when the first week was over: put that moment, as <code>datetime('…')</code>, in place of <code>datetime()</code>.",
    ],
    queries: [
      { name: 'access-that-ended-lately' },
      { name: 'what-a-person-gained-and-lost' },
      { name: 'members-of-a-group-on-a-day' },
      {
        text: `MATCH (push:Push)-[:FROM]->(source:DataSource {provider: 'Clientbook'})
RETURN min(push.at) AS end_of_the_first_week`,
      },
    ],
  },
  {
    title: 'How fresh is all this?',
    text: [
      'Every fact carries <code>since</code>, the moment of the push that brought it. So you can ask how old the picture is, and what is new in it.',
      'Go on with the saved queries: each begins with its question, and runs as it is.',
    ],
    queries: [
      { name: 'data-sources-by-freshness' },
      { name: 'access-that-came-lately' },
      {
        text: `MATCH (user:IdpUser {fold_name: 'jonas eklund'})-[fact:MEMBER_OF]->(group)
MATCH (push:Push {at: fact.since})-[:FROM]->(source:DataSource)
RETURN user.name, group.name, fact.since, source.name, push.id`,
      },
    ],
  },
];
