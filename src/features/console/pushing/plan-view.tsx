import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type {
  NodeReference,
  PlanAnswer,
  PlannedNode,
  PlannedRelationship,
} from '../../../contract/answers/plan';
import type { PushDetails } from '../../../contract/answers/pushes';
import type { PlannedFile } from '../../../push/routes/contract';
import { visible } from '../../../visible-text';
import type { FormFile } from '../../../web/bodies/form';
import { plannedByHuman } from '../changes/planned-by-human';
import type { SourceOfProvider } from '../overview/overview';
import { counted } from '../parts/counted';
import { Can } from '../words/can';
import { kindOf } from '../frame/kinds';
import { Accounts, Entity, InApplication, Name } from '../parts/name';
import { Table } from '../tables/table';
import { inShell } from '../parts/shell';
import { notAmong, WarningList } from '../sources/troubles';
import { type Planned, PushForm } from './file-forms';

/** How many entries of each list the page shows. */
export const LISTED = 100;

const CHANGES = { created: 'comes', changed: 'changes', removed: 'goes' } as const;

const Change = ({ of }: { readonly of: PlannedNode['change'] }): JSX.Element => (
  <span class={of === 'created' ? 'gain' : of === 'removed' ? 'loss' : undefined}>
    {CHANGES[of]}
  </span>
);

const Rest = ({
  of,
}: {
  readonly of: { readonly total: number; readonly values: readonly unknown[] };
}): JSX.Element | null =>
  of.values.length >= of.total ? null : (
    <p class="hint">
      These are the first {of.values.length} of {of.total.toLocaleString('en')}.
    </p>
  );

const Access = ({ of }: { readonly of: PlanAnswer['access_changes'] }): JSX.Element => {
  if (of === null) {
    return (
      <p class="note warn">
        The service could not compare who would gain and lose what: the graph of access is not in
        its memory, needs too much of it, or the comparison takes too long.
      </p>
    );
  }
  if (of.total === 0) return <p>Nobody would gain or lose anything.</p>;
  const created = new Set(of.created);
  const isNew = ({ id }: { readonly id: string }): boolean => created.has(id);
  const loses = of.values.some(({ lost }) => lost.length > 0);
  const gains = of.values.some(({ gained }) => gained.length > 0);
  const columns = [
    'Resource',
    'Application',
    ...(loses ? ['Would lose'] : []),
    ...(gains ? ['Would gain'] : []),
  ];
  return (
    <>
      <Table caption="Who would lose and gain what" columns={columns}>
        {plannedByHuman(of.values).map(({ who, by, on }) => (
          <Fragment key={who.id}>
            <tr>
              <th scope="rowgroup" colSpan={columns.length}>
                <Entity of={who} isNew={isNew(who)} />
                <Accounts of={by} isNew={isNew} />
              </th>
            </tr>
            {on.map(({ resource, gained, lost }) => (
              <tr key={resource.id}>
                <th scope="row">
                  <Entity of={resource} isPlain isNew={isNew(resource)} />
                </th>
                <td data-name="Application">
                  <InApplication of={resource} />
                </td>
                {loses ? (
                  <td data-name="Would lose" class="loss">
                    <Can of={lost} />
                  </td>
                ) : null}
                {gains ? (
                  <td data-name="Would gain" class="gain">
                    <Can of={gained} />
                  </td>
                ) : null}
              </tr>
            ))}
          </Fragment>
        ))}
      </Table>
      <Rest of={of} />
    </>
  );
};

const valueInWords = (value: unknown): string =>
  value === null ? 'unset' : typeof value === 'string' ? value : JSON.stringify(value);

const Properties = ({ of }: { readonly of: PlannedNode['properties'] }): JSX.Element => (
  <>
    {Object.entries(of ?? {}).map(([name, { from, to }]) => (
      <div key={name}>
        <code>{visible(name)}</code> <Name>{valueInWords(from)}</Name>
        {' → '}
        <Name>{valueInWords(to)}</Name>
      </div>
    ))}
  </>
);

