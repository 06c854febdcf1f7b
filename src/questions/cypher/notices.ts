import type { ResultSummary } from 'neo4j-driver';
import type { Notice } from '../endpoints';

/**
 * The notices about a query. Neo4j planned it behind a prefix of ours, such as `EXPLAIN `, so this
 * moves their positions back by the length of the prefix.
 */
export const noticesOf = ({ notifications }: ResultSummary, prefix: string): readonly Notice[] =>
  notifications.map(({ code, severityLevel, title, description, position }) => {
    const { offset, line, column } = { offset: -1, line: 1, column: 0, ...position };
    const place = {
      offset: offset - prefix.length,
      line,
      column: line === 1 ? column - prefix.length : column,
    };
    return {
      code,
      severity: severityLevel,
      title,
      description,
      position: place.offset < 0 ? null : place,
    };
  });

/**
 * The notice about a parameter that is a text in the form of a time. In Neo4j a comparison of a
 * time with a text never matches, and Neo4j gives no notice of that.
 */
export const textNotice = (parameter: string): Notice => ({
  code: 'Grantgraph.ClientNotification.TextThatSpellsATime',
  severity: 'INFORMATION',
  title: 'A parameter is a text that spells a time.',
  description: `A comparison of a time with the text in $${parameter} finds nothing. Send {"datetime": "…"} or {"date": "…"} for a time.`,
  position: null,
});

/** The notice about a parameter with an integer that may have lost digits when its JSON was read. */
export const inexactNotice = (parameter: string): Notice => ({
  code: 'Grantgraph.ClientNotification.InexactNumber',
  severity: 'WARNING',
  title: 'A parameter has an integer that may have lost digits.',
  description: `JSON numbers are exact only below 2^53, and $${parameter} has a larger one. Send {"integer": "…"} for it.`,
  position: null,
});
