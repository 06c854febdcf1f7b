import { Walk } from '../../codec/codec';
import { ProblemCollector } from '../../codec/problem-collector';
import { requiredText } from '../../codec/text';
import { fieldOf, isJsonObject, type Json } from '../client/json';

/** What of the application's resources the graph cannot hold. It is left out, and reported. */
export class LeftOut {
  /** The first remarks. */
  readonly remarks: string[] = [];
  count = 0;
  /** Lists that count more than they show: what they do not show is not gone because of that. */
  readonly short = new Set<string>();
  /** Replaces the secrets with which the service signs in to the application. */
  hide: (text: string) => string = (text) => text;

  constructor(private readonly most = 20) {}

  tell(remark: string): void {
    this.count += 1;
    if (this.remarks.length < this.most) this.remarks.push(this.hide(remark));
  }

  /** Remarks once that a list counts more than it shows. */
  tellShort(endpoint: string, counted: number, shown: number): void {
    if (this.short.has(endpoint)) return;
    this.short.add(endpoint);
    this.tell(
      `The list of ${endpoint} counts ${counted} and shows ${shown}, so what it does not show is not taken for gone.`,
    );
  }

  /** Whether a text holds a secret with which the service signs in to the application. */
  holdsSecret(text: string): boolean {
    return this.hide(text) !== text;
  }
}

/** Why no payload can hold a text. */
const faultOf = (text: string): string => {
  const problems = new ProblemCollector();
  requiredText.explain(text, new Walk(problems));
  return problems
    .list()
    .problems.map(({ message }) => message)
    .join(', and ');
};

const plain = (value: unknown): string | null => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
};

/** Reads texts of one resource. Texts that no payload can hold are left out, and reported. */
export class Texts {
  constructor(
    /** Such as `account 2819c223`. */
    private readonly of: string,
    private readonly left: LeftOut,
  ) {}

  /** A text that a payload can hold; null where there is none. */
  fitting(value: unknown, what: string): string | null {
    const text = plain(value);
    if (text === null) return null;
    if (this.left.holdsSecret(text)) {
      this.left.tell(`The ${what} of ${this.of} is left out: it repeats a secret.`);
      return null;
    }
    if (requiredText.is(text)) return text;
    this.left.tell(`The ${what} of ${this.of} is left out: it ${faultOf(text)}.`);
    return null;
  }

  /** The text of an attribute. */
  at(resource: Json, name: string): string | null {
    return this.fitting(fieldOf(resource, name), name);
  }
}

/** The object of an attribute; an empty one where there is none. */
export const objectAt = (resource: Json, name: string): Json => {
  const value = fieldOf(resource, name);
  return isJsonObject(value) ? value : {};
};

/** A flag, also one that is spelled as a text; null where there is none. */
export const flagOf = (value: unknown): boolean | null => {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : null;
};
