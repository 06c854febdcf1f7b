/** A constant Cypher statement, with a title that says what it does. */
export interface CatalogEntry {
  readonly title: string;
  readonly text: string;
}

/** Gives a statement its title. */
export const entry = (title: string, text: string): CatalogEntry => ({ title, text });
