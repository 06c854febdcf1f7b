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
  of,
  ...rest
}: {
  readonly of: SameChange['on'];
  readonly who: string;
  readonly person: string;
  readonly instants: Instants;
}): JSX.Element => {
  const [first, another] = of;
  if (first === undefined) return <></>;
  return another === undefined ? (
    <OnResource of={first} {...rest} />
  ) : (
    <details>
      <summary>{counted(of.length, 'resource')}</summary>
      <ul class="found">
        {of.map((each) => (
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
        {one.changes.map(({ where, gained, lost, on }) => (
          <tr key={on[0]?.resource.id}>
            <td data-name="Gained" class="gain">
              <Can of={gained} />
            </td>
            <td data-name="Lost" class="loss">
              <Can of={lost} />
            </td>
            <td data-name="On">
              <Resources
                of={on}
                who={one.who.name}
                person={one.isHuman ? 'true' : person}
                instants={of}
              />
            </td>
            <td data-name="Application">
              <InApplication
                of={where}
                href={where.application === null ? null : applicationAddress(where.application)}
              />
            </td>
          </tr>
        ))}
      </Fragment>
    ))}
  </Table>
);
