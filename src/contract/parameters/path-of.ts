/** The parameter in a part of a path, if it has one: of `:keyId`, `:keyId\\:rotate`, `:name.json`. */
type NameIn<Part extends string> = Part extends `:${infer Name}\\:${string}`
  ? Name
  : Part extends `:${infer Name}.${string}`
    ? Name
    : Part extends `:${infer Name}`
      ? Name
      : never;

type NamesIn<Path extends string> = string extends Path
  ? string
  : Path extends `${infer Part}/${infer Rest}`
    ? NameIn<Part> | NamesIn<Rest>
    : NameIn<Path>;

/** The ids that the path of an endpoint needs, by the names of its parameters. */
export type IdsOf<Path extends string> = Readonly<Record<NamesIn<Path>, string>>;

/** The path of an endpoint about the things with these ids, as a request spells it. */
export const pathOf = <Path extends string>(
  { path }: { readonly path: Path },
  ids: IdsOf<Path>,
): string =>
  path.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) =>
    escape === '' ? encodeURIComponent(ids[name as NamesIn<Path>]) : `:${name}`,
  );
