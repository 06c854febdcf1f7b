import type { ResultSummary } from 'neo4j-driver';
import type { Notice } from '../../contract/answers/query';

/** The notices on a query that Neo4j planned behind a prefix of ours: their places are those of the query. */
export const noticesOf = ({ notifications }: ResultSummary, prefix: string): readonly Notice[] =>
  notifications.map(({ code, severityLevel, title, description, position }) => {
    const { offset, line, column } = { offset: -1, line: 1, column: 0, ...position };
    const place = {
      offset: offset - prefix.length,
      line,
      column: line === 1 ? column - prefix.length : column,
    };
    return {
      ...{ code, severity: severityLevel, title, description },
      position: place.offset < 0 ? null : place,
    };
  });

/** Neo4j says nothing when a time is compared with a text, which no time equals, precedes or follows. */
export const textNotice = (parameter: string): Notice => ({
  code: 'Grantgraph.ClientNotification.TextThatSpellsATime',
  severity: 'INFORMATION',
  title: 'A parameter is a text that spells a time.',
  description: `A comparison of a time with the text in $${parameter} finds nothing. Send {"datetime": "…"} or {"date": "…"} for a time.`,
  position: null,
});
