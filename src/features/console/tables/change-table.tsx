import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { Humans } from '../asking/changes';
import {
  type ChangeOnResource,
  changesByHuman,
  type ChangesOfOne,
  type SameChange,
} from '../asking/changes-by-human';
import { useAddresses } from '../frame/reading';
import { Can } from '../words/can';
import { counted } from '../parts/counted';
import { Entity, InApplication, Unseen } from '../parts/name';
import { Table } from './table';

/** Which instants are compared. */
type Instants = Pick<AccessChangeList, 'from' | 'to'>;

/** A resource, with the ways by which it is or was reached. */
const OnResource = ({
  of: { resource, principal, gained, lost },
  who,
  person,
  instants: { from, to },
}: {
  readonly of: ChangeOnResource;
  readonly who: string;
  readonly person: string;
  readonly instants: Instants;
}): JSX.Element => {
  const { why } = useAddresses();
  const ends = { principal, resource: resource.id, person };
  const about = `${who}, ${resource.path ?? resource.name}`;
  return (
    <>
      <Entity of={resource} isPlain />{' '}
      {gained.length === 0 ? null : (
        <a href={why({ ...ends, at: to })}>
          why<Unseen>{about}</Unseen>
        </a>
      )}
      {lost.length === 0 ? null : (
        <>
          {gained.length === 0 ? '' : ' · '}
          <a href={why({ ...ends, at: from })}>
            why it was so<Unseen>{about}</Unseen>
          </a>
        </>
      )}
    </>
  );
};

/** The resources of a line: one by its name, several as a number that opens. */
const Resources = ({
  of: { on },
  ...rest
}: {
  readonly of: SameChange;
  readonly who: string;
  readonly person: string;
  readonly instants: Instants;
}): JSX.Element => {
  const [first, another] = on;
  if (first === undefined) return <></>;
  return another === undefined ? (
    <OnResource of={first} {...rest} />
  ) : (
    <details>
      <summary>{counted(on.length, 'resource')}</summary>
      <ul class="found">
        {on.map((each) => (
          <li key={each.resource.id}>
            <OnResource of={each} {...rest} />
          </li>
        ))}
      </ul>
    </details>
  );
};

const Who = ({
  of: { who, by },
  principalAddress,
}: {
  readonly of: ChangesOfOne;
  readonly principalAddress: (id: string) => string;
}): JSX.Element => (
  <tr>
    <th scope="rowgroup" colSpan={4}>
      <Entity of={who} />{' '}
      <a class="kind" href={principalAddress(who.id)}>
        only this one<Unseen>{who.name}</Unseen>
      </a>
      {by.length === 0 ? null : (
        <div class="under">
          {'as '}
          {by.map((each, at) => (
            <Fragment key={each.id}>
              {at > 0 ? ', ' : ''}
              <Entity of={each} />
            </Fragment>
          ))}
        </div>
      )}
    </th>
  </tr>
);

/** Who gained and who lost what: each human once, and what changed alike in one line. */
export const ChangeTable = ({
  of,
  humans,
  person,
  applicationAddress,
  principalAddress,
}: {
  readonly of: AccessChangeList;
  /** Whose each principal is. */
  readonly humans: Humans;
  /** `true`: the list is about a human with all nodes. */
  readonly person: string;
  readonly applicationAddress: (name: string) => string;
  readonly principalAddress: (id: string) => string;
}): JSX.Element => (
  <Table caption="Who gained and who lost what" columns={['Gained', 'Lost', 'On', 'Application']}>
    {changesByHuman(of.values, humans).map((one) => (
      <Fragment key={one.who.id}>
        <Who of={one} principalAddress={principalAddress} />
        {one.changes.map((same) => {
          const [{ resource } = { resource: null }] = same.on;
          const application = resource?.application ?? null;
          return (
            <tr key={same.on[0]?.resource.id}>
              <td data-name="Gained" class="gain">
                {same.gained.length === 0 ? null : <Can of={same.gained} />}
              </td>
              <td data-name="Lost" class="loss">
                {same.lost.length === 0 ? null : <Can of={same.lost} />}
              </td>
              <td data-name="On">
                <Resources
                  of={same}
                  who={one.who.name}
                  person={one.isHuman ? 'true' : person}
                  instants={of}
                />
              </td>
              <td data-name="Application">
                {resource === null ? null : (
                  <InApplication
                    of={resource}
                    href={application === null ? null : applicationAddress(application)}
                  />
                )}
              </td>
            </tr>
          );
        })}
      </Fragment>
    ))}
  </Table>
);