/** A key without its label, which is written next to it. */
const withoutLabel = ({ id, label }: NodeReference): string => {
  const key = id ?? '';
  return key.startsWith(`${label}|`) ? key.slice(label.length + 1) : key;
};

const RelatedTo = ({ of }: { readonly of: PlannedNode }): JSX.Element | null => {
  const { tags, relationships } = of;
  const parts = [
    ...(tags == null ? [] : [counted(tags.total, 'tag')]),
    ...(relationships == null ? [] : [counted(relationships.total, 'relationship')]),
  ];
  return parts.length === 0 ? null : <div class="quiet">{parts.join(', ')}</div>;
};

const Nodes = ({
  title,
  about,
  of,
}: {
  readonly title: string;
  /** What a reader must know of them. */
  readonly about?: string;
  readonly of: PlanAnswer['nodes'];
}): JSX.Element | null =>
  of.total === 0 ? null : (
    <>
      <h3>
        {title} <span class="count">{of.total.toLocaleString('en')}</span>
      </h3>
      {about === undefined ? null : <p class="hint">{about}</p>}
      <Table caption={title} columns={['Change', 'Kind', 'Name', 'What changes']}>
        {of.values.map((node, at) => (
          <tr key={at}>
            <td data-name="Change">
              <Change of={node.change} />
            </td>
            <td data-name="Kind" class="quiet">
              {kindOf(node.label)}
            </td>
            <th scope="row">
              <Name>{node.name ?? withoutLabel(node)}</Name>
            </th>
            <td data-name="What changes">
              <Properties of={node.properties} />
              <RelatedTo of={node} />
            </td>
          </tr>
        ))}
      </Table>
      <Rest of={of} />
    </>
  );

const End = ({ of }: { readonly of: NodeReference }): JSX.Element => (
  <>
    <Name>{withoutLabel(of)}</Name> <span class="kind">{kindOf(of.label)}</span>
  </>
);

const Relationships = ({
  title,
  of,
}: {
  readonly title: string;
  readonly of: PlanAnswer['relationships'];
}): JSX.Element | null =>
  of.total === 0 ? null : (
    <details>
      <summary>
        {title}: {of.created.toLocaleString('en')} come, {of.changed.toLocaleString('en')} change,{' '}
        {of.removed.toLocaleString('en')} go
      </summary>
      <Table caption={title} columns={['Change', 'Type', 'From', 'To', 'What changes']}>
        {of.values.map((each: PlannedRelationship, at) => (
          <tr key={at}>
            <td data-name="Change">
              <Change of={each.change} />
            </td>
            <td data-name="Type">
              <code>{each.type}</code>
            </td>
            <td data-name="From">
              <End of={each.from} />
            </td>
            <td data-name="To">
              <End of={each.to} />
            </td>
            <td data-name="What changes">
              <Properties of={each.properties} />
            </td>
          </tr>
        ))}
      </Table>
      <Rest of={of} />
    </details>
  );

/** What a push would do, in a sentence. */
const inWords = ({ unchanged, put, removed }: PlanAnswer): string => {
  if (unchanged) return 'The graph holds all of it already. A push would change nothing.';
  const size = ({ nodes, relationships }: PlanAnswer['put']): string =>
    `${counted(nodes, 'node')} and ${counted(relationships, 'relationship')}`;
  return `A push would put ${size(put)}, and remove ${size(removed)}.`;
};

/** From this share of the rows on, a plan says how many go, even if the removal guard would not stop it. */
const MUCH = 0.5;

/** How many rows of a data source a push would remove, if these are many. */
const removalOf = (
  { source }: SourceOfProvider,
  { confirmation, nodes }: PlanAnswer,
): { readonly standing: number; readonly removed: number } | null => {
  const { standing, removed } = confirmation ?? { standing: source.rows, removed: nodes.removed };
  return confirmation === null && (removed === 0 || removed < standing * MUCH)
    ? null
    : { standing, removed };
};

