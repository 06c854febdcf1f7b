import { checkPropertyNames, namesBrought, type NamesBrought } from '../../check/property-names';
import type { DecodedPush } from '../../contract/decode';
import { mergeProblems } from '../../codec/payload-order';
import type { HeldDataSource } from '../../graph/push/held-data-source';
import type { Template } from '../../templates/templates';
import { CUSTOM_PREFIX } from '../../model/property-name';
import type { ProblemList } from '../../problem';
import type { ChangeContext } from './push-change';
import { rememberedBy } from './remembered';

const NO_PROBLEMS: ProblemList = { problems: [], total: 0 };

/**
 * The names of properties that the data source will have brought once the push is done, and those that are too many. Neo4j is asked only where the
 * payload brings a name that the data source has not brought before.
 */
export const namesAfter = async (
  { payload }: DecodedPush<Template>,
  { held, names }: Pick<ChangeContext, 'held' | 'names'>,
): Promise<{ readonly propertyNames: readonly string[]; readonly problems: ProblemList }> => {
  const { propertyNames: standing, provider } = held.state;
  const brought = namesBrought(provider.template, payload);
  let own = new Set(standing ?? []);
  if (standing !== null && isWithin(brought, own)) {
    return { propertyNames: standing, problems: NO_PROBLEMS };
  }
  const { known, all } = await held.propertyNames();
  if (standing === null) own = ownOfEarlierRelease(held, brought, known);
  const problems = checkPropertyNames(brought, { own, all }, names);
  return {
    propertyNames: [...new Set([...own, ...brought.keys()])],
    problems: mergeProblems(payload, [problems]),
  };
};

const isWithin = (brought: NamesBrought, own: ReadonlySet<string>): boolean =>
  [...brought.keys()].every((name) => own.has(name));

/** An earlier release has not counted: what the data source declared, and what Neo4j knows already, is no new name. */
const ownOfEarlierRelease = (
  held: HeldDataSource,
  brought: NamesBrought,
  known: ReadonlySet<string>,
): Set<string> => {
  const declared = rememberedBy(held)
    .toJSON()
    .map(({ property }) => `${CUSTOM_PREFIX}${property}`);
  const used =
    held.state.digest === null ? [] : [...brought.keys()].filter((name) => known.has(name));
  return new Set([...declared, ...used]);
};
