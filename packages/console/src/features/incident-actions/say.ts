// The words that come with an action, and comments.
import type { incidentActions } from '@rookery/contract/groups/incident-actions.ts'
import type { Params } from '@rookery/contract/operation.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { World } from '@rookery/kernel/world.ts'
import type { Tx } from '../../db/query.ts'
import type { Caller } from '../../http/call.ts'
import { addComments, fullOfComments, MAX_COMMENTS } from '../../stores/comments/store.ts'

type Acknowledgement = Params<(typeof incidentActions)['acknowledgeMany']>

/** What a caller may say with an action. */
export interface Said {
  readonly comment?: Acknowledgement['comment'] | undefined
  readonly verdict?: Acknowledgement['verdict'] | undefined
}

/** The words without the blanks around them; none where there are none. */
export const wordsOf = ({ comment = '' }: Said): string => comment.trim()

export const saysSomething = (said: Said): boolean => wordsOf(said) !== '' || said.verdict !== undefined

interface Speech extends Said {
  readonly by: Caller
  /** The bulk action that it comes with; it keeps the words, which are the same for all its incidents. */
  readonly batchId?: string
}

/** Stores what is said, if anything. One incident that takes no more comments is a conflict; a bulk action passes over it. */
export async function say(
  tx: Tx,
  { clock, random }: Pick<World, 'clock' | 'random'>,
  ids: readonly number[],
  { by, batchId, ...said }: Speech,
): Promise<void> {
  if (!saysSomething(said)) return
  const full = await fullOfComments(tx, ids)
  if (full.size > 0 && batchId === undefined)
    throw new Fault('conflict', `The incident has ${MAX_COMMENTS} comments, and takes no more.`)
  await addComments(
    tx,
    random,
    ids.filter((id) => !full.has(id)),
    {
      at: clock.now(),
      author: by.keyId,
      text: batchId === undefined ? wordsOf(said) : '',
      verdict: said.verdict ?? null,
      batch_id: batchId ?? '',
    },
  )
}
