import { type Candidate, candidateTexts } from '../../codec/hints/candidate-texts';
import type { AskedName, Directory, NamedGroup } from './graph/people';
import type { Selector, WantedPolicy } from './records';
import { FailedStep } from '../../neo4j/failure';
import { fold } from '../../model/fold';
import { badField, type ProblemCode } from '../../problem';
import type { LifecycleDependencies } from './dependencies';
import { placedSelectors } from './policy-request';
import { quoted } from '../../codec/quote';

const refuse = (pointer: string, code: ProblemCode, message: string): never => {
  throw new FailedStep(badField(pointer, code, message));
};
/** The most candidates that a refusal lists. */
const LISTED = 10;

const listed = (candidates: readonly string[]): string =>
  candidates.length <= LISTED
    ? candidates.join(' or ')
    : `${candidates.slice(0, LISTED).join(' or ')} or ${candidates.length - LISTED} more`;

const inWords = ({ id, name, provider }: Directory): string =>
  `${id} (${quoted(name)} of provider ${quoted(provider)})`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The data source that a text means. A text that is spelled like an id is an id: no name may
 * imitate one.
 */
const directoryOf = (
  directories: readonly Directory[],
  text: string,
  pointer: string,
): Directory => {
  const fitting = UUID.test(text)
    ? directories.filter(({ id }) => id === text)
    : directories.filter(({ name }) => fold(name) === fold(text));
  const [first, ...others] = fitting;
  if (first === undefined) {
    const message = `no identity provider or HR system has the data source ${quoted(text)}`;
    return refuse(pointer, 'UNKNOWN_REFERENCE', message);
  }
  if (others.length === 0) return first;
  const candidates = fitting.map(inWords);
  return refuse(pointer, 'AMBIGUOUS_REFERENCE', `${quoted(text)} may mean ${listed(candidates)}`);
};

/** The group or department of a selector, as messages call it. */
const named = ({ group, department }: Selector): string =>
  group === undefined ? `department ${quoted(department ?? '')}` : `group ${quoted(group)}`;

type People = Pick<LifecycleDependencies['people'], 'directories' | 'groups' | 'departments'>;

/** Directories whose users may have accounts. */
const withUsers = (directories: readonly Directory[]): readonly Directory[] =>
  directories.filter(({ template }) => template !== 'hris');

/**
 * Where the groups and departments are that are named by selectors without a directory: the ids of
 * the data sources that have each. With one directory nothing is read.
 */
const placesOf = async (
  people: People,
  directories: readonly Directory[],
  selectors: readonly Selector[],
): Promise<ReadonlyMap<Selector, ReadonlySet<string>>> => {
  const sources = withUsers(directories).map(({ id }) => id);
  const open = sources.length < 2 ? [] : selectors.filter((selector) => selector.in.length === 0);
  const places = new Map<Selector, ReadonlySet<string>>();
  const askedBy = (kind: 'group' | 'department') => {
    const having = open.filter((selector) => selector[kind] !== undefined);
    return [having, having.map((selector) => ({ text: selector[kind] ?? '', sources }))] as const;
  };
  const [ofGroups, groups] = askedBy('group');
  const called = groups.length === 0 ? [] : await people.groups(groups);
  for (const [at, selector] of ofGroups.entries()) {
    places.set(selector, new Set(called[at]?.map(({ source }) => source)));
  }
  const [ofDepartments, departments] = askedBy('department');
  const found = departments.length === 0 ? [] : await people.departments(departments);
  for (const [at, selector] of ofDepartments.entries()) places.set(selector, new Set(found[at]));
  return places;
};

/**
 * The directory of a selector that names none: the only one that there is, or the only one that has
 * the group or department. While the graph holds a part of another one, nobody knows that.
 */
const meantDirectory = (
  directories: readonly Directory[],
  selector: Selector,
  places: ReadonlySet<string> | undefined,
  pointer: string,
): string => {
  const all = withUsers(directories);
  const refuseFor = (candidates: readonly Directory[], why = ''): never => {
    const message =
      candidates.length === 0
        ? 'names the data sources whose people it means; no identity provider has one'
        : `names the data sources whose people it means: ${listed(candidates.map(inWords))}${why}`;
    return refuse(`${pointer}/in`, 'MISSING_FIELD', message);
  };
  const [first, ...others] = all;
  if (first !== undefined && others.length === 0) return first.id;
  if (places === undefined) return refuseFor(all);
  const having = all.filter(({ id, isPartial }) => isPartial || places.has(id));
  const [only, ...more] = having;
  if (only === undefined) return refuseFor(all, `; none has the ${named(selector)}`);
  if (more.length > 0 || !places.has(only.id)) return refuseFor(having);
  return only.id;
};

