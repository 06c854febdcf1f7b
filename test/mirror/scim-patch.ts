/*
 * A plain second writing of docs/provisioning.md: PATCH (RFC 7644, 3.5.2), for requests that are valid. Operations are
 * applied one after the other to plain objects.
 */

type Json = Record<string, unknown>;

/** An email of a user. */
export interface MirrorEmail {
  value: string;
  type?: string;
  primary?: boolean;
}

/** A user as a PATCH finds and leaves it. */
export interface MirrorUser {
  texts: Record<string, string>;
  active?: boolean;
  name: Record<string, string>;
  manager?: string;
  emails: MirrorEmail[];
}

/** One operation in its parts. A test spells it as clients do. */
export type MirrorOperation =
  | { readonly sets: 'text'; readonly name: string; readonly to: string | null }
  | { readonly sets: 'active'; readonly to: boolean | null }
  | { readonly sets: 'name'; readonly to: Readonly<Record<string, string | null>> | null }
  /** Undefined: the value has no part that is stored. */
  | { readonly sets: 'manager'; readonly to: string | null | undefined }
  | { readonly sets: 'nothing' }
  | { readonly emails: 'add' | 'replace'; readonly sent: readonly MirrorEmail[] }
  | { readonly emails: 'change'; readonly ofType: string; readonly parts: Partial<MirrorEmail> }
  | { readonly emails: 'remove'; readonly ofType: string | null };

const isSameEmail = (a: MirrorEmail, b: MirrorEmail): boolean =>
  a.value === b.value && a.type === b.type;

/** What makes emails equal goes together; the newest primary one is the only one. */
const put = (emails: MirrorEmail[], sent: MirrorEmail): MirrorEmail[] => {
  const standing = emails.findIndex((email) => isSameEmail(email, sent));
  const merged = { ...(emails[standing] ?? {}), ...sent };
  const others = emails.map((email) =>
    merged.primary === true && email.primary === true ? { ...email, primary: false } : email,
  );
  return standing === -1
    ? [...others, merged]
    : others.map((email, index) => (index === standing ? merged : email));
};

const isOfType = (email: MirrorEmail, type: string): boolean =>
  email.type?.toLowerCase() === type.toLowerCase();

const emailsAfter = (
  emails: MirrorEmail[],
  operation: Extract<MirrorOperation, { readonly emails: string }>,
): MirrorEmail[] => {
  switch (operation.emails) {
    case 'add':
      return operation.sent.reduce<MirrorEmail[]>(put, emails);
    case 'replace':
      return operation.sent.reduce<MirrorEmail[]>(put, []);
    case 'remove':
      return emails.filter(
        (email) => operation.ofType !== null && !isOfType(email, operation.ofType),
      );
    case 'change': {
      const { ofType, parts } = operation;
      const target = emails.findIndex((email) => isOfType(email, ofType));
      if (target === -1) {
        return 'value' in parts ? put(emails, { type: ofType, ...parts } as MirrorEmail) : emails;
      }
      let left: MirrorEmail[] = [];
      emails.forEach((email, index) => {
        const changed = isOfType(email, ofType) ? { ...email, ...parts } : { ...email };
        if (parts.primary === true) {
          // Several may fit, and one alone is primary.
          if (index === target) changed.primary = true;
          else if (isOfType(email, ofType)) {
            if (email.primary === undefined) delete changed.primary;
            else changed.primary = false;
          } else if (email.primary === true) changed.primary = false;
        }
        left = put(left, changed);
      });
      return left;
    }
  }
};

/** A user after an operation. */
export const afterOperation = (user: MirrorUser, operation: MirrorOperation): MirrorUser => {
  if ('emails' in operation) return { ...user, emails: emailsAfter(user.emails, operation) };
  switch (operation.sets) {
    case 'nothing':
      return user;
    case 'text': {
      const texts = { ...user.texts };
      if (operation.to === null) delete texts[operation.name];
      else texts[operation.name] = operation.to;
      return { ...user, texts };
    }
    case 'active':
      return operation.to === null ? user : { ...user, active: operation.to };
    case 'name': {
      if (operation.to === null) return { ...user, name: {} };
      const name = { ...user.name };
      for (const [part, to] of Object.entries(operation.to)) {
        if (to === null) delete name[part];
        else name[part] = to;
      }
      return { ...user, name };
    }
    case 'manager': {
      if (operation.to === undefined) return user;
      const after = { ...user };
      if (operation.to === null) delete after.manager;
      else after.manager = operation.to;
      return after;
    }
  }
};

/** A user as an object of JSON, without what is not set. */
export const userAsJson = ({ texts, active, name, manager, emails }: MirrorUser): Json => ({
  ...texts,
  ...(active !== undefined && { active }),
  ...(Object.keys(name).length > 0 && { name }),
  ...(manager !== undefined && { manager: { value: manager } }),
  ...(emails.length > 0 && { emails }),
});
