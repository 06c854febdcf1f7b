import { everyOperation } from '../arbitrary/told-operations';
import { rules } from '../mirror/access';
import { labelsOf, type Graph } from '../mirror/graph';

/** Relationship types of docs/rules.md: Relationships. */
const relationshipTypes = [
  'MEMBER_OF',
  'KNOWN_AS',
  'IDENTITY_OF',
  'SOURCE_IDENTITY_OF',
  'MANAGED_BY',
  'OWNS',
  'SYSTEM_resource_managers',
  'RESOLVES_TO',
  'ACTS_AS',
  'ASSIGNED_TO',
  'ASSUMES_ROLE',
  'HAS_CREDENTIAL',
  'USES_MODEL',
  'HOLDS',
  'OF',
  'ON',
  'ALLOWS',
  'INCLUDES',
  'CONTAINS',
  'CONNECTS_TO',
  'OWNED_BY',
  'TAGGED',
  'FROM',
  'HAS_ACCOUNT',
  'IN_DEPARTMENT',
  'IN_COST_CENTER',
];

/** Problem codes of payloads (docs/rules.md: Problems), shape first. */
const shapeCodes = [
  'NOT_JSON',
  'WRONG_TYPE',
  'MISSING_FIELD',
  'UNKNOWN_FIELD',
  'REPEATED_FIELD',
  'TOO_LONG',
  'ILL_FORMED_TEXT',
  'CONTROL_CHARACTER',
  'EMPTY',
  'NOT_FINITE',
  'BAD_TIME',
  'UNKNOWN_VALUE',
  'BAD_NAME',
];
const ruleCodes = [
  'TOO_DEEP',
  'DOMAIN_COUNT',
  'NO_APPLICATION',
  'NO_IDENTITY',
  'TOO_MANY_DYNAMIC_PROPERTIES',
  'UNDECLARED_PROPERTY',
  'PROPERTY_TYPE',
  'CONFLICTING_DEFINITION',
  'PROPERTY_TYPE_CHANGED',
  'UNKNOWN_REFERENCE',
  'AMBIGUOUS_REFERENCE',
  'DUPLICATE_ID',
  'MIXED_IDS',
  'SELF_REFERENCE',
];

const warnings = ['Cannot find identity', 'Cannot find IAM role', 'Role is missing permission'];

/** What an increment may want to remove, or refer to, in vain (docs/rules.md: Warnings). */
const kindsInWords = [
  'domain',
  'user',
  'group',
  'app',
  'application',
  'permission',
  'resource',
  'local user',
  'local group',
  'local role',
  'agent',
  'model',
  'access credential',
  'employee',
];

const replayed = 'replayed in another order';

/** What any random pushes must reach, topic by topic. */
export const anyPushes = {
  'sequences and pushes': ['sequences', 'accepted', 'unchanged', 'refused'],
  compared: ['nodes', 'relationships'],
  plans: ['accepted', 'unchanged', 'refused'],
  'planned changes': [
    'nodes changed',
    ...['created', 'removed'].flatMap((change) => [
      `nodes ${change}`,
      `relationships ${change}`,
      `shared_nodes ${change}`,
      `derived_relationships ${change}`,
    ]),
  ],
  nodes: Object.keys(labelsOf),
  relationships: relationshipTypes,
};

/** Relationships of HR systems, which are few in random full pushes. */
const ofHris = ['HAS_ACCOUNT', 'IN_DEPARTMENT', 'IN_COST_CENTER'];

/** What must have ended by pushes of a kind; test/push/history.test.ts changes assignments (docs/rules.md: History). */
const endedBy = (way: string, ...but: readonly string[]): readonly string[] => [
  ...['node changed', 'node gone'].map((what) => `${what} by ${way}`),
  ...[...relationshipTypes, 'derived TAGGED']
    .filter((type) => !but.includes(type))
    .map((type) => `${type} gone by ${way}`),
];

/**
 * How derived relationships may end: by themselves, or with one of the two nodes. Random pushes hardly ever leave both nodes of the last three:
 * test/push/history.test.ts ends these.
 */
const derivedEnds = [
  'KNOWN_AS',
  'MANAGED_BY',
  'SYSTEM_resource_managers',
  'SOURCE_IDENTITY_OF',
  'HAS_ACCOUNT',
  'RESOLVES_TO',
  'ACTS_AS',
  'derived TAGGED',
].flatMap((type, at) =>
  [...(at < 5 ? ['alone'] : []), 'with its start', 'with its end'].map((how) => `${type} ${how}`),
);

/** What random full pushes must reach. */
export const fullPushTopics: Topics = {
  ...anyPushes,
  'sequences and pushes': [...anyPushes['sequences and pushes'], replayed, 'deleted', 'erased'],
  compared: [...anyPushes.compared, 'instants'],
  problems: [...shapeCodes, ...ruleCodes, 'OPERATION_IN_FULL_PUSH', 'INCREMENTAL_FIRST_PUSH'],
  warnings,
  'access answers that change without the rule': rules,
  'facts that ended': [
    ...endedBy('a full push', ...ofHris),
    ...endedBy('a deletion', ...ofHris).filter((how) => !how.includes('changed')),
  ],
};

