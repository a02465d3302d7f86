// Comments of an incident as every answer shows them.
import { epoch } from '@rookery/kernel/time.ts'
import type { StoredComment } from '../../stores/comments/store.ts'

export const commentView = ({ author, at, text, verdict }: StoredComment) => ({
  by: author,
  at: epoch(at),
  text,
  ...(verdict !== null && { verdict }),
})
