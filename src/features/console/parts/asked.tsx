import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { neo4jBrowserLink } from '../asking/neo4j-browser';
import { visible, visibleLines } from '../../../visible-text';
import type { Cypher } from '../../../contract/answers/questions/cypher';
import { pathOf } from '../../../contract/parameters/path-of';
import { endpoints } from '../../../questions/endpoints';
import type { Shown } from '../asking/ask';
import type { AskedQuestion } from '../asking/saved';
import { Reading } from '../frame/reading';
import { inShell } from './shell';

const curl = (address: string): string =>
  `curl -sS -H "authorization: Bearer $key" ${inShell(`$service${address}`).replace("'$service", `"$service"'`)}`;

/** How somebody gets what a table shows: the request, its CSV, and the query in Cypher. */
export const AskedBy = ({ of }: { readonly of: Shown }): JSX.Element => (
  <>
    <Download of={of} />
    <RequestOf of={of} />
  </>
);

/** Downloads all rows of a table. Without a role one downloads nothing. */
const Download = ({ of: { download, inWords } }: { readonly of: Shown }): JSX.Element | null => {
  const { seesAll } = useContext(Reading);
  return download === null || !seesAll ? null : (
    <p class="asked">
      <a href={download}>All rows as CSV</a>
      {inWords === null ? null : (
        <>
          {' · '}
          <a href={inWords}>the same in words, without ids</a>
          {' · '}
          <a href={`${inWords}&about=true`}>what that file answers</a>
        </>
      )}
    </p>
  );
};

/** The request has keys, and needs a key of the service. Somebody without a role has neither. */
const RequestOf = ({ of }: { readonly of: Shown }): JSX.Element | null =>
  useContext(Reading).seesAll ? <RequestAndCypher of={of} /> : null;

const RequestAndCypher = ({ of }: { readonly of: Shown }): JSX.Element => (
  <details class="asked">
    <summary>Request{of.cypher === null ? '' : ' and Cypher'}</summary>
    <p>
      The interface gives the same answer to everybody who has a key. <code>$service</code> is the
      address of this service.
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
    {of.cypher === null ? null : <InBrowser of={of.cypher} />}
  </details>
);

/** Opens Neo4j Browser with a query filled in, where a setting says where it is. */
const OpenInBrowser = ({
  query,
  parameters,
}: {
  readonly query: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}): JSX.Element | null => {
  const { seesAll, neo4jBrowser } = useContext(Reading);
  const href =
    neo4jBrowser === null || !seesAll ? null : neo4jBrowserLink(neo4jBrowser, query, parameters);
  return href === null ? null : (
    <p>
      <a href={href} target="_blank" rel="noreferrer">
        Open the query in Neo4j Browser
      </a>
    </p>
  );
};

/** A query, and how somebody runs it in Neo4j Browser. */
const InBrowser = ({
  of: { query, parameters },
}: {
  readonly of: Pick<Cypher, 'query' | 'parameters'>;
}): JSX.Element => (
  <>
    <OpenInBrowser {...{ query, parameters }} />
    <p>
      In Neo4j Browser, paste <code>:params</code> with the parameters, then the query:
    </p>
    <pre tabIndex={0}>
      <code>{visibleLines(`:params ${JSON.stringify(parameters)}`)}</code>
    </pre>
    <pre tabIndex={0}>
      <code>{visibleLines(query)}</code>
    </pre>
  </>
);

/** A saved query in Cypher, and the request that gives its rows. */
export const AskedInCypher = ({
  of: { saved, parameters, query },
}: {
  readonly of: AskedQuestion;
}): JSX.Element => (
  <details class="asked">
    <summary>Request and Cypher</summary>
    <p>
      Somebody with a key sends this to <code>{pathOf(endpoints.runSaved, saved)}</code>:
    </p>
    <pre tabIndex={0}>
      <code>{visibleLines(JSON.stringify({ parameters }, null, 2))}</code>
    </pre>
    <OpenInBrowser query={query.cypher} parameters={query.parameters} />
    <p>The query:</p>
    <pre tabIndex={0}>
      <code>{visibleLines(query.cypher)}</code>
    </pre>
  </details>
);
