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
 * Gives the property names of the data source after the push, and a problem for each name above the
 * limit. The service asks Neo4j only if the payload brings a name that is new to the data source.
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

/**
 * An earlier release did not count names. So neither the names that the data source declared nor
 * the names that Neo4j knows already count as new.
 */
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
