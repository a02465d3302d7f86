// The changes of somebody to a Bird's settings: typed, checked by the console, compared, sent.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Problem } from '../../problem.ts'
import { changesOf, isSame, withEdit, type Draft, type Edit, type Settings } from './draft.ts'
import { birdQuery, type Schema } from './queries.ts'

const EMPTY: Draft = new Map()
const NO_ERRORS: Readonly<Record<string, string>> = {}

export interface EditorProps {
  readonly id: string
  readonly schema: Schema
  readonly settings: Settings
}

/** The draft, what the console says of it, and what became of it. */
export function useEditor({ id, schema, settings }: EditorProps) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  /** What the draft was begun on. */
  const [base, setBase] = useState(settings)
  const [errors, setErrors] = useState(NO_ERRORS)
  const [problem, setProblem] = useState<unknown>()
  const [isReviewing, setReviewing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [tag, setTag] = useState<string | undefined>()
  useEffect(() => {
    if (draft.size === 0) setBase(settings)
  }, [draft.size, settings])
  const latest = useRef(settings)
  latest.current = settings
  const edit = useCallback((key: string, next: Edit) => {
    setDraft((before) => withEdit(before, latest.current, key, next))
    setErrors((before) =>
      key in before ? Object.fromEntries(Object.entries(before).filter(([it]) => it !== key)) : before,
    )
  }, [])
  const typos = [...draft.values()].filter(({ error }) => error !== undefined).length

  /** Answers whether the console took it; what it refused stands on the fields. */
  async function send(check_only: boolean): Promise<string | undefined> {
    setBusy(true)
    setProblem(undefined)
    setErrors(NO_ERRORS)
    try {
      const params = { node_id: id, settings: changesOf(draft), merge: true, check_only }
      const { bundle_tag } = await call('configuration', 'configure', params)
      return bundle_tag
    } catch (failed) {
      setReviewing(false)
      setProblem(failed)
      if (failed instanceof Problem)
        setErrors(Object.fromEntries(Object.entries(failed.details).filter(([key]) => key in schema)))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const review = async () => {
    // What is compared is what the Bird has now: someone else may have changed it.
    await queries.refetchQueries({ queryKey: birdQuery(id).queryKey })
    if ((await send(true)) !== undefined) setReviewing(true)
  }
  const apply = async () => {
    const sent = await send(false)
    if (sent === undefined) return
    setReviewing(false)
    setDraft(EMPTY)
    setTag(sent)
    await queries.invalidateQueries({ queryKey: birdQuery(id).queryKey })
  }
  const discard = () => {
    setDraft(EMPTY)
    setErrors(NO_ERRORS)
    setProblem(undefined)
  }
  const isStale = [...draft.keys()].some((key) => !isSame(base[key], settings[key]))
  const stopReviewing = () => setReviewing(false)
  return {
    draft,
    errors,
    problem,
    isReviewing,
    isBusy,
    isStale,
    tag,
    typos,
    edit,
    review,
    apply,
    discard,
    stopReviewing,
  }
}
