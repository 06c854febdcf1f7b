/** A constant statement, with a heading that tells what it is for. */
export interface CatalogEntry {
  readonly title: string;
  readonly text: string;
}

/** A statement under its heading. */
export const entry = (title: string, text: string): CatalogEntry => ({ title, text });
