import type { JSX } from 'preact';

import type { CountedPart, CountedParts } from './counted-parts';
import { changesAddress } from '../frame/address';
import { countedAccess, type PushOfSource } from '../overview/overview';
import { counted } from '../parts/counted';
import { Name } from '../parts/name';
import { Time } from '../parts/time';
import { ChangedAccess, PushLink } from '../sources/pushes';
import { Table } from '../tables/table';
import { ChangedFor } from './changed-people';

/** A part of a time, and how many people gained and lost access in it. */
const Part = ({
  of: {
    since,
    until,
    push,
    found: {
      answer: { from, to, total, counts },
    },
  },
}: {
  readonly of: CountedPart;
}): JSX.Element => (
  <tr>
    <th scope="row">
      <Time of={from} /> to <Time of={to} />
    </th>
    <td data-name="Who">
      <ChangedFor of={{ total, counts }} />
    </td>
    <td data-name="Permissions">
      {total === 0 ? null : (
        <a href={changesAddress({ since, until: push === null ? '' : until, list: 'true' })}>
          <span class="gain">+{counts.gained.toLocaleString('en')}</span>{' '}
          <span class="loss">−{counts.lost.toLocaleString('en')}</span>
        </a>
      )}
    </td>
  </tr>
);

/** A push that is left out between two parts. */
const LeftOut = ({
  of: { push, sourceId, source, provider },
}: {
  readonly of: PushOfSource;
}): JSX.Element => {
  const people = countedAccess(push)?.people ?? null;
  return (
    <tr>
      <th scope="row">
        push of <PushLink of={push} source={sourceId} /> to <Name>{provider}</Name>
        {', '}
        <Name>{source}</Name>
      </th>
      <td data-name="Who">
        {people === null
          ? 'not counted'
          : `Access of ${counted(people, 'person', 'people')} changed`}
      </td>
      <td data-name="Permissions">
        {push.access === null ? (
          <span class="quiet">not counted yet</span>
        ) : (
          <ChangedAccess of={push} />
        )}
      </td>
    </tr>
  );
};

/** The parts of a time between the pushes that changed too much, with these. */
export const PartsOfTime = ({
  of: { parts, cutOff },
  allAddress,
}: {
  readonly of: CountedParts;
  /** Leads to the list of all of the time, with its counts. */
  readonly allAddress: string;
}): JSX.Element => (
  <section aria-labelledby="parts">
    <h2 id="parts">By part of the time</h2>
    <Table
      caption="Who gained and who lost access in each part of the time, the newest first"
      columns={['When', 'Who', 'Permissions']}
    >
      {parts.flatMap((part) => [
        ...(part.push === null ? [] : [<LeftOut key={part.push.push.id} of={part.push} />]),
        <Part key={part.since} of={part} />,
      ])}
      {cutOff === null || cutOff.push === null ? null : <LeftOut of={cutOff.push} />}
    </Table>
    <p class="hint">
      Each part compares its beginning with its end, so somebody may be in several parts.
      {cutOff === null ? '' : ' What was before the oldest of them is not counted.'}{' '}
      <a href={allAddress}>Count all of the time at once</a>
    </p>
  </section>
);

/** What an answer says of the pushes that are left out, and of what is not counted. */
export const OfOtherParts = ({
  of: { parts, cutOff },
}: {
  readonly of: CountedParts;
}): JSX.Element => {
  const pushes = [...parts, cutOff].filter((part) => (part?.push ?? null) !== null).length;
  const oldest = parts.at(-1);
  return (
    <>
      {pushes === 0
        ? ''
        : `${counted(pushes, 'push', 'pushes')} changed too much to be counted with the rest, or ${pushes === 1 ? 'is' : 'are'} not counted. `}
      {cutOff === null || oldest === undefined ? null : (
        <>
          Who gained and who lost access before <Time of={oldest.found.answer.from} /> is not
          counted.{' '}
        </>
      )}
      <a href="#parts">{cutOff === null ? 'What changed before' : 'What changed since then'}</a>
    </>
  );
};
