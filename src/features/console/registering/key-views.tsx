import type { JSX, VNode } from 'preact';

import type { TeamKey } from '../../keys/records';
import type { TeamKeyScope } from '../../../contract/team-key';
import type { Failure } from '../../../problem';
import { visible } from '../../../visible-text';
import { admits } from '../../keys/contract';
import { keysAddress } from '../frame/address';
import { FormToken } from '../frame/form-token';
import type { SourceOfProvider } from '../overview/overview';
import { counted } from '../parts/counted';
import { Name, Unseen } from '../parts/name';
import { Time } from '../parts/time';
import { PlanForm } from '../pushing/file-forms';
import { SourceHead } from '../sources/source-head';
import { Table } from '../tables/table';
import { firstPayloadLines } from './first-payloads';
import { newFormId } from './form-ids';
import { curlLines, PAYLOAD_FILE, type PushLines, pythonLines } from './push-lines';

/** Names of keys are as short as others. Names of providers hold letters of one byte. */
const LONGEST = 256;

/** What the key of a connector is called, unless somebody calls it otherwise. */
export const connectorOf = ({ name }: { readonly name: string }): string =>
  `Connector of ${name}`.slice(0, LONGEST).trimEnd();

/** A page lists so many keys. */
const LISTED = 100;

/** What somebody wrote into a form about a key. */
export interface WrittenKey {
  readonly name: string;
  readonly ends: string;
}

/** A page replaces a connector's key, and shows none that may do more. */
const OF_CONNECTORS: readonly TeamKeyScope[] = ['push', 'read'];

/** Whether a key is limited to one provider, and may only push and read. */
export const isOfConnector = ({ scopes, providers }: TeamKey): boolean =>
  providers.length === 1 && scopes.every((scope) => OF_CONNECTORS.includes(scope));

const stateOf = (key: TeamKey): string => {
  if (key.status !== 'ACTIVE') return 'revoked';
  return admits(key) ? 'valid' : 'ended';
};

/** A button that does something with a key; each is a form of its own. */
const KeyButton = ({
  of,
  act,
  id,
  name,
  children,
}: {
  readonly of: SourceOfProvider;
  readonly act: 'rotate' | 'forget';
  readonly id: string;
  readonly name: string;
  readonly children: string;
}): JSX.Element => (
  <form method="post" action={keysAddress(of.source.id)} data-once>
    <FormToken />
    <input type="hidden" name="act" value={act} />
    <input type="hidden" name="key" value={id} />
    {act === 'rotate' ? <input type="hidden" name="new_id" value={newFormId()} /> : null}
    <button class="plain">
      {children}
      <Unseen>{name}</Unseen>
    </button>
  </form>
);

const KeyTable = ({
  of,
  keys,
}: {
  readonly of: SourceOfProvider;
  readonly keys: readonly TeamKey[];
}): JSX.Element => (
  <Table
    caption="Keys that are limited to this provider, by name"
    columns={['Key', 'State', 'Made', 'Last used', 'Ends', 'Do']}
  >
    {keys.slice(0, LISTED).map((key) => (
      <tr key={key.id}>
        <th scope="row">
          <Name>{key.name}</Name>
          <div class="under">
            may {key.scopes.join(', ')}
            {key.providers.length > 1
              ? `; also for ${counted(key.providers.length - 1, 'other provider')}`
              : ''}
          </div>
        </th>
        <td data-name="State">
          {stateOf(key) === 'valid' ? 'valid' : <span class="tag bad">{stateOf(key)}</span>}
        </td>
        <td data-name="Made">
          <Time of={key.created_at} />
        </td>
        <td data-name="Last used">
          {key.last_used_at === null ? 'never' : <Time of={key.last_used_at} />}
        </td>
        <td data-name="Ends">{key.expires_at === null ? 'never' : <Time of={key.expires_at} />}</td>
        <td data-name="Do">
          {admits(key) && isOfConnector(key) ? (
            <KeyButton {...{ of, act: 'rotate' as const, id: key.id, name: key.name }}>
              Replace
            </KeyButton>
          ) : null}
          <KeyButton {...{ of, act: 'forget' as const, id: key.id, name: key.name }}>
            Forget
          </KeyButton>
        </td>
      </tr>
    ))}
  </Table>
);

/** Says why the service did nothing. */
export const Refused = ({ of }: { readonly of: Failure }): JSX.Element => (
  <div class="note warn" role="alert">
    {of._tag === 'Invalid' ? (
      <ul>
        {of.problems.map(({ pointer, message }) => (
          <li key={pointer}>
            {visible(`${pointer.slice(1).replaceAll('_', ' ')} ${message}`.trim())}
          </li>
        ))}
      </ul>
    ) : (
      <p>{visible(of.message)}</p>
    )}
  </div>
);

