import type { Context } from './context';
import type { EventType } from './contract/answers/event-types';
import type { Counter, Gauge } from './metrics';
import type { Web } from './web/routing/web';
import type { Route, Topic } from './web/routing/route';
import type { NodeKind } from './model/table';
import type { Round } from './background';
import type { CatalogEntry } from './graph/statements/catalog-entry';
import type { FindFindings, Page, PageForm } from './features/console/contract';
import type { FormOf } from './web/exchange/respond';

/** Work in the background. */
export interface Work {
  /** The name of the work in the log. */
  readonly name: string;
  readonly everySeconds: number;
  readonly rounds: readonly Round[];
  /** Whether requests start the next round (`Context.wake`). */
  readonly isWoken?: true;
  /** Whether a last round runs when the service stops. */
  readonly runsAtStop?: true;
}

/** Routes about one topic. */
export interface TopicRoutes {
  readonly topic: Topic;
  readonly routes: readonly Route[];
}

/** What a feature may have. */
interface Parts {
  /** Every statement that it runs, so that a reviewer can read them all. */
  readonly statements?: () => readonly CatalogEntry[];
  /** Its endpoints, in the order of the table in docs/api.md. */
  readonly routes?: (web: Web, context: Context) => readonly TopicRoutes[];
  /** The types of events that it writes, by their names. */
  readonly events?: Readonly<Record<string, EventType>>;
  /** Its pages, which the console shows. */
  readonly pages?: readonly Page[];
  /** The forms of these pages. */
  readonly forms?: readonly PageForm[];
  /** What somebody should look at, for the overview of the console. */
  readonly findings?: FindFindings;
  /** The files that its pages offer, as routes of the console. */
  readonly files?: (web: Web, context: Context) => readonly Route[];
  /** How its addresses show an error, if that is no usual answer. */
  readonly errorForm?: FormOf;
  /** What it does in the background. */
  readonly rounds?: (context: Context) => readonly Work[];
  /** What it counts. */
  readonly counters?: readonly Counter<string>[];
  /** What it measures each time somebody reads the metrics. */
  readonly gauges?: (context: Context) => readonly Gauge[];
  /** Closes its answers that never end by themselves, once the service accepts no more requests. */
  readonly leave?: (context: Context) => Promise<void>;
}

/** A feature of the service, as one value (docs/architecture.md: Features). */
export interface Feature extends Parts {
  readonly name: string;
  /** The kinds of nodes that it stores. Each kind says whose its records are (`holds`). */
  readonly records: readonly NodeKind[];
}

/** The records of features. */
export const recordsOf = (features: readonly Feature[]): readonly NodeKind[] =>
  features.flatMap(({ records }) => records);

/** The types of events of features. */
export const eventTypesOf = (features: readonly Feature[]): readonly EventType[] =>
  features.flatMap(({ events = {} }) => Object.values(events));

/** Declares a feature. */
export const feature = (
  declared: Parts & { name: string; records?: readonly NodeKind[] },
): Feature => ({
  records: [],
  ...declared,
});
