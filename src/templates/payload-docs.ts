/** Sentences for fields that the payloads of all templates have. */
export const DECLARATIONS =
  'The custom properties that entities of this payload may have, with their types.';
export const INCREMENTAL =
  'Whether the payload is an increment, which names changes only. Default: `false`, a full push.';

/** A sentence for each field that declares the custom properties of a kind. */
export const declarationDocs = (owners: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    owners.map((owner) => [
      `${owner}_properties`,
      `The type of each custom property of a ${owner.replaceAll('_', ' ')}, by its name.`,
    ]),
  );
