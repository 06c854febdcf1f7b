import { stepsOf } from './pointer';

/**
 * A payload with each field in its known spelling (docs/rules.md: Problems). Names of properties are data: they keep their
 * case, and count in NFC (docs/rules.md: Property names).
 */
export function knownSpelling(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(knownSpelling);
  if (typeof json !== 'object' || json === null || isParentGroup(json)) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => {
      const known = name.toLowerCase();
      return [known, holdsProperties(known) ? inNfc(value) : knownSpelling(value)];
    }),
  );
}

/** A pointer into the known spelling, as the payload itself spells it (docs/rules.md: Problems). */
export function pointerAsSent(pointer: string, json: unknown): string {
  let value = json;
  let sent = '';
  for (const step of stepsOf(pointer)) {
    const object = typeof value === 'object' && value !== null ? value : {};
    const names = Object.keys(object);
    const name = [
      (n: string) => n === step,
      (n: string) => n.toLowerCase() === step,
      (n: string) => n.normalize('NFC') === step,
    ]
      .map((isStep) => names.find(isStep))
      .find((n) => n !== undefined);
    sent += `/${(name ?? step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    value = name === undefined ? undefined : (object as Record<string, unknown>)[name];
  }
  return sent;
}

function inNfc(properties: unknown): unknown {
  if (typeof properties !== 'object' || properties === null) return properties;
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name.normalize('NFC'), value]),
  );
}

/** `{<parent>: "parent"}`: its keys are identities, not fields (docs/rules.md: Identity provider payloads). */
export function isParentGroup(json: object): boolean {
  const values = Object.values(json);
  return values.length > 0 && values.every((value) => value === 'parent');
}

/** Fields whose own keys are names of properties (spec). */
export function holdsProperties(field: string): boolean {
  return field === 'properties' || field.endsWith('_properties');
}
