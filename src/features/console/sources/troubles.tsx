import type { JSX } from 'preact';

import type { PushDetails } from '../../../contract/answers/pushes';
import { PROBLEM_CODES } from '../../../problem';
import { visible } from '../../../visible-text';
import { WARNING_CODES } from '../../../warning';
import { Name } from '../parts/name';
import { inShell } from '../parts/shell';
import { Table } from '../tables/table';

/** A warning or a problem of a push. */
interface Trouble {
  readonly code: string;
  readonly pointer: string;
  readonly message: string;
  /** The text around the place, of a payload that is not JSON. */
  readonly near?: string;
  readonly row?: number;
  readonly column?: string;
}

const MEANINGS: Readonly<Record<string, string>> = { ...PROBLEM_CODES, ...WARNING_CODES };

/** How many entries of one code are shown before the others, which are folded together. */
const SHOWN = 10;

/** A place in a payload as `jq` finds it. */
const inJq = (pointer: string): string => {
  const names = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? part : JSON.stringify(part)));
  return `jq ${inShell(`getpath([${names.join(', ')}])`)} payload.json`;
};

/** The field of the interface that holds a CSV file. It says nothing to those who sent a file. */
const CSV_FIELD = '/csv_data';

const Place = ({ of: { pointer, row, column } }: { readonly of: Trouble }): JSX.Element => (
  <>
    {pointer === CSV_FIELD && row !== undefined ? null : (
      <code>{visible(pointer === '' ? '(the payload)' : pointer)}</code>
    )}
    {row === undefined ? null : (
      <span class="quiet">
        {' '}
        row {row}
        {column === undefined ? null : (
          <>
            {', column '}
            <Name>{column}</Name>
          </>
        )}
      </span>
    )}
  </>
);

/** Which of some warnings an earlier push did not have; `null`: the service does not know. */
type IsNew = ((of: Trouble) => boolean) | null;

const Rows = ({
  of,
  isNew,
}: {
  readonly of: readonly Trouble[];
  readonly isNew: IsNew;
}): JSX.Element => (
  <Table caption="Places in the payload" columns={['Place in the payload', 'What to look at']}>
    {of.map((each, at) => (
      <tr key={at}>
        <td data-name="Place">
          <Place of={each} />
        </td>
        <td>
          {isNew?.(each) === true ? <strong class="new">new </strong> : null}
          <Name>{each.message}</Name>
          {each.near === undefined ? null : (
            <p>
              <code>
                <Name>{each.near}</Name>
              </code>
            </p>
          )}
        </td>
      </tr>
    ))}
  </Table>
);

const OfCode = ({
  code,
  of,
  isNew,
}: {
  readonly code: string;
  readonly of: readonly Trouble[];
  readonly isNew: IsNew;
}): JSX.Element => {
  const [first] = of;
  return (
    <section>
      <h3>
        <code>{code}</code> <span class="count">{of.length}</span>
      </h3>
      <p>{MEANINGS[code]}</p>
      <Rows of={of.slice(0, SHOWN)} isNew={isNew} />
      {of.length <= SHOWN ? null : (
        <details>
          <summary>and {of.length - SHOWN} more</summary>
          <Rows of={of.slice(SHOWN)} isNew={isNew} />
        </details>
      )}
      {first === undefined || first.pointer === '' || first.row !== undefined ? null : (
        <details class="asked">
          <summary>Find the first of them in your payload</summary>
          <pre tabIndex={0}>
            <code>{visible(inJq(first.pointer))}</code>
          </pre>
        </details>
      )}
    </section>
  );
};

const Listed = ({
  title,
  page,
  of,
  total,
  isNew,
}: {
  readonly title: string;
  /** Where the documentation lists the codes. */
  readonly page: string;
  readonly of: readonly Trouble[];
  readonly total: number;
  readonly isNew: IsNew;
}): JSX.Element | null => {
  if (total === 0) return null;
  const codes = [...new Set(of.map(({ code }) => code))];
  return (
    <>
      <h2>
        {title} <span class="count">{total.toLocaleString('en')}</span>
      </h2>
      {of.length < total ? (
        <p class="note">These are the first {of.length.toLocaleString('en')}.</p>
      ) : null}
      <p class="hint">
        The service stores no payloads. A place is a JSON pointer into the one that was sent. See{' '}
        <a href={page}>the table of codes</a>.
      </p>
      {codes.map((code) => (
        <OfCode key={code} code={code} of={of.filter((each) => each.code === code)} isNew={isNew} />
      ))}
    </>
  );
};

/** Problems by their codes, each with its place and what it means. */
export const ProblemList = ({
  of,
  total,
}: {
  readonly of: readonly Trouble[];
  readonly total: number;
}): JSX.Element => (
  <Listed title="Problems" page="/manual/connectors#problems" {...{ of, total }} isNew={null} />
);

/** Warnings in the same way. */
export const WarningList = ({
  of,
  total,
  isNew = null,
}: {
  readonly of: readonly Trouble[];
  readonly total: number;
  readonly isNew?: IsNew;
}): JSX.Element => (
  <Listed title="Warnings" page="/manual/connectors#warnings" {...{ of, total, isNew }} />
);

/**
 * Which warnings a push did not have. Places differ from payload to payload, so the code and the
 * message decide. `null` if the service does not store all warnings of that push.
 */
export const notAmong = (push: PushDetails | null): IsNew => {
  if (push === null || push.warnings.length < push.warning_count) return null;
  const nameOf = ({ code, message }: Trouble): string => `${code} ${message}`;
  const had = new Set(push.warnings.map(nameOf));
  return (trouble) => !had.has(nameOf(trouble));
};

/** The warnings and problems of a push by their codes, each with its place and what it means. */
export const TroublesOfPush = ({ of }: { readonly of: PushDetails }): JSX.Element => (
  <>
    <ProblemList of={of.problems} total={of.problem_count} />
    <WarningList of={of.warnings} total={of.warning_count} />
    {of.problem_count + of.warning_count === 0 ? (
      <p role="status">It has no warnings and no problems.</p>
    ) : null}
  </>
);