/** What random sequences of full and incremental pushes must reach. */
export const incrementTopics: Topics = {
  ...anyPushes,
  'sequences and pushes': [
    ...anyPushes['sequences and pushes'],
    'increments accepted',
    'repeated',
    'deleted',
    'erased',
  ],
  compared: [
    ...anyPushes.compared,
    'instants',
    'answers about instants',
    'pushes that change access',
    'pushes that change no access',
    'changes of periods',
    'changes of humans',
    'changes of humans who gained or lost',
    'changes of humans with accounts who gained or lost',
    'plans of access',
  ],
  'operations in accepted increments': everyOperation,
  'facts that ended': [
    ...endedBy('an increment'),
    ...endedBy('a deletion').filter((how) => !how.includes('changed')),
  ],
  'how derived relationships ended': derivedEnds,
  problems: [
    'MISSING_FIELD',
    'UNKNOWN_FIELD',
    'EMPTY',
    'UNKNOWN_VALUE',
    ...ruleCodes,
    'INCREMENTAL_FIRST_PUSH',
    'UNKNOWN_ENTITY',
    'OPERATION_NOT_ALLOWED',
  ],
  warnings: [
    'Cannot find identity by names',
    'Cannot find IAM role',
    'Role is missing permission',
    'Cannot find tags',
    'Cannot find resources',
    'Cannot find application permission',
    'Cannot find role assignment',
    'Cannot find identity "',
    'Ignored fields',
    'A directory has a user with the id',
    ...kindsInWords.map((kind) => `Cannot find ${kind} "`),
  ],
  'operations of warnings': ['context', 'delete', 'remove_tag', 'delete_tag', 'delete_resource'],
};

/** What random sequences must reach whose data sources are pushed in another order. */
export const interleavingTopics: Topics = {
  'sequences and pushes': [
    ...anyPushes['sequences and pushes'],
    replayed,
    'resulting wholes pushed',
  ],
  compared: anyPushes.compared,
};

/** What random graphs must reach where they are asked who can do what. */
export const accessTopics: Topics = {
  compared: [
    'graphs',
    'pairs',
    'pairs with access',
    'pairs explained',
    'paths',
    'pairs over HTTP',
    'filtered lists',
    'rows of filtered lists',
    'humans',
    'humans with accounts',
    'two of one human',
    'two of no one human',
    'lines of people',
    'lines that nobody is behind',
    'permissions through accounts',
    'exports of humans',
    'gateways cut',
    'gateways to contents cut',
    'gateways of a type cut',
    'pages',
    'chips',
    'rows with contents',
    'rows that only contents give',
  ],
  'access answers that change without the rule': rules,
};

/** What random worlds must reach in which humans are asked about at instants and between them. */
export const humanTopics: Topics = {
  compared: [
    'answers about instants',
    'answers about what was not there',
    'lists at instants',
    'changes of what was not there',
    'changes of humans',
    'changes of nobody as a human',
  ],
};

type Topics = Readonly<Record<string, readonly string[]>>;

/** How often everything that random pushes must reach was reached; a zero is a hole in the test. */
export class Tally {
  private readonly topics: Map<string, Map<string, number>>;

  constructor(private readonly wanted: Topics) {
    this.topics = new Map(Object.entries(wanted).map(([topic, names]) => [topic, zeros(names)]));
  }

  /** Counts something; what is not expected at all is counted as well. */
  count(topic: string, what: string, times = 1): void {
    const counts = this.topics.get(topic) ?? new Map<string, number>();
    this.topics.set(topic, counts.set(what, (counts.get(what) ?? 0) + times));
  }

  /** Does something and counts the milliseconds that it takes. */
  async time<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.count('milliseconds', what, Math.ceil(performance.now() - start));
    return result;
  }

  /** Counts a graph that was compared. */
  countGraph({ nodes, relationships }: Graph): void {
    this.count('compared', 'nodes', nodes.length);
    this.count('compared', 'relationships', relationships.length);
    for (const { label } of nodes) this.count('nodes', label);
    for (const { type } of relationships) this.count('relationships', type);
  }

  /** Counts a warning by how it begins. */
  countWarning(text: string): void {
    const beginnings = [...(this.topics.get('warnings')?.keys() ?? [])];
    this.count(
      'warnings',
      beginnings.find((one) => text.startsWith(one)) ?? text.split('"')[0] ?? '',
    );
  }

  /** How often each thing was reached that is to be. */
  required(): ReadonlyMap<string, number> {
    return new Map(
      Object.entries(this.wanted).flatMap(([topic, names]) =>
        names.map((what) => [`${topic}: ${what}`, this.topics.get(topic)?.get(what) ?? 0] as const),
      ),
    );
  }

  /** What was never reached. */
  holes(): readonly string[] {
    return [...this.required()].flatMap(([what, count]) => (count === 0 ? [what] : []));
  }

  /** All counts, a paragraph for each topic. */
  toString(): string {
    return [...this.topics]
      .map(([topic, counts]) => {
        const items = [...counts].map(([what, count]) => `${what} ${count}`);
        return `${topic}\n  ${items.join(' · ')}`;
      })
      .join('\n');
  }
}

function zeros(names: readonly string[]): Map<string, number> {
  return new Map(names.map((name) => [name, 0]));
}
