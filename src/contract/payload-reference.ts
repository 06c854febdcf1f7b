import type { AnyCodec } from '../codec/codec';
import { Dictionary, List, Recursive, Shapes } from '../codec/collections';
import { ParentGroup } from '../codec/parent-group';
import { IdentityReference } from '../codec/shared';
import { type Fields, Struct } from '../codec/struct';
import { Enumeration, Text, type TextRule } from '../codec/text';
import { RESOURCE_LEVELS } from '../templates/application/payload';
import { type Template, templates } from '../templates/templates';

/*
 * The pages docs/payloads/*.md, which `npm run cypher` writes: every field of a template's payloads, from the
 * declarations of its kinds.
 */

type AnyStruct = Struct<Fields, Fields>;

/** The widest example that a row of a table shows. */
const WIDEST_EXAMPLE = 80;

const code = (text: string): string => `\`${text}\``;

/** A text in a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

const textWords = ({ most, measure, mayBeEmpty, mayHaveLines, characters }: TextRule): string => {
  const limits = [
    `at most ${most} ${measure}`,
    ...(mayBeEmpty ? [] : ['not empty']),
    ...(mayHaveLines === true ? ['may have lines'] : []),
    ...(characters === undefined ? [] : [`of ${characters}`]),
  ];
  return `text (${limits.join('; ')})`;
};

/** Walks the codecs of a payload, and lists the objects that it meets in their order. */
class Reference {
  private readonly structs = new Map<AnyStruct, string>();
  /** The objects of the examples, by their codecs. */
  private readonly examples = new Map<AnyStruct, Readonly<Record<string, unknown>>[]>();

  page(payload: AnyStruct, examples: readonly unknown[]): string {
    for (const example of examples) this.gather(payload, example);
    this.headingOf(payload);
    const parts: string[] = [];
    // A table can meet further objects. The map then adds them after this one.
    for (const [struct, heading] of this.structs) {
      const isPayload = struct === payload;
      parts.push(`${isPayload ? '## The payload' : `## ${heading}`}\n\n${this.table(struct)}`);
    }
    return parts.join('\n\n');
  }

  private headingOf(struct: AnyStruct): string {
    const known = this.structs.get(struct);
    if (known !== undefined) return known;
    const taken = new Set(this.structs.values());
    let heading = struct.name;
    for (let at = 2; taken.has(heading); at += 1) heading = `${struct.name} ${at}`;
    this.structs.set(struct, heading);
    return heading;
  }

  private table(struct: AnyStruct): string {
    const { required, optional, rules } = struct;
    const rows = [...Object.entries(required), ...Object.entries(optional)].map(
      ([field, codec]) => {
        const example = this.exampleOf(struct, field);
        const cells = [
          code(field),
          this.words(codec),
          Object.hasOwn(required, field) ? 'yes' : '',
          rules.docs?.[field] ?? '',
          example === undefined ? '' : code(example),
        ];
        return `| ${cells.map(cell).join(' | ')} |`;
      },
    );
    const oneOf =
      rules.oneOf === undefined
        ? ''
        : `\n\nAt least one of ${rules.oneOf.fields.map(code).join(', ')} must be set.`;
    return ['| field | type | required | meaning | example |', '| - | - | - | - | - |', ...rows]
      .join('\n')
      .concat(oneOf);
  }

  private words(codec: AnyCodec): string {
    if (codec instanceof Struct) {
      const heading = this.headingOf(codec as AnyStruct);
      return `[${heading}](#${heading.replaceAll(' ', '-').toLowerCase()})`;
    }
    if (codec === ParentGroup) {
      return `${this.words(IdentityReference)}, or an object whose keys are names, each with the value \`parent\``;
    }
    if (codec instanceof Recursive) return this.words(codec.inner() as AnyCodec);
    if (codec instanceof Enumeration) {
      return `one of ${(codec.values as readonly string[]).map(code).join(' ')}`;
    }
    if (codec instanceof Text) return textWords(codec.rule);
    if (codec instanceof List) return `list of: ${this.words((codec as List<AnyCodec>).element)}`;
    if (codec instanceof Dictionary) {
      return `object: by name, ${this.words(codec.value as AnyCodec)}`;
    }
    if (codec instanceof Shapes) {
      const members = Object.values(codec.members as Record<string, AnyCodec>);
      return members.map((member) => this.words(member)).join(', or ');
    }
    return codec.name;
  }

  /** The first value that the examples have for a field of such an object, if it is short. */
  private exampleOf(struct: AnyStruct, field: string): string | undefined {
    return (this.examples.get(struct) ?? [])
      .flatMap((held) => (isEmpty(held[field]) ? [] : [JSON.stringify(held[field])]))
      .find((text) => text.length <= WIDEST_EXAMPLE);
  }

  private gather(codec: AnyCodec, value: unknown): void {
    if (value === undefined || value === null) return;
    if (codec instanceof Recursive) this.gather(codec.inner() as AnyCodec, value);
    else if (codec instanceof List) {
      for (const each of value as readonly unknown[]) {
        this.gather((codec as List<AnyCodec>).element, each);
      }
    } else if (codec instanceof Shapes) {
      for (const member of Object.values(codec.members as Record<string, AnyCodec>)) {
        if (member.is(value)) this.gather(member, value);
      }
    } else if (codec instanceof Struct) {
      const struct = codec as AnyStruct;
      const held = value as Readonly<Record<string, unknown>>;
      this.examples.set(struct, [...(this.examples.get(struct) ?? []), held]);
      for (const [field, each] of Object.entries({ ...struct.required, ...struct.optional })) {
        this.gather(each, held[field]);
      }
    }
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/**
 * The page of a template's payloads: every field with its type, limit, meaning and an example. The
 * examples are complete payloads of the template.
 */
export const payloadReference = (template: Template, examples: readonly unknown[]): string => {
  const payload = templates[template].whole(RESOURCE_LEVELS) as unknown as AnyStruct;
  return `# Payloads of the template \`${template}\`

\`npm run cypher\` writes this page from the declarations in \`src/templates\`; the examples are those of
[examples/company](../../examples/company). [connectors.md](../connectors.md) says how to push,
[rules.md](../rules.md) what the service makes of it, and [increments.md](../increments.md) what an increment may hold.

A field that is not required may be left out; \`null\` means the same. It then has no value, unless its meaning names a
default. Keys may have any case. Names of custom and dynamic properties have letters, digits and \`_\`, and begin with
no digit.

${new Reference().page(payload, examples)}
`;
};
