import type { ComponentChildren, JSX } from 'preact';
import { renderToString } from 'preact-render-to-string';

import { nanosOf, parseInstant } from '../../../model/instant';
import { visible } from '../../../visible-text';
import { type Review, type ReviewSource } from '../records';
import { numbersOf } from '../rules/decide';
import {
  ERASED_HOLDER,
  OTHERS_MARK_WORDS,
  REMEDIATION_WORDS,
  STATE_WORDS,
} from '../rules/in-words';
import { ITEM_STATES, REMEDIATION_STATES } from '../rules/words';
import type { StoredEntry } from '../stored/snapshot';
import { type StoredItem, textIn, timeIn } from '../stored/store';
import type { Named } from './named';
import { accountIn, type NameOf, shownIn, throughIn, toSecond } from './tables';
import { EVIDENCE_FILES } from './zip';

/**
 * The page lists so many revokes, reviewers, entries of a scope and so on; the tables list all. A page
 * with 1,000 of each would hold the thread for half a second.
 */
const MOST_LISTED = 200;

type Counts = Record<string, number>;

const countIn = (counts: Counts, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** What the page says of items and of the chain, gathered while the evidence reads them. */
export class Told {
  readonly states: Counts = {};
  readonly remediation: Counts = {};
  readonly byReviewer = new Map<string, Counts>();
  /** The first revokes. */
  readonly revokes: StoredItem[] = [];
  /** The entries about the review as a whole. */
  readonly acts: StoredEntry[] = [];

  addItem(item: StoredItem): void {
    countIn(this.states, item.state);
    const of = this.byReviewer.get(item.reviewer) ?? {};
    countIn(of, item.state);
    this.byReviewer.set(item.reviewer, of);
    if (item.done !== null) countIn(this.remediation, item.remediation ?? '');
    if (item.state === 'revoke' && this.revokes.length < MOST_LISTED) this.revokes.push(item);
  }

  addEntry(entry: StoredEntry): void {
    if (entry.item === 0 && this.acts.length < MOST_LISTED) this.acts.push(entry);
  }
}

/** What the page is about. */
interface Evidence {
  readonly named: Named;
  readonly review: Review;
  readonly owner: string;
  readonly fallback: string;
  readonly nameOf: NameOf;
  readonly told: Told;
}

/** A text of somebody else: it cannot change how the rest looks. */
const Text = ({ of }: { readonly of: string }): JSX.Element => <bdi>{visible(of)}</bdi>;

const Time = ({ of }: { readonly of: string | null }): JSX.Element => (
  <time>{toSecond(of).replace('T', ' ').replace(/Z$/, ' UTC')}</time>
);

const number = (of: number): string => of.toLocaleString('en');
const counted = (of: number, one: string, many = `${one}s`): string =>
  `${number(of)} ${of === 1 ? one : many}`;

/** Who has an alias. It is empty if the service acted by itself. */
const Person = ({
  alias,
  nameOf,
}: {
  readonly alias: string;
  readonly nameOf: NameOf;
}): JSX.Element => (alias === '' ? <>the service, by itself</> : <Text of={nameOf(alias)} />);

const Rows = ({
  of,
}: {
  readonly of: readonly (readonly [string, ComponentChildren])[];
}): JSX.Element => (
  <table tabIndex={0}>
    {of.map(([term, content]) =>
      content === null ? null : (
        <tr key={term}>
          <th scope="row">{term}</th>
          <td>{content}</td>
        </tr>
      ),
    )}
  </table>
);

const Table = ({
  columns,
  children,
}: {
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}): JSX.Element => (
  <table tabIndex={0}>
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {column}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

const Listed = ({ of }: { readonly of: readonly string[] }): JSX.Element => (
  <>
    {of.slice(0, MOST_LISTED).map((text, at) => (
      <span key={at}>
        {at > 0 ? '; ' : ''}
        <Text of={text} />
      </span>
    ))}
    {of.length > MOST_LISTED ? ` and ${number(of.length - MOST_LISTED)} more in review.json` : ''}
  </>
);

const Scope = ({ of: { review, named } }: { readonly of: Evidence }): JSX.Element => {
  const { marks, ...keys } = review.scope;
  const words: Readonly<Record<keyof typeof keys, string>> = {
    applications: 'All access to',
    resources: 'All access to these resources, and to what they contain:',
    roles: 'Only what these roles give:',
    groups: 'Only who is in these groups, and what they hold:',
    people: 'Only what the accounts of these people hold:',
  };
  const parts = (Object.keys(words) as (keyof typeof keys)[]).filter(
    (part) => keys[part].length > 0,
  );
  const isWide = keys.applications.length + keys.resources.length === 0;
  return (
    <>
      {isWide ? <p>All access to all applications and resources.</p> : null}
      {parts.map((part) => (
        <p key={part}>
          {words[part]} <Listed of={keys[part].map(named.nameOf)} />.
        </p>
      ))}
      {marks.length === 0 ? null : (
        <p>
          Only items with one of these marks:{' '}
          {marks.map((mark) => OTHERS_MARK_WORDS[mark]).join('; ')}.
        </p>
      )}
    </>
  );
};

const What = ({ of }: { readonly of: Evidence }): JSX.Element => {
  const { review, named, owner, fallback, nameOf, told } = of;
  const personOf = (alias: string, key: string): string =>
    alias === '' ? named.nameOf(key) : nameOf(alias);
  return (
    <>
      <h2>What was reviewed</h2>
      <Rows
        of={[
          ['Scope', <Scope of={of} />],
          [
            'Keys in place of names',
            named.whyKeys === null ? null : (
              <>
                The service did not know the names of that instant: <Text of={named.whyKeys} />
              </>
            ),
          ],
          [
            'Instant',
            review.at === null ? (
              'nobody opened the review'
            ) : (
              <>
                The access as it was at <Time of={review.at} />.
              </>
            ),
          ],
          ['Review before', named.before === '' ? null : <Text of={named.before} />],
          ['Owner', <Text of={personOf(owner, review.owner)} />],
          [
            'Fallback',
            <>
              <Text of={personOf(fallback, review.fallback)} />, who reviews what nobody else may
              review
            </>,
          ],
          ['State', review.state],
          ['Due', <Time of={review.due} />],
          [
            'If nobody decides in time',
            review.on_silence === 'revoke'
              ? 'the access is revoked; silence is never a keep'
              : 'the item is not decided in time, and the access is left; silence is never a keep',
          ],
          ['Closed', review.closed_at === null ? null : <Time of={review.closed_at} />],
          [
            'Attested',
            review.attestation === null ? null : (
              <>
                “<Text of={review.attestation} />
                ”, by{' '}
                {told.acts
                  .filter(({ act }) => act === 'close')
                  .map(({ by, at }) => (
                    <span key={at}>
                      <Person alias={by} nameOf={nameOf} />, at <Time of={at} />
                    </span>
                  ))}
              </>
            ),
          ],
          [
            'All revokes done',
            review.state !== 'closed' ? null : review.remediated_at === null ? (
              'not yet: some revokes are neither confirmed by a push nor left by an exception'
            ) : (
              <>
                <Time of={review.remediated_at} />: each revoke is confirmed by a push or left by an
                exception (the second seal)
              </>
            ),
          ],
          ['Cancelled', review.cancelled_at === null ? null : <Time of={review.cancelled_at} />],
          ['Why it was cancelled', review.reason === null ? null : <Text of={review.reason} />],
        ]}
      />
    </>
  );
};

const ACT_WORDS: Readonly<Record<string, string>> = {
  open: 'opened the review',
  close: 'closed the review',
  cancel: 'cancelled the review',
  name_owner: 'named another owner',
  name_fallback: 'named another fallback',
  remediated: 'found each revoke confirmed, or left by an exception',
};

const Acts = ({ of: { review, told, nameOf } }: { readonly of: Evidence }): JSX.Element | null =>
  told.acts.length === 0 ? null : (
    <>
      <h2>Who opened, led and closed it</h2>
      <Table columns={['When', 'Who', 'What', 'Their sentence', 'Sent with the key']}>
        {told.acts.map(({ seq, at, by, act, detail, properties }) => {
          const key = textIn(properties, 'key_name');
          return (
            <tr key={seq}>
              <td>
                <Time of={at} />
              </td>
              <td>
                {by === '' && key !== '' ? (
                  review.at === null ? (
                    'a draft has no aliases of people: look at the key'
                  ) : (
                    'the request named nobody'
                  )
                ) : (
                  <Person alias={by} nameOf={nameOf} />
                )}
              </td>
              <td>
                {ACT_WORDS[act] ?? act}
                {act.startsWith('name_') ? (
                  <>
                    {': '}
                    <Text of={nameOf(detail)} />
                  </>
                ) : null}
              </td>
              <td>
                <Text of={textIn(properties, 'reason')} />
              </td>
              <td>
                <Text of={key} />
              </td>
            </tr>
          );
        })}
      </Table>
    </>
  );

/** The states in the order of the page. */
const ORDER = ['keep', 'revoke', 'carried', 'gone', 'excepted', 'pending'] as const;
const HEADS: Readonly<Record<(typeof ORDER)[number], string>> = {
  keep: 'Kept',
  revoke: 'Revoked',
  carried: 'Carried over',
  gone: 'Gone before',
  excepted: 'Not decided in time',
  pending: 'Pending',
};

const Items = ({ of: { review, told, named } }: { readonly of: Evidence }): JSX.Element => {
  const numbers = numbersOf(told.states);
  const sum = ITEM_STATES.reduce((all, state) => all + numbers[state], 0);
  const items = review.items ?? 0;
  return (
    <>
      <h2>What became of the items</h2>
      <p>
        An item is one fact that somebody can remove: a grant, a role assignment or a membership of
        one holder. The review opened with {counted(items, 'item')}:{' '}
        {ORDER.map((state) => `${number(numbers[state])} ${STATE_WORDS[state]}`).join(', ')}.
      </p>
      <p>
        {ORDER.map((state) => number(numbers[state])).join(' + ')} = {number(sum)}
        {sum === items ? '. The numbers tie out.' : `. That is not ${number(items)}.`}
      </p>
      {numbers.carried === 0 ? null : (
        <p>
          Carried over: somebody kept the item in <Text of={named.before} />, or in a review before
          that, and it has not changed since. Nothing privileged is carried over.
        </p>
      )}
      {numbers.gone === 0 ? null : (
        <p>Gone: the source had removed the fact before anybody decided.</p>
      )}
      {numbers.excepted === 0 ? null : (
        <p>Not decided in time: the access was left, and nobody has kept it.</p>
      )}
    </>
  );
};

const Reviewers = ({ of: { told, nameOf } }: { readonly of: Evidence }): JSX.Element | null => {
  const rows = [...told.byReviewer]
    .map(([alias, states]) => ({ alias, numbers: numbersOf(states) }))
    .sort((a, b) => b.numbers.items - a.numbers.items);
  const all = numbersOf(told.states);
  return rows.length === 0 ? null : (
    <>
      <h2>Reviewers</h2>
      <Table columns={['Reviewer', 'Items', ...ORDER.map((state) => HEADS[state])]}>
        {rows.slice(0, MOST_LISTED).map(({ alias, numbers }) => (
          <tr key={alias}>
            <th scope="row">{alias === '' ? 'nobody' : <Text of={nameOf(alias)} />}</th>
            <td class="n">{number(numbers.items)}</td>
            {ORDER.map((state) => (
              <td key={state} class="n">
                {number(numbers[state])}
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">All</th>
          <td class="n">{number(all.items)}</td>
          {ORDER.map((state) => (
            <td key={state} class="n">
              {number(all[state])}
            </td>
          ))}
        </tr>
      </Table>
      {rows.length > MOST_LISTED ? (
        <p>
          These are the first {number(MOST_LISTED)} of {number(rows.length)} reviewers. items.csv
          has the reviewer of each item.
        </p>
      ) : null}
    </>
  );
};

const Became = ({
  of: item,
  nameOf,
}: {
  readonly of: StoredItem;
  readonly nameOf: NameOf;
}): JSX.Element => {
  const { done, remediation } = item;
  if (done === null || remediation === null) return <>nothing is ordered</>;
  const push = textIn(done, 'push');
  const through = throughIn(item);
  return (
    <>
      {REMEDIATION_WORDS[remediation]}
      {push === '' ? null : (
        <>
          {' '}
          <Text of={push} />
        </>
      )}
      , <Time of={timeIn(done, 'changed_at')} />
      {remediation === 'blocked' && through.length > 0 ? (
        <>
          , through <Listed of={through} />
        </>
      ) : null}
      {remediation === 'excepted' ? (
        <>
          , until <Time of={timeIn(done, 'excepted_until')} />, by{' '}
          <Person alias={textIn(done, 'excepted_by')} nameOf={nameOf} />:{' '}
          <Text of={textIn(done, 'reason')} />
        </>
      ) : null}
      {timeIn(done, 'sent_at') === null ? null : (
        <>
          . Sent to <Text of={textIn(done, 'sent_to')} /> <Time of={timeIn(done, 'sent_at')} />:{' '}
          <Text of={textIn(done, 'answer') || 'no answer yet'} />
        </>
      )}
    </>
  );
};

const Revokes = ({ of: { told, nameOf } }: { readonly of: Evidence }): JSX.Element => {
  const { remediation, revokes } = told;
  const all = told.states.revoke ?? 0;
  const words = REMEDIATION_STATES.filter((state) => (remediation[state] ?? 0) > 0).map(
    (state) => `${number(remediation[state] ?? 0)} ${REMEDIATION_WORDS[state]}`,
  );
  return (
    <>
      <h2>Revokes</h2>
      <p>
        {all === 0 ? 'Nobody revoked anything.' : `${counted(all, 'item')} revoked.`}
        {words.length === 0 ? '' : ` What became of the orders: ${words.join(', ')}.`}
        {(remediation.withdrawn ?? 0) > 0
          ? ' Withdrawn: the reviewer corrected the revoke before the closing.'
          : ''}
      </p>
      {all === 0 ? null : (
        <Table
          columns={[
            'Item',
            'Holder',
            'What they held',
            'Decided by',
            'Reason',
            'What became of it',
          ]}
        >
          {revokes.map((item) => {
            const account = accountIn(item);
            const person = item.holder === '' ? '' : nameOf(item.holder);
            const { properties } = item;
            return (
              <tr key={item.number}>
                <td class="n">{item.number}</td>
                <td>
                  <Text of={person || account || ERASED_HOLDER} />
                  {person === '' || account === '' ? null : (
                    <>
                      , <Text of={account} />
                    </>
                  )}
                </td>
                <td>
                  <Text
                    of={textIn(shownIn(item), 'holds') || 'something that an erasure removed'}
                  />
                </td>
                <td>
                  <Person alias={textIn(properties, 'decided_by')} nameOf={nameOf} />,{' '}
                  <Time of={timeIn(properties, 'decided_at')} />
                </td>
                <td>
                  <Text of={textIn(properties, 'reason')} />
                </td>
                <td>
                  <Became of={item} nameOf={nameOf} />
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      {all > revokes.length ? (
        <p>
          These are the first {number(revokes.length)} of {number(all)} revokes. items.csv has all
          of them, and remediation.csv what became of each.
        </p>
      ) : null}
    </>
  );
};

const Coverage = ({
  of: {
    review: { coverage },
  },
}: {
  readonly of: Evidence;
}): JSX.Element | null => {
  if (coverage === null) return null;
  const { pairs, reviewed, elsewhere, not_reviewed } = coverage;
  return (
    <>
      <h2>Coverage</h2>
      <p>
        The scope has {counted(pairs, 'pair')} of a person or account and something it reaches.{' '}
        {pairs > 0 && reviewed === pairs
          ? 'All belong to items of this review.'
          : `Items of this review have ${number(reviewed)} of them.`}{' '}
        Other reviews have: {elsewhere.length === 0 ? 'none.' : ''}
      </p>
      {elsewhere.length === 0 ? null : (
        <ul>
          {elsewhere.slice(0, MOST_LISTED).map((each) => (
            <li key={each.review}>
              {counted(each.pairs, 'pair')}: the review <Text of={each.review} />
            </li>
          ))}
        </ul>
      )}
      <p>Not reviewed: {not_reviewed.length === 0 ? 'none.' : ''}</p>
      {not_reviewed.length === 0 ? null : (
        <ul>
          {not_reviewed.slice(0, MOST_LISTED).map((each) => (
            <li key={each.because}>
              {counted(each.pairs, 'pair')}: <Text of={each.because} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const SECOND = 1_000_000_000n;

/** How long before the instant of the review a source was pushed, in words. */
const ageOf = (pushedAt: string, at: string | null): string => {
  const [push, instant] = [parseInstant(pushedAt), parseInstant(at ?? '')];
  if (push === null || instant === null) return '';
  const seconds = Number((nanosOf(instant) - nanosOf(push)) / SECOND);
  if (seconds < 0) return 'after the instant of the review';
  const before = 'before the instant of the review';
  if (seconds < 120) return `${counted(seconds, 'second')} ${before}`;
  if (seconds < 7200) return `${counted(Math.floor(seconds / 60), 'minute')} ${before}`;
  if (seconds < 172_800) return `${counted(Math.floor(seconds / 3600), 'hour')} ${before}`;
  return `${counted(Math.floor(seconds / 86_400), 'day')} ${before}`;
};

const stateOf = ({ is_stale, has_failed }: ReviewSource, hours: number): string => {
  if (has_failed) return 'its newest push or import had failed';
  return is_stale ? `stale: older than ${counted(hours, 'hour')}` : 'fresh enough';
};

const Sources = ({ of: { review } }: { readonly of: Evidence }): JSX.Element | null => {
  const { sources, at, stale_hours } = review;
  if (sources === null || sources.length === 0) return null;
  return (
    <>
      <h2>Sources</h2>
      <p>The review knows what these systems had pushed, and nothing else.</p>
      <Table columns={['Source', 'Newest accepted push', 'Age', 'State', 'Why it was accepted']}>
        {sources.slice(0, MOST_LISTED).map((source) => (
          <tr key={source.data_source}>
            <td>
              <Text of={source.provider} /> (<Text of={source.name} />)
            </td>
            <td>{source.at === null ? 'none' : <Time of={source.at} />}</td>
            <td>{source.at === null ? '' : ageOf(source.at, at)}</td>
            <td>{stateOf(source, stale_hours)}</td>
            <td>{source.reason === null ? 'needed no reason' : <Text of={source.reason} />}</td>
          </tr>
        ))}
      </Table>
    </>
  );
};

/** Where the script is that verifies the evidence. The zip file has none: who changed it would change the script too. */
export const VERIFIED_BY = 'examples/verify-review.py of Grantgraph';

const Verify = ({ of: { review } }: { readonly of: Evidence }): JSX.Element => (
  <>
    <h2>The files, and how to verify them</h2>
    <Rows of={Object.entries(EVIDENCE_FILES)} />
    <p>
      The script {VERIFIED_BY} verifies this zip file without the service. It is not in the zip
      file: who changed the evidence could change such a script too. Take it from the source of
      Grantgraph, and read it: it has at most 100 lines.
    </p>
    <pre>python3 examples/verify-review.py evidence.zip [head]</pre>
    <p>
      It compares all digests, the chain, the states and the numbers. The head is the hash of the
      newest entry of the chain. Give the script one that you have from elsewhere, such as from a
      mail of the service: then it also finds a chain that somebody wrote again.
    </p>
    <Rows
      of={[
        ['Head of the chain', <Text of={review.head ?? 'none'} />],
        ['Digest of the items', <Text of={review.digest ?? 'none'} />],
        ['Id of the review', <Text of={review.id} />],
      ]}
    />
  </>
);

const STYLE = `
body { max-width: 70rem; margin: 2rem auto; padding: 0 1rem; font: 14px/1.45 system-ui, sans-serif; color: #1c2530; background: #fff; }
h1 { font-size: 1.6rem; } h2 { margin: 1.6rem 0 0.4rem; font-size: 1.15rem; break-after: avoid; }
table { border-collapse: collapse; } th, td { padding: 0.25rem 0.7rem 0.25rem 0; border-bottom: 1px solid #d3d9e0; text-align: left; vertical-align: top; }
body { overflow-wrap: break-word; }
th { font-weight: 600; } .n { text-align: right; } td p { margin: 0; } pre { padding: 0.6rem; background: #f4f6f8; white-space: pre-wrap; }
@media screen and (max-width: 48rem) { table { display: block; overflow-x: auto; } }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; } body { color: #e4e9ef; background: #14191f; } th, td { border-color: #38424e; } pre { background: #1d242c; }
}
@media print { table { overflow-wrap: anywhere; } body { max-width: none; margin: 0; font-size: 9pt; } thead { display: table-header-group; } tr { break-inside: avoid; } }
`;

const Page = ({ of }: { readonly of: Evidence }): JSX.Element => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta
        http-equiv="content-security-policy"
        content="default-src 'none'; style-src 'unsafe-inline'"
      />
      <meta name="viewport" content="width=device-width" />
      <title>{visible(of.review.name)}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>
    <body>
      <main>
        <h1>
          <Text of={of.review.name} />
        </h1>
        <p>
          The evidence of an access review. P7 and the like are the aliases that the other files
          have for people. Times are in UTC.
        </p>
        <What of={of} />
        <Acts of={of} />
        {of.review.at === null ? null : (
          <>
            <Items of={of} />
            <Reviewers of={of} />
            <Revokes of={of} />
          </>
        )}
        <Coverage of={of} />
        <Sources of={of} />
        <Verify of={of} />
      </main>
    </body>
  </html>
);

/** The page that an auditor reads. It has no script, and `preact-render-to-string` escapes all texts. */
export const evidencePage = (of: Evidence): string =>
  `<!doctype html>\n${renderToString(<Page of={of} />)}\n`;
