import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { EmptiedGateway, TotalLoss } from '../../../../questions/endpoints';
import type { Context } from '../../../../context';
import type { Failure } from '../../../../problem';
import { type About, askEntity } from '../../asking/person';
import { askEmptied } from '../../asking/resource';
import { CSV_ADDRESSES, type Parameters } from '../../frame/address';
import type { Shown } from '../../frame/page';
import { Answer } from '../../parts/answer';
import { AskedBy } from '../../parts/asked';
import { counted } from '../../parts/counted';
import { FileForPeople } from '../../tables/file-for-people';
import { EntityHead } from '../../parts/entity-head';
import { Entity, InApplication, Name } from '../../parts/name';
import { Table } from '../../tables/table';
import { Can } from '../../words/can';
import { askReached, type PersonPlace, Views } from './place';

/** How many people, and how many resources of each, the page shows first. */
const MOST = { people: 200, resources: 20 } as const;
/** If the page has more losses than these, the others of each person are only in the answer of the interface. */
const MOST_LOSSES = 1_000;

const places = (count: number): string =>
  counted(count, 'resource or application', 'resources and applications');

/** The total, in one sentence. */
const TotalInWords = ({
  of: { people, resources, values },
}: {
  readonly of: EmptiedGateway;
}): JSX.Element => {
  if (values.length === 0) {
    return (
      <>
        If nobody were in it, nobody would lose anything
        {people === 0
          ? ': nobody is in it.'
          : `. ${counted(people, 'person has', 'people have')} all of it in other ways too.`}
      </>
    );
  }
  const all = values.filter(({ resources: on, gone }) => on === gone).length;
  return (
    <>
      If nobody were in it,{' '}
      <b>
        {values.length.toLocaleString('en')} of {counted(people, 'person', 'people')}
      </b>{' '}
      would lose something, on <b>{places(resources)}</b>.{' '}
      {all === 0
        ? 'For each of them something of it would remain.'
        : `For ${all === values.length ? 'all' : all.toLocaleString('en')} of them nothing of it would remain.`}
    </>
  );
};

/** What somebody would lose, on which resources. What is not among the first opens, if there is room for it. */
export const Losses = ({
  of: { losses, resources },
  keeping,
  hasRoom,
}: {
  readonly of: TotalLoss;
  readonly keeping: Parameters;
  readonly hasRoom: boolean;
}): JSX.Element => {
  const item = (row: TotalLoss['losses'][number]): JSX.Element => (
    <li key={row.id}>
      <Entity of={row} keeping={keeping} isPlain />{' '}
      <span class="quiet">
        <InApplication of={row} />
      </span>{' '}
      <Can of={row.lost} />{' '}
      {row.left.length === 0 ? (
        <span class="loss">nothing remains</span>
      ) : (
        <>
          still: <Can of={row.left} />
        </>
      )}
    </li>
  );
  const shown = losses.slice(0, MOST.resources);
  const others = hasRoom ? losses.slice(MOST.resources) : [];
  const left = resources - shown.length - others.length;
  return (
    <ul>
      {shown.map(item)}
      {others.length === 0 ? null : (
        <li>
          <details>
            <summary>and {others.length.toLocaleString('en')} more</summary>
            <ul>{others.map(item)}</ul>
          </details>
        </li>
      )}
      {left > 0 ? <li>and {left.toLocaleString('en')} more</li> : null}
    </ul>
  );
};

/** All permissions of some losses, each once. */
const lostIn = ({ losses }: TotalLoss) => [
  ...new Map(losses.flatMap(({ lost }) => lost).map((held) => [held.name, held])).values(),
];

const LoserRow = ({
  of,
  keeping,
  hasRoom,
}: {
  readonly of: TotalLoss;
  readonly keeping: Parameters;
  readonly hasRoom: boolean;
}): JSX.Element => (
  <tr>
    <th scope="row">
      <Entity of={of} keeping={keeping} />
    </th>
    <td data-name="Would lose">
      {of.losses.length === 0 ? (
        <span class="quiet">too much for this list</span>
      ) : (
        <Can of={lostIn(of)} />
      )}
    </td>
    <td data-name="On">
      <details>
        <summary>{places(of.resources)}</summary>
        <Losses {...{ of, keeping, hasRoom }} />
      </details>
    </td>
    <td data-name="Remains">
      {of.gone === of.resources ? (
        <span class="loss">nothing there</span>
      ) : (
        `something on ${(of.resources - of.gone).toLocaleString('en')} of ${of.resources.toLocaleString('en')}`
      )}
    </td>
  </tr>
);

/** Shows who would lose what anywhere if nobody were in a group. */
export const showEmptied = (
  context: Context,
  about: About,
  place: PersonPlace,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    sequenceT(TE.ApplyPar)(
      askEntity(context, about, true),
      askEmptied(context, about),
      askReached(context, about),
    ),
    TE.map(([entity, { answer, shown }, reached]): Shown => {
      const { path, written, against, only } = place;
      const keeping = { at: written, against };
      const { values, others } = answer;
      const listed = values.slice(0, MOST.people);
      const hasRoom = listed.reduce((sum, { losses }) => sum + losses.length, 0) <= MOST_LOSSES;
      return {
        title: `If nobody were in ${entity.name}`,
        moment: {
          written,
          path,
          at: about.at,
          parameters: { view: 'without', only, against },
        },
        body: (
          <>
            <EntityHead of={entity} />
            <Answer
              more={
                others === 0
                  ? null
                  : `${counted(others, 'other that belongs', 'others that belong')} to nobody also ${others === 1 ? 'gains' : 'gain'} through it`
              }
            >
              <TotalInWords of={answer} />
            </Answer>
            <Views of={entity} view="without" {...{ place, reached }} seesAll />
            <p class="hint">
              The service compares what people can do with what they could do if nothing led through{' '}
              <Name>{entity.name}</Name>. Nothing is changed.
            </p>
            {values.length === 0 ? null : (
              <Table
                caption="Who would lose what"
                columns={['Who', 'Would lose', 'On', 'What remains there']}
              >
                {listed.map((row) => (
                  <LoserRow key={row.id} of={row} {...{ keeping, hasRoom }} />
                ))}
              </Table>
            )}
            {values.length <= MOST.people ? null : (
              <p>
                The table has the first {MOST.people} of{' '}
                {counted(values.length, 'person', 'people')}. The file has all of them.
              </p>
            )}
            {values.length === 0 ? null : (
              <FileForPeople
                path={CSV_ADDRESSES.losses}
                parameters={{ without: about.id, at: about.at }}
                isAll={values.every((row) => row.losses.length === row.resources)}
              />
            )}
            <AskedBy of={shown} />
          </>
        ),
      };
    }),
  );