/** How many people would lose and gain access, each once with all accounts. */
const InPeople = ({ of }: { readonly of: PlanAnswer['access_changes'] }): JSX.Element => {
  const { people_lost: lost = 0, people_gained: gained = 0 } = of?.counts ?? {};
  const would = (people: number, what: string): JSX.Element | null =>
    people === 0 ? null : (
      <>
        <strong>
          {counted(people, 'person', 'people')} would {what} access.
        </strong>{' '}
      </>
    );
  return (
    <>
      {would(lost, 'lose')}
      {would(gained, 'gain')}
    </>
  );
};

/**
 * Warns that a push would remove a large share of the rows of a data source, and says how many
 * people would lose access.
 */
const Removal = ({
  of: { standing, removed },
  plan,
}: {
  readonly of: { readonly standing: number; readonly removed: number };
  readonly plan: PlanAnswer;
}): JSX.Element => (
  <p class="note danger" role="alert">
    <InPeople of={plan.access_changes} />
    It would remove {removed.toLocaleString('en')} of the {standing.toLocaleString('en')} rows of
    the data source. Is the file complete?
  </p>
);

/** The command that plans the same. A name that begins with `-` is no option there. */
const commandOf = ({ source, provider }: SourceOfProvider, { name }: FormFile): string =>
  `grantgraph push ${inShell(name.startsWith('-') ? `./${name}` : name)} --provider=${inShell(provider.name)} --data-source=${inShell(source.name)} --plan`;

/** How many warnings a push would have, and how many of them the newest push did not have. */
const WouldWarn = ({
  found: { plan, warnings },
  newest,
}: {
  readonly found: PlannedFile;
  readonly newest: PushDetails | null;
}): JSX.Element | null => {
  if (warnings === 0) return null;
  const isNew = notAmong(newest);
  const isAll = plan.warnings.length === warnings;
  const fresh = plan.warnings.filter((each) => isNew?.(each)).length;
  return (
    <>
      {' '}
      It would have <a href="#warnings">{counted(warnings, 'warning')}</a>
      {isNew === null || !isAll
        ? null
        : fresh === 0
          ? ', none that the newest push did not have'
          : `, ${fresh.toLocaleString('en')} of them new: the newest push did not have ${fresh === 1 ? 'it' : 'them'}`}
      .
    </>
  );
};

/** The plan of a push: who would gain and lose what, what changes, and the form that pushes. */
export const PlanView = ({
  of,
  file,
  found,
  planned,
  newest,
}: {
  readonly of: SourceOfProvider;
  readonly file: FormFile;
  readonly found: PlannedFile;
  /** The newest push to the data source; `null`: nobody has pushed. */
  readonly newest: PushDetails | null;
  readonly planned: Planned;
}): JSX.Element => {
  const { plan, warnings } = found;
  const removal = removalOf(of, plan);
  const push = (
    <>
      <h2>Push it</h2>
      <PushForm {...{ of, file, planned, confirmation: plan.confirmation }} />
    </>
  );
  return (
    <>
      <h2>
        Plan of <Name>{file.name}</Name>
      </h2>
      {removal === null ? null : <Removal of={removal} plan={plan} />}
      <p role="status">
        {removal === null ? <InPeople of={plan.access_changes} /> : null}
        {inWords(plan)} Nothing is written yet.
        <WouldWarn {...{ found, newest }} />
      </p>
      <h2>Who would lose and gain what</h2>
      <Access of={plan.access_changes} />
      {push}
      {plan.unchanged ? null : <h2>What would change</h2>}
      <Nodes title="Of the data source" of={plan.nodes} />
      {plan.shared_nodes === null ? null : (
        <Nodes
          title="Of no data source"
          about="Such as identities, which several data sources may name. The number above does not count them."
          of={plan.shared_nodes}
        />
      )}
      <Relationships title="Relationships that the file states" of={plan.relationships} />
      <Relationships title="Relationships that follow" of={plan.derived_relationships} />
      <div id="warnings">
        <WarningList of={plan.warnings} total={warnings} isNew={notAmong(newest)} />
      </div>
      <details class="asked">
        <summary>The same on the command line</summary>
        <pre tabIndex={0}>
          <code>{visible(commandOf(of, file))}</code>
        </pre>
      </details>
    </>
  );
};
