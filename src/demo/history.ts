import { type Answer, ask } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';
import { toDateTime } from '../neo4j/values';
import { Instant } from '../model/instant';
import { company } from './company';
import { askSaved, title } from './questions';
import type { Terminal } from './terminal';

const PERSON = 'Amara Nwosu';
const GROUP = 'Release Managers';
const APPLICATION = 'Clientbook';

const GAINED_AND_LOST = 'history/what-a-person-gained-and-lost';
const MEMBERS = 'history/members-of-a-group-on-a-day';
const ADMINISTRATORS = 'history/administrators-of-an-application-on-a-day';

/** The instant of a provider's first push, and the present one. */
const MOMENTS = `MATCH (push:Push)-[:FROM]->(source:DataSource)
WHERE source.provider = $provider
WITH min(push.at) AS first_week
RETURN first_week, datetime.realtime('Z') AS now`;

/** The same answer at the end of the first week, and now. */
interface ThenAndNow {
  readonly then: readonly Answer[];
  readonly now: readonly Answer[];
}

/** The answers to the three questions about the past. */
export interface PastAnswers {
  /** When the first week was over. */
  readonly firstWeek: string;
  readonly changes: readonly Answer[];
  readonly members: ThenAndNow;
  readonly administrators: ThenAndNow;
}

/** Queries the graph about the weeks before, with saved queries of this folder. */
export const askHistory = async (graph: Graph, folder: string): Promise<PastAnswers> => {
  // A week is over when the last system has pushed.
  const [moments] = await ask(graph, MOMENTS, { provider: company.at(-1)?.provider });
  const { first_week: firstWeek, now: moment } = moments ?? {};
  if (typeof firstWeek !== 'string' || typeof moment !== 'string') {
    throw new Error('Nobody has pushed yet.');
  }
  const [after, now] = [firstWeek, moment].map((each) => toDateTime(new Instant(each)));
  const answer = (name: string, parameters: Answer): Promise<readonly Answer[]> =>
    askSaved(graph, folder, name, parameters);
  // The second question of a pair finds the plan of the first one.
  const both = async (name: string, of: Answer): Promise<ThenAndNow> => ({
    then: await answer(name, { ...of, at: after }),
    now: await answer(name, { ...of, at: now }),
  });
  const [changes, members, administrators] = await Promise.all([
    answer(GAINED_AND_LOST, { person: PERSON, after, until: now }),
    both(MEMBERS, { group: GROUP }),
    both(ADMINISTRATORS, { application: APPLICATION }),
  ]);
  return { firstWeek, changes, members, administrators };
};

const printBoth = (terminal: Terminal, { then, now }: ThenAndNow, column: string): void => {
  const names = (rows: readonly Answer[]): string =>
    rows.map((row) => String(row[column])).join(', ') || 'nobody';
  terminal.line('    then  ', names(then));
  terminal.line('    now   ', names(now));
};

/** Prints each question about the past, and its answer. */
export const printHistory = (
  terminal: Terminal,
  { firstWeek, changes, members, administrators }: PastAnswers,
): void => {
  title(terminal, `What has ${PERSON} gained and lost since the first week?`, GAINED_AND_LOST);
  for (const { what, who, gained } of changes) {
    terminal.line(`    ${String(what).padEnd(6)}  ${String(who)} → ${String(gained)}`);
  }
  title(terminal, `Who was in ${GROUP} when the first week was over?`, MEMBERS);
  printBoth(terminal, members, 'member');
  title(terminal, `Who could change how ${APPLICATION} is set up then?`, ADMINISTRATORS);
  printBoth(terminal, administrators, 'who');
  terminal.line();
  terminal.line(
    '  The first week was over at ',
    ['link', firstWeek],
    ': the API accepts it as at=.',
  );
};