/** The directories of a selector, as ids in a fixed order. */
const sourcesOf = (
  directories: readonly Directory[],
  selector: Selector,
  places: ReadonlySet<string> | undefined,
  pointer: string,
): readonly string[] => {
  const { in: names, department } = selector;
  if (names.length === 0) return [meantDirectory(directories, selector, places, pointer)];
  const found = names.map((name, at) => directoryOf(directories, name, `${pointer}/in/${at}`));
  const hris = found.findIndex(({ template }) => template === 'hris');
  if (department === undefined && hris >= 0) {
    const message = 'is an HR system, whose people have no accounts: name identity providers';
    refuse(`${pointer}/in/${hris}`, 'UNKNOWN_VALUE', message);
  }
  if (found.every(({ template }) => template === 'hris')) {
    const message = 'names no identity provider, and the people of a policy are users of one';
    refuse(`${pointer}/in`, 'UNKNOWN_VALUE', message);
  }
  return [...new Set(found.map(({ id }) => id))].sort();
};

/** Fields that distinguish a group from others of the same name. */
const asCandidate =
  (directories: readonly Directory[]) =>
  ({ name, key, ...group }: NamedGroup): Candidate => ({
    title: `group ${quoted(name)}`,
    fields: {
      provider: group.provider,
      'data source': directories.find(({ id }) => id === group.source)?.name ?? group.source,
      domain: group.domain,
      type: group.type,
      'full name': group.fullName,
      id: group.id,
      key,
    },
  });

const groupOf = (
  directories: readonly Directory[],
  found: readonly NamedGroup[],
  text: string,
  pointer: string,
): string => {
  const [first, ...others] = found;
  if (first === undefined) {
    const message = `none of the directories has the group ${quoted(text)}`;
    return refuse(pointer, 'UNKNOWN_REFERENCE', message);
  }
  if (others.length === 0) return first.key;
  const described = candidateTexts(found.slice(0, LISTED).map(asCandidate(directories)), ['key']);
  const candidates = [...described, ...found.slice(LISTED).map(({ key }) => key)];
  return refuse(pointer, 'AMBIGUOUS_REFERENCE', `${quoted(text)} may mean ${listed(candidates)}`);
};

/** A policy by ids and keys, and the directories that it means without naming them. */
export interface ResolvedPolicy {
  readonly policy: WantedPolicy;
  readonly warnings: readonly string[];
}

/**
 * Replaces the names of directories and groups in selectors by their ids and keys. So a later
 * change of the names of groups changes nothing (docs/security.md: Who may say what about others).
 * Reports the directories that were chosen because only they have a group or department. Rejects
 * with `FailedStep` if a name means nothing, or several things.
 */
export const resolvedSelectors = async (
  { people }: { readonly people: People },
  wanted: WantedPolicy,
): Promise<ResolvedPolicy> => {
  const directories = await people.directories();
  const selectors = placedSelectors(wanted);
  const places = await placesOf(
    people,
    directories,
    selectors.map(([, selector]) => selector),
  );
  const placed = selectors.map(([pointer, selector]) => ({
    pointer,
    selector,
    sources: sourcesOf(directories, selector, places.get(selector), pointer),
  }));
  const asked = new Map<Selector, AskedName>(
    placed.flatMap(({ selector, sources }) =>
      selector.group === undefined ? [] : [[selector, { text: selector.group, sources }]],
    ),
  );
  const groups = asked.size === 0 ? [] : await people.groups([...asked.values()]);
  const found = new Map([...asked.keys()].map((selector, at) => [selector, groups[at] ?? []]));
  const resolved = new Map<Selector, Selector>(
    placed.map(({ pointer, selector, sources }) => [
      selector,
      selector.group === undefined
        ? { ...selector, in: sources }
        : {
            group: groupOf(
              directories,
              found.get(selector) ?? [],
              selector.group,
              `${pointer}/group`,
            ),
            in: sources,
          },
    ]),
  );
  const resolve = (selector: Selector): Selector => resolved.get(selector) ?? selector;
  const chosen = placed.flatMap(({ pointer, selector, sources: [id] }) => {
    const directory = directories.find((each) => each.id === id);
    if (!places.has(selector) || directory === undefined) return [];
    return [
      `${pointer} names no data source: it means ${inWords(directory)}, which alone has the ${named(selector)}.`,
    ];
  });
  const policy = {
    ...wanted,
    who: wanted.who.map(resolve),
    groups: wanted.groups.map(({ name, who }) => ({
      name,
      who: who === null ? null : resolve(who),
    })),
  };
  return { policy, warnings: chosen };
};
