import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type {
  AccessChangeList,
  ChangedRow,
} from '../../../contract/answers/questions/access-changes';
import { useAddresses } from '../frame/reading';
import { Marks } from '../parts/marks';
import { Entity, Name, Unseen } from '../parts/name';
import { Permissions } from '../parts/permissions';

/** What was gained or lost, with a link to *Why* at the instant at which it was so. */
const Side = ({
  of,
  word,
  row: { principal, resource },
  at,
}: {
  readonly of: ChangedRow['gained'];
  readonly word: string;
  readonly row: ChangedRow;
  readonly at: string;
}): JSX.Element | null => {
  const addresses = useAddresses();
  return of.length === 0 ? null : (
    <>
      <Marks of={of} /> <Permissions of={of} />{' '}
      <a href={addresses.why({ principal: principal.id, resource: resource.id, at })}>
        {word}
        <Unseen>{`${principal.name}, ${resource.path ?? resource.name}`}</Unseen>
      </a>
    </>
  );
};

/** Who gained and who lost what, by person. */
export const ChangeTable = ({
  of,
  applicationAddress,
  principalAddress,
}: {
  readonly of: AccessChangeList;
  readonly applicationAddress: (name: string) => string;
  readonly principalAddress: (id: string) => string;
}): JSX.Element => {
  let before: string | null = null;
  return (
    <div class="scroll">
      <table class="cards">
        <caption class="unseen">Who gained and who lost what</caption>
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col">Application</th>
            <th scope="col">Gained</th>
            <th scope="col">Lost</th>
          </tr>
        </thead>
        <tbody>
          {of.values.map((row) => {
            const begins = row.principal.id !== before;
            before = row.principal.id;
            const { application } = row.resource;
            return (
              <Fragment key={`${row.principal.id} ${row.resource.id}`}>
                {begins ? (
                  <tr>
                    <th scope="rowgroup" colSpan={4}>
                      <Entity of={row.principal} />{' '}
                      <a class="kind" href={principalAddress(row.principal.id)}>
                        only this one<Unseen>{row.principal.name}</Unseen>
                      </a>
                    </th>
                  </tr>
                ) : null}
                <tr>
                  <th scope="row">
                    <Entity of={row.resource} isPlain />
                  </th>
                  <td data-name="Application">
                    {application === null ? null : (
                      <a href={applicationAddress(application)}>
                        <Name>{application}</Name>
                      </a>
                    )}
                  </td>
                  <td data-name="Gained" class="gain">
                    <Side of={row.gained} word="why" row={row} at={of.to} />
                  </td>
                  <td data-name="Lost" class="loss">
                    <Side of={row.lost} word="why it was so" row={row} at={of.from} />
                  </td>
                </tr>
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
