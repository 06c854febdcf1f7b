import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { Humans } from '../asking/changes';
import { BelongsTo, Entity, InApplication, Unseen } from '../parts/name';
import { ChangedSide } from './changed-side';

/** Who gained and who lost what, by person. */
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
            const ends = { principal: row.principal.id, resource: row.resource.id, person };
            const about = `${row.principal.name}, ${row.resource.path ?? row.resource.name}`;
            return (
              <Fragment key={`${row.principal.id} ${row.resource.id}`}>
                {begins ? (
                  <tr>
                    <th scope="rowgroup" colSpan={4}>
                      <Entity of={row.principal} />
                      <BelongsTo of={row.principal} human={humans.get(row.principal.id)} />{' '}
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
                    <InApplication
                      of={row.resource}
                      href={application === null ? null : applicationAddress(application)}
                    />
                  </td>
                  <td data-name="Gained" class="gain">
                    <ChangedSide
                      of={row.gained}
                      word="why"
                      about={about}
                      ends={{ ...ends, at: of.to }}
                    />
                  </td>
                  <td data-name="Lost" class="loss">
                    <ChangedSide
                      of={row.lost}
                      word="why it was so"
                      about={about}
                      ends={{ ...ends, at: of.from }}
                    />
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
