import { pointerOf, type Step, stepsOf } from '../codec/pointer';
import type { CsvPlace, Problem } from '../problem';
import { listAt } from '../model/grouped';

/** Fields of what somebody holds, by the column that holds them. */
const COLUMN_OF: Readonly<Record<string, string>> = {
  application_permissions: 'permissions',
  permission: 'permissions',
  role_assignments: 'roles',
  role: 'roles',
};

/** Records from which row and column each part of a payload comes. */
export class CsvPlaces {
  private readonly lists = new Map<string, CsvPlace[]>();

  /** `headers` are the names of the columns in the file, by their fields. */
  constructor(private readonly headers: ReadonlyMap<string, string>) {}

  /** Records the row and column from which the next entry of a list comes. */
  note(list: readonly Step[], place: CsvPlace): void {
    const pointer = pointerOf(...list);
    listAt(this.lists, pointer).push(place);
  }

  /**
   * The row and column of a place in the payload. The result is empty if the place comes from no
   * row.
   */
  of(pointer: string): CsvPlace {
    const steps = stepsOf(pointer);
    for (let depth = steps.length - 1; depth > 0; depth -= 1) {
      const entry = this.lists.get(pointerOf(...steps.slice(0, depth)))?.[Number(steps[depth])];
      if (entry === undefined) continue;
      if (entry.column !== undefined) return entry;
      const column = this.columnOf(steps.slice(depth + 1));
      return column === undefined ? entry : { ...entry, column };
    }
    return {};
  }

  /** Adds row and column to the problems of a payload. */
  placed(problems: readonly Problem[]): readonly Problem[] {
    return problems.map((problem) => ({ ...problem, ...this.of(problem.pointer) }));
  }

  private columnOf(steps: readonly string[]): string | undefined {
    const [first = '', second = ''] = steps;
    const fields = [`${first}.${second}`, ...steps.toReversed()];
    return fields
      .map((field) => this.headers.get(COLUMN_OF[field] ?? field))
      .find((header) => header !== undefined);
  }
}
