import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type { Summary } from '../../../contract/answers/questions/access';
import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import {
  type CauseOfLine,
  causesOf,
  type ChangedOne,
  type ChangeLine,
  changeLines,
  type ChangePart,
  clausesOf,
  isOfPeople,
} from '../changes/change-lines';
import { useAddresses } from '../frame/reading';
import { NO_CAUSE, phraseOfTold, togetherInWords, toldThings } from '../words/causes';
import { Words } from '../words/can';
import { counted } from '../parts/counted';
import { Accounts, Entity, From, InApplication, Name, Unseen } from '../parts/name';
import { Since } from '../parts/time';
import { Table } from './table';

/** Which instants are compared. */
type Instants = Pick<AccessChangeList, 'from' | 'to'>;

/** What the cells of a table of changes need besides their line. */
interface Shared {
  readonly instants: Instants;
  /** `true`: the list is about a human with all nodes. */
  readonly person: string;
  readonly applicationAddress: (name: string) => string | null;
  /** Leads to the changes of one alone; `null`: the list is about one, and does not name who it is. */
  readonly principalAddress: ((id: string) => string) | null;
}

const VERBS = {
  gained: { all: 'can now', some: 'has an account that can now' },
  lost: { all: 'can no longer', some: 'has an account that can no longer' },
} as const;

/** Leads to the ways by which somebody reaches, or reached, a resource. */
const Ways = ({
  of: { who, isHuman, asked },
  on,
  change,
  shared: { instants, person, principalAddress },
}: {
  readonly of: ChangedOne;
  readonly on: Summary;
  readonly change: ChangeLine['change'];
  readonly shared: Shared;
}): JSX.Element => {
  const { why } = useAddresses();
  const isGained = change === 'gained';
  // A list about one principal alone leads to the ways of that one alone.
  const isOfHuman = principalAddress !== null && isHuman;
  const href = why({
    principal: asked.get(on.id) ?? who.id,
    resource: on.id,
    person: isOfHuman ? 'true' : person,
    at: isGained ? instants.to : instants.from,
  });
  return (
    <a href={href}>
      {isGained ? 'why' : 'why it was so'}
      <Unseen>{`${who.name}, ${on.path ?? on.name}`}</Unseen>
    </a>
  );
};

/** All resources of a line. */
const resourcesOf = ({ parts }: ChangeLine): readonly Summary[] => [
  ...new Map(parts.flatMap(({ on }) => on.map((each) => [each.id, each]))).values(),
];

const One = ({
  of,
  line,
  isListed,
  shared,
}: {
  readonly of: ChangedOne;
  readonly line: ChangeLine;
  /** Whether it is one of several. */
  readonly isListed: boolean;
  readonly shared: Shared;
}): JSX.Element => {
  const { who, by } = of;
  const { change } = line;
  const [first, another] = resourcesOf(line);
  const href = shared.principalAddress?.(who.id);
  return (
    <>
      <Entity of={who} />{' '}
      <a class="kind" href={href}>
        only this one<Unseen>{who.name}</Unseen>
      </a>
      {isListed && first !== undefined && another === undefined ? (
        <>
          {' '}
          <Ways of={of} on={first} {...{ change, shared }} />
        </>
      ) : null}
      <Accounts of={by} />
    </>
  );
};

const Who = ({ of, shared }: { readonly of: ChangeLine; readonly shared: Shared }): JSX.Element => {
  const [first, another] = of.who;
  if (first === undefined) return <></>;
  return another === undefined ? (
    <One of={first} line={of} isListed={false} shared={shared} />
  ) : (
    <details>
      <summary>
        {isOfPeople(of)
          ? counted(of.who.length, 'person', 'people')
          : counted(of.who.length, 'other')}
      </summary>
      <ul class="found">
        {of.who.map((one) => (
          <li key={one.who.id}>
            <One of={one} line={of} isListed shared={shared} />
          </li>
        ))}
      </ul>
    </details>
  );
};

/** The resources of a clause: one by its name, several as a number that opens. */
const Resources = ({
  of: { on, who, change },
  hasPlace,
  shared,
}: {
  readonly of: ChangePart;
  /** Whether it says in which application they are. */
  readonly hasPlace: boolean;
  readonly shared: Shared;
}): JSX.Element => {
  const [first, another] = on;
  const [only, others] = who;
  const OnOne = ({ of }: { readonly of: Summary }): JSX.Element => (
    <>
      <Entity of={of} isPlain />
      {of.label === 'Application' ? <From of={of} /> : null}
      {only === undefined || others !== undefined ? null : (
        <>
          {' '}
          <Ways of={only} on={of} {...{ change, shared }} />
        </>
      )}
    </>
  );
  if (first === undefined) return <></>;
  const { application } = first;
  const where =
    !hasPlace || application === null ? null : (
      <>
        {' in '}
        <InApplication of={first} href={shared.applicationAddress(application)} />
      </>
    );
  return another === undefined ? (
    <>
      <OnOne of={first} />
      {where}
    </>
  ) : (
    <>
      <details class="inline">
        <summary>{counted(on.length, 'resource')}</summary>
        <ul class="found">
          {on.map((each) => (
            <li key={each.id}>
              <OnOne of={each} />
            </li>
          ))}
        </ul>
      </details>
      {where}
    </>
  );
};

