import type { Definitions } from '../check/definitions';
import type { ApplicationIncrement } from '../templates/application/payload';
import { Application } from '../templates/application/applications';
import { fold, nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { type IncrementOf, type Template, templates } from '../templates/templates';
import { Draft } from '../rows/row/draft';
import { applicationIncrement } from './application';
import { rowOf } from './finish';
import { flatIncrement } from './flat';
import {
  type KnownRows,
  type Need,
  needId,
  NOTHING_KNOWN,
  CurrentRows,
  type CurrentRow,
} from './working/current-rows';

/**
 * What the service must read for an increment in any case, whatever the graph holds. It reads all
 * this at once instead of reference by reference.
 */
export const foreseenNeeds = <T extends Template>(
  template: T,
  payload: IncrementOf[T],
  remembered: Definitions,
  levels: number,
): readonly Need[] => {
  const { flat } = templates[template];
  if (flat !== null) {
    const current = new CurrentRows(NOTHING_KNOWN);
    flatIncrement(flat, payload, remembered, current);
    return current.needs;
  }
  const increment = payload as ApplicationIncrement;
  const { needs, known } = supposed(increment);
  const current = new CurrentRows(known);
  applicationIncrement(increment, remembered, current, levels);
  // Needs that depend on the applications themselves come later, when those are known.
  const inside = current.needs.filter(({ _tag }) => _tag === 'named' || _tag === 'row');
  return [...needs, ...inside];
};

/**
 * Pretends that the applications that an increment names exist, so that look-ups in them are noted.
 * Also returns the needs that show whether they do exist.
 */
const supposed = (
  payload: ApplicationIncrement,
): { readonly needs: readonly Need[]; readonly known: KnownRows } => {
  const needs: Need[] = [];
  const rows = new Map<string, CurrentRow>();
  const found = new Map<string, readonly string[]>();
  for (const name of namedApplications(payload)) {
    const draft = new Draft(Application, keyOf(Application.label, name));
    draft.text('name', name);
    draft.text('application', name);
    const need: Need = {
      _tag: 'named',
      label: Application.label,
      folded: fold(name),
      application: null,
    };
    needs.push(need);
    rows.set(draft.key, { row: rowOf(draft), hash: '' });
    found.set(needId(need), [...(found.get(needId(need)) ?? []), draft.key]);
  }
  return { needs, known: { rows, found } };
};

const namedApplications = ({
  applications,
  identity_to_permissions: entries,
}: ApplicationIncrement): ReadonlySet<string> =>
  new Set(
    [
      ...(applications ?? []).map(({ name }) => name ?? ''),
      ...(entries ?? []).flatMap(({ application_permissions, role_assignments }) =>
        [...(application_permissions ?? []), ...(role_assignments ?? [])].map(
          ({ application }) => application,
        ),
      ),
    ].map(nfc),
  );
