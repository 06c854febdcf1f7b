import { type Candidate, toldApart } from '../../codec/hints/told-apart';
import type { AskedGroup, Directory, NamedGroup } from '../../graph/lifecycle/people';
import { FailedStep } from '../../graph/connection/failure';
import { fold } from '../../model/fold';
import { badField, type ProblemCode } from '../../problem';
import type { LifecycleDependencies } from './dependencies';
import type { Policy } from './planning/policy';
import { placedSelectors, type WantedPolicy } from './policy-request';

type Selector = Policy['who'][number];

const refuse = (pointer: string, code: ProblemCode, message: string): never => {
  throw new FailedStep(badField(pointer, code, message));
};

const quoted = (text: string): string => JSON.stringify(text);

/** The most candidates that a refusal lists. */
const LISTED = 10;

const listed = (candidates: readonly string[]): string =>
  candidates.length <= LISTED
    ? candidates.join(' or ')
    : `${candidates.slice(0, LISTED).join(' or ')} or ${candidates.length - LISTED} more`;

const inWords = ({ id, name, provider }: Directory): string =>
  `${id} (${quoted(name)} of provider ${quoted(provider)})`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The data source that a text means. What is spelled like an id is one: no name shall pass for it. */
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

/** The only directory that there is, for a selector that names none. */
const onlyDirectory = (directories: readonly Directory[], pointer: string): string => {
  const [first, ...others] = directories.filter(({ template }) => template !== 'hris');
  if (first !== undefined && others.length === 0) return first.id;
  const message =
    first === undefined
      ? 'names the data sources whose people it means; no identity provider has one'
      : `names the data sources whose people it means: ${listed([first, ...others].map(inWords))}`;
  return refuse(`${pointer}/in`, 'MISSING_FIELD', message);
};

/** The directories of a selector, as ids in a fixed order. */
const sourcesOf = (
  directories: readonly Directory[],
  { in: names, department }: Selector,
  pointer: string,
): readonly string[] => {
  if (names.length === 0) return [onlyDirectory(directories, pointer)];
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

/** What tells a group from others of the same name. */
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
  const told = toldApart(found.slice(0, LISTED).map(asCandidate(directories)), ['key']);
  const candidates = [...told, ...found.slice(LISTED).map(({ key }) => key)];
  return refuse(pointer, 'AMBIGUOUS_REFERENCE', `${quoted(text)} may mean ${listed(candidates)}`);
};

/**
 * Replaces the names of directories and groups in selectors by their ids and keys. So what somebody
 * calls a group later changes nothing (docs/security.md: Who may say what about others). Rejects with
 * `FailedStep` if a name means nothing, or several things.
 */
export const resolvedSelectors = async (
  { people }: Pick<LifecycleDependencies, 'people'>,
  wanted: WantedPolicy,
): Promise<WantedPolicy> => {
  const directories = await people.directories();
  const placed = placedSelectors(wanted).map(([pointer, selector]) => ({
    ...{ pointer, selector },
    sources: sourcesOf(directories, selector, pointer),
  }));
  const asked = new Map<Selector, AskedGroup>(
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
  return {
    ...wanted,
    who: wanted.who.map(resolve),
    groups: wanted.groups.map(({ name, who }) => ({
      name,
      who: who === null ? null : resolve(who),
    })),
  };
};
