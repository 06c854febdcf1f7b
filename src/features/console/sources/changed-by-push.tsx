import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { PushDetails } from '../../../contract/answers/pushes';
import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import type { Answered } from '../asking/ask';
import { askChangesOfPush } from '../asking/changes';
import { orTooLarge } from '../asking/too-large';
import { ChangedFor, InPeople } from '../changes/changed-people';
import { changesAddress } from '../frame/address';
import { ChangeTable } from '../tables/change-table';
import { changeLines } from '../changes/change-lines';

/** The page of a push shows so many lines of who gained and who lost what. */
const LINES = 8;

/** Who gained and who lost what by a push; a text: why the page does not list it. */
export type ChangesByPush = Answered<AccessChangeList> | string;

const FORGOTTEN = 'The history does not hold what access was before this push, or after it.';

/** Whether a push is known to have changed no access, or too much for a list. */
const isKnown = ({ access }: PushDetails): boolean =>
  access !== null && ('state' in access || access.gained + access.lost === 0);

/** Who gained and who lost what by a push; `null`: the facts of the push say all there is. */
export const askChangesByPush = (
  context: Context,
  push: PushDetails,
): TE.TaskEither<Failure, ChangesByPush | null> =>
  push.outcome !== 'accepted' || isKnown(push)
    ? TE.right(null)
    : pipe(
        orTooLarge(askChangesOfPush(context, push.id), true),
        TE.orElse((failure): TE.TaskEither<Failure, ChangesByPush> =>
          failure._tag === 'Invalid' || failure._tag === 'NotFound'
            ? TE.right(FORGOTTEN)
            : TE.left(failure),
        ),
      );

/** The first lines of who gained and who lost what by a push, after their sum in people. */
export const ChangedByPush = ({
  of,
  push,
}: {
  readonly of: ChangesByPush;
  readonly push: string;
}): JSX.Element => {
  if (typeof of === 'string') return <p role="status">{of}</p>;
  const { answer } = of;
  if (answer.total === 0) {
    return (
      <p class="answer">
        <ChangedFor of={answer} />.
      </p>
    );
  }
  const isAll = !answer.has_more && changeLines(answer.values).length <= LINES;
  return (
    <>
      <p class="answer" role="status">
        <InPeople of={answer.counts} /> by this push.
      </p>
      <ChangeTable
        of={answer}
        most={LINES}
        person=""
        applicationAddress={(application) => changesAddress({ push, application })}
        principalAddress={(principal) => changesAddress({ push, principal })}
      />
      <p>
        <a href={changesAddress({ push })}>
          {isAll ? 'The same in Changes' : 'All who gained and who lost what by it'}
        </a>
      </p>
    </>
  );
};