/** How many changes of a cause its line shows; the answer of the interface has all of them. */
const MOST_THINGS = 2;
/** The same of one of several causes, which a reader has opened. */
const MOST_OPENED = 8;

/** A part of a phrase. */
const PartOf = ({ of }: { readonly of: ReturnType<typeof phraseOfTold>[number] }): JSX.Element => {
  if (typeof of === 'string') return <>{of}</>;
  if ('source' in of) return <Name>{of.source}</Name>;
  return (
    <>
      <Entity of={of} isPlain />
      <From of={of} />
    </>
  );
};

const Cause = ({
  of: { things, about },
  most = MOST_THINGS,
}: {
  readonly of: Pick<CauseOfLine, 'things' | 'about'>;
  readonly most?: number;
}): JSX.Element => {
  if (things === null) return <span class="quiet">{NO_CAUSE}</span>;
  const told = toldThings(things);
  return (
    <>
      {togetherInWords(told)}
      {told.slice(0, most).map((each, at) => (
        <Fragment key={at}>
          {at > 0 ? '; ' : ''}
          {phraseOfTold(each, about).map((part, place) => (
            <Fragment key={place}>
              {place > 0 ? ' ' : ''}
              <PartOf of={part} />
            </Fragment>
          ))}
        </Fragment>
      ))}
      {told.length > most ? `; and ${told.length - most} more` : ''}
    </>
  );
};

/** One cause of several: what it is, what came or went because of it, and when. */
const OneCause = ({ of }: { readonly of: CauseOfLine }): JSX.Element => (
  <li>
    <Cause of={of} most={MOST_OPENED} />
    {clausesOf(of.parts).map((clause, at) => (
      <div key={at} class="under">
        <Words of={clause.held} /> {clause.on.length === 1 ? 'on ' : null}
        {clause.on.length === 1 ? (
          <Name>{clause.on[0]?.name ?? ''}</Name>
        ) : (
          counted(clause.on.length, 'resource')
        )}
        {of.newest === null || at > 0 ? null : (
          <>
            {', '}
            <Since of={of.newest.at} push={of.newest.push} />
          </>
        )}
      </div>
    ))}
  </li>
);

/** The cause of a line; several are behind their number. */
const Because = ({ of: line }: { readonly of: ChangeLine }): JSX.Element => {
  const causes = causesOf(line);
  const [only] = causes;
  if (causes.length < 2) return only === undefined ? <></> : <Cause of={only} />;
  return (
    <details>
      <summary>{counted(causes.length, 'cause')}</summary>
      <ul class="found">
        {causes.map((cause, at) => (
          <OneCause key={at} of={cause} />
        ))}
      </ul>
    </details>
  );
};

/** What somebody can now, or can no longer; the head of the row if the list is about one. */
const What = ({
  of: line,
  shared,
  isOfOne,
}: {
  readonly of: ChangeLine;
  readonly shared: Shared;
  readonly isOfOne: boolean;
}): JSX.Element => {
  const clauses = clausesOf(line.parts);
  const verbOf = ({ isAll }: ChangePart): string =>
    VERBS[line.change][isOfOne || isAll ? 'all' : 'some'];
  // All are in one application, which is said once.
  const place = clauses.findLastIndex(({ on }) => on.some(({ label }) => label !== 'Application'));
  const words = clauses.map((clause, at) => {
    const [before] = clauses.slice(Math.max(0, at - 1), at);
    const isSame = before !== undefined && verbOf(before) === verbOf(clause);
    return (
      <div key={at}>
        {isSame ? (
          'and'
        ) : (
          <span class={line.change === 'gained' ? 'gain' : 'loss'}>{verbOf(clause)}</span>
        )}{' '}
        <Words of={clause.held} />
        <div>
          <Resources of={clause} hasPlace={at === place} shared={shared} />
        </div>
      </div>
    );
  });
  return isOfOne ? <th scope="row">{words}</th> : <td data-name="What">{words}</td>;
};

/** Who gained and who lost what in an application, through what and when: what changed alike in one line. */
export const ChangeTable = ({
  of,
  most = Infinity,
  ...rest
}: {
  readonly of: AccessChangeList;
  /** At most so many lines are shown. */
  readonly most?: number;
} & Omit<Shared, 'instants'>): JSX.Element => {
  const shared: Shared = { ...rest, instants: of };
  const isOfOne = shared.principalAddress === null;
  return (
    <Table
      caption={isOfOne ? 'What was gained and lost, in the end' : 'Who gained and who lost what'}
      columns={[...(isOfOne ? [] : ['Who']), 'What', 'Because', 'When']}
    >
      {changeLines(of.values)
        .slice(0, most)
        .map((line, at) => (
          <tr key={at}>
            {isOfOne ? null : (
              <th scope="row">
                <Who of={line} shared={shared} />
              </th>
            )}
            <What of={line} {...{ shared, isOfOne }} />
            <td data-name="Because">
              <Because of={line} />
            </td>
            <td data-name="When">
              {line.newest === null ? null : <Since of={line.newest.at} push={line.newest.push} />}
            </td>
          </tr>
        ))}
    </Table>
  );
};
