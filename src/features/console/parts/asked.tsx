import type { JSX } from 'preact';

import { visible, visibleLines } from '../../../visible-text';
import type { Shown } from '../asking/ask';

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const curl = (address: string): string =>
  `curl -sS -H "authorization: Bearer $key" ${inShell(`$service${address}`).replace("'$service", `"$service"'`)}`;

/** How somebody gets what a table shows: the request, its CSV, and the query in Cypher. */
export const AskedBy = ({ of }: { readonly of: Shown }): JSX.Element => (
  <details class="asked">
    <summary>Request{of.cypher === null ? '' : ' and Cypher'}</summary>
    <p>
      The interface gives the same answer to whoever has a key. <code>$service</code> is the address
      of this service.
    </p>
    <pre tabIndex={0}>
      <code>{visible(curl(of.address))}</code>
    </pre>
    {of.csv === null ? null : (
      <>
        <p>All rows as CSV:</p>
        <pre tabIndex={0}>
          <code>{visible(curl(of.csv))}</code>
        </pre>
      </>
    )}
    {of.cypher === null ? null : (
      <>
        <p>
          In Neo4j Browser, paste <code>:params</code> with the parameters, then the query:
        </p>
        <pre tabIndex={0}>
          <code>{visibleLines(`:params ${JSON.stringify(of.cypher.parameters)}`)}</code>
        </pre>
        <pre tabIndex={0}>
          <code>{visibleLines(of.cypher.query)}</code>
        </pre>
      </>
    )}
  </details>
);
