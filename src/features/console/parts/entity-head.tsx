import type { JSX } from 'preact';

import type { EntityPage } from '../../../contract/answers/questions/entities';
import { counted } from './counted';
import { type FactRows, Facts } from './facts';
import { kindInSentence } from '../frame/kinds';
import { applicationId, type Parameters } from '../frame/address';
import { useAddresses } from '../frame/reading';
import { Name } from './name';
import { STATUS } from '../sources/source-status';
import { Time } from './time';

const OWN = new Set(['name', 'fold_name', 'email', 'is_active']);

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value);

const titleOf = (property: string): string =>
  property.replace(/^(?:customprop|dynprop)_/, '').replaceAll('_', ' ');

const ownFacts = ({ properties }: EntityPage): FactRows =>
  Object.entries(properties).flatMap(([property, value]) =>
    OWN.has(property) || value === null || value === ''
      ? []
      : [[titleOf(property), <Name key={property}>{textOf(value)}</Name>] as const],
  );

/** What an entity says of itself, folded together. */
export const OwnFacts = ({ of }: { readonly of: EntityPage }): JSX.Element | null => {
  const unlisted = of.totals.tags - of.tags.length;
  const facts = [
    ...ownFacts(of),
    ...of.tags.map(({ key, value }, at): FactRows[number] => [
      'tag',
      <Name key={at}>{value === '' ? key : `${key}: ${value}`}</Name>,
    ]),
    ...(unlisted > 0 ? [['more tags', `${unlisted} that are not listed`] as const] : []),
  ];
  if (facts.length === 0) return null;
  return (
    <details class="own">
      <summary>{counted(facts.length, 'property', 'properties')}</summary>
      <Facts of={facts} />
    </details>
  );
};

const isInactive = ({ is_active, deactivated_at }: EntityPage['properties']): boolean =>
  is_active === false || (typeof deactivated_at === 'string' && deactivated_at !== '');

/** Where an entity comes from, and how fresh that is. */
export const Sources = ({ of: { sources } }: { readonly of: EntityPage }): JSX.Element | null => {
  const addresses = useAddresses();
  if (sources.length === 0) return null;
  return (
    <ul>
      {sources.map(({ data_source, name, provider_name, status, last_push_at }) => {
        const href = addresses.source(data_source);
        const provider = <Name>{provider_name}</Name>;
        return (
          <li key={data_source}>
            {href === null ? provider : <a href={href}>{provider}</a>}
            <span class="kind">
              {', '}
              <Name>{name}</Name>: <Time of={last_push_at} />{' '}
            </span>
            <span class={status === 'SUCCESS' ? 'quiet' : 'loss'}>{STATUS[status]}</span>
          </li>
        );
      })}
    </ul>
  );
};

/** Where a resource is: its application, which has a page of its own, and the path above it. */
const Crumbs = ({
  of: { label, name, data_source, properties },
  keeping,
}: {
  readonly of: EntityPage;
  readonly keeping: Parameters;
}): JSX.Element | null => {
  const { entity } = useAddresses();
  const { application, path } = properties;
  if (label !== 'Resource' || typeof application !== 'string') return null;
  const above =
    typeof path === 'string' && path.endsWith(`.${name}`) ? path.slice(0, -name.length - 1) : '';
  const id = applicationId(data_source ?? '', application);
  const href = entity({ id, label: 'Application' }, keeping);
  return (
    <p class="crumbs">
      {href === null ? (
        <Name>{application}</Name>
      ) : (
        <a href={href}>
          <Name>{application}</Name>
        </a>
      )}
      {above === '' ? null : (
        <>
          {' › '}
          <Name isPath>{above}</Name>
        </>
      )}
    </p>
  );
};

/** The head of the page of an entity. */
export const EntityHead = ({
  of,
  keeping = {},
}: {
  readonly of: EntityPage;
  /** Parameters that its links pass on, such as the instant. */
  readonly keeping?: Parameters;
}): JSX.Element => {
  const { name, label, properties } = of;
  const email = typeof properties.email === 'string' ? properties.email : null;
  const type = typeof properties.resource_type === 'string' ? properties.resource_type : '';
  return (
    <>
      <Crumbs {...{ of, keeping }} />
      <h1>
        <Name>{name}</Name>{' '}
        <span class="kind">
          {type === '' ? kindInSentence(label) : <Name>{type}</Name>}
          {email === null || email === name ? null : (
            <>
              {' · '}
              <Name>{email}</Name>
            </>
          )}
          {isInactive(properties) ? <span class="inactive"> · inactive</span> : null}
        </span>
      </h1>
    </>
  );
};
