// What can be done with one incident, and how to undo it.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { call, type ParamsOf } from '../../api/call.ts'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { words } from '../../words/en.ts'
import { listSearch } from '../incidents/listed.ts'
import { incidentQuery } from './queries.ts'

type Words = Pick<NonNullable<ParamsOf<'incidentActions', 'acknowledgeMany'>>, 'comment' | 'verdict'>

const SAID = {
  acknowledgeMany: words.inbox.acknowledged,
  unacknowledgeMany: words.inbox.unacknowledged,
  removeMany: words.inbox.removed,
}

export function useIncidentActions(hash: string) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useToast()
  const lastBatch = useRef<string | undefined>(undefined)
  /** The last action; Undo waits for it. */
  const underWay = useRef<Promise<unknown>>(Promise.resolve())
  const [problem, setProblem] = useState<unknown>()
  const refresh = () => queries.invalidateQueries({ queryKey: incidentQuery(hash).queryKey })

  async function undo(): Promise<void> {
    await underWay.current
    const batch_id = lastBatch.current
    if (batch_id === undefined) return
    lastBatch.current = undefined
    try {
      const { restored, left } = await call('incidentActions', 'undo', { batch_id })
      say({ text: words.inbox.undone(restored, left) })
      await refresh()
    } catch (error) {
      setProblem(error)
    }
  }

  /** Answers whether it was done. */
  const run = (...asked: Parameters<typeof carryOut>): Promise<boolean> => {
    const done = carryOut(...asked)
    underWay.current = done
    return done
  }

  async function carryOut(action: keyof typeof SAID, given: Words = {}): Promise<boolean> {
    setProblem(undefined)
    try {
      const { count, batch_id } = await call('incidentActions', action, {
        hash_ids: hash,
        keys: false,
        ...given,
      })
      lastBatch.current = batch_id === '' ? undefined : batch_id
      say({
        text: SAID[action](count),
        ...(batch_id !== '' && {
          action: { label: words.action.undo, shortcut: 'z', run: () => void undo() },
        }),
      })
      if (action === 'removeMany') await navigate({ to: links.inbox, search: listSearch() })
      else await refresh()
      return true
    } catch (error) {
      setProblem(error)
      return false
    }
  }

  return { problem, run, undo }
}