/** The keys with which connectors push to a data source, and the form that makes one. */
export const KeysView = ({
  of,
  keys,
  written,
  refused = null,
}: {
  readonly of: SourceOfProvider;
  readonly keys: readonly TeamKey[];
  readonly written?: WrittenKey;
  /** Why the service did not do what a form of this page wanted. */
  readonly refused?: Failure | null;
}): JSX.Element => (
  <>
    <SourceHead of={of} />
    {refused === null ? null : <Refused of={refused} />}
    <h2>Get a key for a connector</h2>
    <p class="hint">
      The key pushes to the data sources of <Name>{of.provider.name}</Name>, and does nothing else.
      The service shows it once, on the next page, and stores only its hash.
    </p>
    <form class="narrow" method="post" action={keysAddress(of.source.id)} data-once>
      <FormToken />
      <input type="hidden" name="act" value="create" />
      <input type="hidden" name="new_id" value={newFormId()} />
      <label>
        Name of the key
        <input
          name="name"
          size={40}
          value={written?.name ?? connectorOf(of.provider)}
          required
          autocomplete="off"
        />
      </label>
      <label>
        Last day, if it should end
        <input type="date" name="ends" value={written?.ends ?? ''} />
      </label>
      <button>Show me a new key</button>
    </form>
    <h2>Keys of this provider</h2>
    {keys.length === 0 ? (
      <p>No key is limited to it yet.</p>
    ) : (
      <>
        <KeyTable of={of} keys={keys} />
        {keys.length > LISTED ? (
          <p class="hint">
            The page lists {LISTED} of {keys.length}. The interface has all.
          </p>
        ) : null}
        <p class="hint">
          <b>Replace</b> shows a new key with the same rights, and the old one ends in a day, so
          that the connector can change over. <b>Forget</b> ends a key at once. Keys that are
          limited to no provider may push too; this page does not list them.
        </p>
      </>
    )}
  </>
);

/** The lines that push with a key, and a small payload to try them with. */
const Lines = ({ of: lines }: { readonly of: PushLines }): JSX.Element => {
  const { of } = lines;
  return (
    <>
      {of.source.last_push === null ? (
        <>
          <h3>Nothing was pushed yet: a small payload to try it with</h3>
          <pre class="wrapped" data-lines="payload">
            {firstPayloadLines(of.provider.custom_template)}
          </pre>
        </>
      ) : null}
      <h3>Push with curl</h3>
      <p class="hint">
        For bash or zsh. <code>{PAYLOAD_FILE}</code> is what your system says,{' '}
        <a href="/manual/connectors">as a payload</a>; each push is all of it. If connectors call
        the service by another address, an operator sets <code>PUBLIC_URL</code>.
      </p>
      <pre class="wrapped" data-lines="curl">
        {curlLines(lines)}
      </pre>
      <h3>Push with Python</h3>
      <pre class="wrapped" data-lines="python">
        {pythonLines(lines)}
      </pre>
    </>
  );
};

/** A new key, which no other page shows, the lines that push with it, and what pushes a file. */
export const NewKeyView = ({
  name,
  ends,
  lines,
  replaces,
  isNewSystem = false,
  planned,
}: {
  readonly name: string;
  /** When it ends; `null`: it does not. */
  readonly ends: string | null;
  readonly lines: PushLines;
  /** Whether another key ends for it. */
  readonly replaces: boolean;
  /** Whether the form has registered the system too. */
  readonly isNewSystem?: boolean;
  /** The plan of a file that came with the form; unset: the page has a form for a file. */
  readonly planned?: VNode | undefined;
}): JSX.Element => {
  const { of } = lines;
  return (
    <>
      <SourceHead of={of} />
      <h2>
        The key <Name>{name}</Name>
      </h2>
      <p class="note" role="status">
        {isNewSystem ? 'The system is registered, and this key pushes to it. ' : ''}
        Copy it now: no other page shows it, and this one does not show it again.{' '}
        {replaces ? 'The old key is valid for one more day at most. ' : ''}
        {ends === null ? null : (
          <>
            The new key ends <Time of={ends} />.{' '}
          </>
        )}
        <a href={keysAddress(of.source.id)}>All keys of this provider</a>
      </p>
      <pre class="wrapped" data-new-key>
        {lines.accessKey}
      </pre>
      {planned === undefined ? (
        <>
          <Lines of={lines} />
          <h3>Push a file without a program</h3>
          <PlanForm of={of} />
        </>
      ) : (
        <>
          <details class="further">
            <summary>The lines that push with it: curl and Python</summary>
            <Lines of={lines} />
          </details>
          {planned}
        </>
      )}
    </>
  );
};
