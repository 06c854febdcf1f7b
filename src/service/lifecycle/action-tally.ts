import type { CountAction } from './dependencies';

/** How often each kind of action ended how, since the start of the process. */
export interface ActionTally {
  readonly count: CountAction;
  readonly counts: () => readonly {
    readonly kind: string;
    readonly outcome: string;
    readonly number: number;
  }[];
}

/** Counts the actions of policies, for the metrics. */
export const actionTally = (): ActionTally => {
  const numbers = new Map<string, number>();
  return {
    count: (kind, outcome) => {
      const key = `${kind} ${outcome}`;
      numbers.set(key, (numbers.get(key) ?? 0) + 1);
    },
    counts: () =>
      [...numbers].map(([key, number]) => {
        const [kind = '', outcome = ''] = key.split(' ');
        return { kind, outcome, number };
      }),
  };
};
