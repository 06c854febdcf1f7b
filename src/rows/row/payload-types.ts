/**
 * The types in a payload, which the service adds to the provider's record (docs/rules.md: Custom
 * properties).
 */
export interface PayloadTypes {
  readonly application_types: readonly string[];
  readonly resource_types: readonly string[];
  readonly idp_types: readonly string[];
}

const NAMES = ['application_types', 'resource_types', 'idp_types'] as const;

/** The types of both, each once. The existing types come first. */
export const mergeTypes = (existing: PayloadTypes, more: PayloadTypes): PayloadTypes => {
  const both = (name: (typeof NAMES)[number]): readonly string[] => [
    ...new Set([...existing[name], ...more[name]]),
  ];
  return {
    application_types: both('application_types'),
    resource_types: both('resource_types'),
    idp_types: both('idp_types'),
  };
};

/** Whether both have the same types in any order. */
export const sameTypes = (left: PayloadTypes, right: PayloadTypes): boolean =>
  NAMES.every(
    (name) =>
      left[name].length === right[name].length &&
      left[name].every((type) => right[name].includes(type)),
  );
