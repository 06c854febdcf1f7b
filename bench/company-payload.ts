import type { ApplicationPayload } from '../src/templates/application/payload';
import type { IdentityProviderPayload } from '../src/templates/identity-provider/template';
import { applicationPayload } from './application-payload';
import { changeOf } from './changes';
import { Random } from './random';

/** What a company pushes, in this order: each part names people or things of others. */
export const COMPANY = ['upstream', 'directory', 'application'] as const;

/** The payloads of a company, by part. */
export interface Company {
  readonly upstream: IdentityProviderPayload;
  readonly directory: IdentityProviderPayload;
  readonly application: ApplicationPayload;
}

/** The share of all elements that the application has. The directories have the others. */
const OF_THE_APPLICATION = 0.63;
const TEAMS_OF_A_PERSON = 3;
const DEPARTMENTS = 25;
/** How many people have one manager, and how many own one thing. */
const REPORTS = 8;
const OWNERS = 20;

const DOMAIN = 'example.com';
const upstreamId = (at: number): string => `emp-${at}`;

/** A person of the company: the account in the application. */
interface Account {
  readonly name: string;
  readonly email?: string | null;
}

/** What a list of a payload holds. */
const listed = <A>(list: readonly A[] | null | undefined): readonly NonNullable<A>[] =>
  (list ?? []).flatMap((one) => one ?? []);

/** The directory that people come from: who they are, where they work, and who manages them. */
const upstreamOf = (accounts: readonly Account[]): IdentityProviderPayload => ({
  name: 'Upstream',
  idp_type: 'active_directory',
  domains: [{ name: `corp.${DOMAIN}` }],
  users: accounts.map(({ name }, at) => ({
    name: upstreamId(at),
    full_name: name,
    department: [`Department ${at % DEPARTMENTS}`],
    manager_id: upstreamId(Math.floor(at / REPORTS)),
    groups: [{ identity: `department ${at % DEPARTMENTS}` }],
  })),
  groups: Array.from({ length: DEPARTMENTS }, (_, at) => ({ name: `department ${at}` })),
});

/** The directory that applications trust. Its people come from upstream, and own things. */
const directoryOf = (
  accounts: readonly Account[],
  teams: readonly string[],
  resources: readonly string[],
  random: Random,
): IdentityProviderPayload => {
  const login = (at: number): string => accounts[at]?.email ?? '';
  return {
    name: 'Directory',
    idp_type: 'okta',
    domains: [{ name: DOMAIN }],
    users: accounts.map(({ name }, at) => ({
      name: login(at),
      email: login(at),
      full_name: name,
      is_active: at % 19 !== 0,
      manager_id: login(Math.floor(at / REPORTS)),
      source_identity: { identity: upstreamId(at), provider_type: 'any' as const },
      groups: random.some(teams, TEAMS_OF_A_PERSON).map((identity) => ({ identity })),
      ...(at % OWNERS === 0 && {
        entities_owned: [{ node_type: 'document', id: random.pick(resources) }],
      }),
    })),
    groups: teams.map((name) => ({ name })),
  };
};

/** The payloads of a company that become about so many elements together. */
export const companyPayload = (elements: number, seed: number): Company => {
  const application = applicationPayload(Math.round(elements * OF_THE_APPLICATION), seed);
  const applications = listed(application.applications);
  const teams = applications.flatMap(({ local_groups }) =>
    listed(local_groups).flatMap(({ identities }) => listed(identities)),
  );
  const resources = applications.flatMap(({ resources: projects }) =>
    listed(projects)
      .flatMap(({ sub_resources }) => listed(sub_resources))
      .flatMap(({ sub_resources }) => listed(sub_resources))
      .flatMap(({ id }) => id ?? []),
  );
  const accounts = applications.flatMap(({ local_users }) => listed(local_users));
  return {
    upstream: upstreamOf(accounts),
    directory: directoryOf(accounts, teams, resources, new Random(seed + 1)),
    application,
  };
};

/** Moves every hundredth person to other groups. */
const moved = (payload: IdentityProviderPayload, random: Random): IdentityProviderPayload => {
  const groups = listed(payload.groups).map(({ name }) => name);
  return {
    ...payload,
    users: listed(payload.users).map((user) =>
      random.happens(0.01)
        ? {
            ...user,
            groups: random
              .some(groups, listed(user.groups).length)
              .map((identity) => ({ identity })),
          }
        : user,
    ),
  };
};

/** The same company, with about `rows` rows of the application and 1 % of the people changed. */
export const changedCompany = (company: Company, rows: number, seed: number): Company => {
  const random = new Random(seed);
  return {
    upstream: moved(company.upstream, random),
    directory: moved(company.directory, random),
    application: changeOf(company.application, rows, 'changed', random).whole,
  };
};
