import { fold, nfc } from '../../model/fold';
import type { AccessGraph } from '../access-graph';
import type { Moment } from '../instants';
import { NO_TEXT } from '../texts';

/** A name that a question has, and the same folded. */
interface Asked {
  readonly name: string;
  readonly folded: string;
}

const askedOf = (name: string): Asked => ({ name: nfc(name), folded: fold(name) });

/** The data source of a node of a row, as its key begins (docs/rules.md: Keys). */
const sourceOf = (key: string): string => key.slice(0, key.indexOf('|') + 1);

/**
 * Which permissions and applications a question means by their names: those of exactly that name.
 * Only if there are none, it means those that match in another case (docs/rules.md: Access answers).
 */
export class Named {
  private readonly existing = new Map<string, boolean>();

  constructor(
    private readonly graph: AccessGraph,
    private readonly moment: Moment,
  ) {}

  /** Whether one of some names means a permission on something. */
  isPermission(names: readonly string[], permission: string, target: number): boolean {
    return names.some((name) =>
      this.isMeant(askedOf(name), permission, 'Permission', () => sourceOf(this.graph.key(target))),
    );
  }

  /** Whether one of some names means an application. */
  isApplication(names: readonly string[], application: string): boolean {
    return (
      names.some((name) => this.isMeant(askedOf(name), application, 'Application', () => '')) &&
      this.exists('Application', application, '')
    );
  }

  private isMeant(
    { name, folded }: Asked,
    found: string,
    label: string,
    source: () => string,
  ): boolean {
    return found === name || (fold(found) === folded && !this.exists(label, name, source()));
  }

  /** Whether there is a node of exactly that name, with a key that begins with the data source. */
  private exists(label: string, name: string, source: string): boolean {
    const text = `${label} ${source} ${name}`;
    const known = this.existing.get(text) ?? this.find(label, name, source);
    this.existing.set(text, known);
    return known;
  }

  private find(label: string, name: string, source: string): boolean {
    const { graph, moment } = this;
    const number = graph.texts.find(name);
    if (number === NO_TEXT) return false;
    for (let node = 0; node < graph.nodeCount; node += 1) {
      if (graph.kind(node)?.label !== label) continue;
      if (graph.textNumber(graph.version(node, moment), 'name') !== number) continue;
      if (graph.key(node).startsWith(source)) return true;
    }
    return false;
  }
}
