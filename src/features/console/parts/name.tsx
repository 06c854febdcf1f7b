import type { JSX } from 'preact';

import { visible } from '../../../visible-text';
import type { Parameters } from '../frame/address';
import { kindOf } from '../frame/kinds';
import { useAddresses } from '../frame/reading';

/** How many letters of a text a page shows, and how many its title has; the interface has all. */
const SHOWN = { text: 300, title: 1_000 } as const;

/** A text that a page has room for. */
export const shortened = (text: string, most: number = SHOWN.title): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;

/** Where a path may break: after a dot or a slash behind a word. */
const AFTER_WORDS = /(?<=[^\s./]{3}[./])(?=[^\s./])/u;

/** A path that breaks between its names, and not within one. Its text is the same. */
const BetweenNames = ({ of }: { readonly of: string }): JSX.Element => (
  <>
    {of.split(AFTER_WORDS).map((name, at) => (
      <>
        {at > 0 ? <wbr /> : null}
        {name}
      </>
    ))}
  </>
);

/** A name from the graph. It is text, stays in its box, and shows characters that would hide. */
export const Name = ({
  children,
  isPath = false,
}: {
  readonly children: string;
  /** Whether it consists of names, with dots or slashes between them. */
  readonly isPath?: boolean;
}): JSX.Element => {
  const text = visible(shortened(children));
  const shown = shortened(text, SHOWN.text);
  return (
    <bdi dir="auto" title={text.length > 40 ? text : undefined}>
      {isPath ? <BetweenNames of={shown} /> : shown}
    </bdi>
  );
};

/** Words that only screen readers read, such as whom a link is about. */
export const Unseen = ({ children }: { readonly children: string }): JSX.Element => (
  <span class="unseen"> {visible(children)}</span>
);

/** What a page says about an entity. */
export interface Named {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly path?: string | null;
  readonly application?: string | null;
  readonly domain?: string | null;
  readonly provider?: string | null;
  readonly inactive?: boolean;
}

/**
 * The provider whose data source has something. Connectors choose names, and the service says this.
 * So it looks like nothing that a name can hold.
 */
export const From = ({
  of: { provider },
}: {
  readonly of: Pick<Named, 'provider'>;
}): JSX.Element =>
  provider === null || provider === undefined ? (
    <></>
  ) : (
    <>
      {' '}
      <span class="from">
        from <Name>{provider}</Name>
      </span>
    </>
  );

/** The application that something is in, and from which provider. */
export const InApplication = ({
  of,
  href = null,
}: {
  readonly of: Pick<Named, 'application' | 'provider'>;
  /** Where its name leads. */
  readonly href?: string | null;
}): JSX.Element | null => {
  const { application } = of;
  if (application === null || application === undefined) return null;
  const name = <Name>{application}</Name>;
  return (
    <>
      {href === null ? name : <a href={href}>{name}</a>}
      <From of={of} />
    </>
  );
};

/** An entity by its name, as a link to its page. */
export const Entity = ({
  of,
  keeping = {},
  isPlain = false,
  isNew = false,
}: {
  readonly of: Named;
  /** Parameters that the link passes on, such as the instant. */
  readonly keeping?: Parameters;
  /** Whether to leave out what kind it is, and who says that it exists. */
  readonly isPlain?: boolean;
  /** Whether only a planned push would create it, so it has no page yet. */
  readonly isNew?: boolean;
}): JSX.Element => {
  const addresses = useAddresses();
  const href = isNew ? null : addresses.entity(of, keeping);
  const path = of.label === 'Resource' ? (of.path ?? null) : null;
  const name = <Name isPath={path !== null}>{path ?? of.name}</Name>;
  return (
    <span class="entity">
      {href === null ? name : <a href={href}>{name}</a>}
      {isPlain ? null : (
        <span class="kind">
          {' '}
          {kindOf(of.label)}
          {placeOf(of)}
        </span>
      )}
      {isPlain ? null : <From of={of} />}
      {isNew ? <span class="kind"> new</span> : null}
      {of.inactive === true ? <span class="inactive"> inactive</span> : null}
    </span>
  );
};

const placeOf = ({ application, domain, label }: Named): JSX.Element | null => {
  const place = application ?? domain;
  if (place === null || place === undefined || label === 'Application') return null;
  return (
    <>
      {' in '}
      <Name>{place}</Name>
    </>
  );
};

/** The users, identities and accounts by which somebody is in a table, below their name. */
export const Accounts = ({
  of,
  isNew = () => false,
}: {
  readonly of: readonly Named[];
  /** Whether only a planned push would create one of them. */
  readonly isNew?: (of: Named) => boolean;
}): JSX.Element | null =>
  of.length === 0 ? null : (
    <div class="under">
      {'as '}
      {of.map((each, at) => (
        <span key={each.id}>
          {at > 0 ? ', ' : ''}
          <Entity of={each} isNew={isNew(each)} />
        </span>
      ))}
    </div>
  );
