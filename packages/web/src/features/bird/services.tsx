// The settings of a Bird, a card a service: change, review, apply, and what became of it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { Problem } from '../../problem.ts'
import { Confirm } from '../birds/confirm.tsx'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { cardsOf, changesOf, isSame, withEdit, type Draft, type Edit, type Settings } from './draft.ts'
import { Follow } from './follow.tsx'
import { birdQuery, schemaQuery, type Schema } from './queries.ts'
import { Review } from './review.tsx'
import { ServiceCards } from './service-cards.tsx'

const EMPTY: Draft = new Map()
const NO_ERRORS: Readonly<Record<string, string>> = {}
const { settings: said } = birdWords

export function Services({ id }: { readonly id: string }) {
  const bird = useQuery(birdQuery(id))
  const schema = useQuery(schemaQuery(id))
  if (schema.error) return <ProblemBox error={schema.error} onRetry={() => void schema.refetch()} />
  if (bird.error && !bird.data) return <ProblemBox error={bird.error} onRetry={() => void bird.refetch()} />
  if (!schema.data || !bird.data) return <Loading rows={6} />
  return <Editor id={id} schema={schema.data.schema} settings={bird.data.device.settings ?? {}} />
}

interface EditorProps {
  readonly id: string
  readonly schema: Schema
  readonly settings: Settings
}

function Editor({ id, schema, settings }: EditorProps) {
  const queries = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  /** What the draft was begun on. */
  const [base, setBase] = useState(settings)
  const [errors, setErrors] = useState(NO_ERRORS)
  const [problem, setProblem] = useState<unknown>()
  const [isReviewing, setReviewing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [tag, setTag] = useState<string | undefined>()
  const [onlyChanged, setOnlyChanged] = useState(false)
  const [find, setFind] = useState('')
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (draft.size === 0) setBase(settings)
  }, [draft.size, settings])
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  const blocker = useBlocker({
    shouldBlockFn: () => draft.size > 0,
    enableBeforeUnload: () => draft.size > 0,
    withResolver: true,
  })

  const latest = useRef(settings)
  latest.current = settings
  const edit = useCallback((key: string, next: Edit) => {
    setDraft((before) => withEdit(before, latest.current, key, next))
    setErrors((before) =>
      key in before ? Object.fromEntries(Object.entries(before).filter(([it]) => it !== key)) : before,
    )
  }, [])
  const wanted = find.trim().toLowerCase()
  const cards = useMemo(
    () =>
      cardsOf(schema, (key, setting) => {
        if (draft.has(key) || key in errors) return true
        if (onlyChanged && isSame(settings[key], setting.default)) return false
        return `${key} ${setting.title} ${setting.service_title}`.toLowerCase().includes(wanted)
      }),
    [schema, settings, draft, errors, onlyChanged, wanted],
  )
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
  const isOnFields = Object.keys(errors).length > 0
  return (
    <div ref={form} className={css['services']}>
      <div className={css['bar']}>
        <input
          type="search"
          className={css['input']}
          aria-label={said.search}
          placeholder={said.search}
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
        <label className={css['check']}>
          <input
            type="checkbox"
            checked={onlyChanged}
            onChange={({ target }) => setOnlyChanged(target.checked)}
          />
          {said.onlyChanged}
        </label>
        <span className={css['quiet']}>{said.changes(draft.size)}</span>
        <Button
          look="primary"
          aria-busy={isBusy || undefined}
          onClick={() => void review()}
          reason={draft.size === 0 ? said.noChanges : typos > 0 ? said.wrong(typos) : undefined}
        >
          {said.review}
        </Button>
        {draft.size > 0 && (
          <Button look="quiet" onClick={() => (setDraft(EMPTY), setErrors(NO_ERRORS), setProblem(undefined))}>
            {said.discard}
          </Button>
        )}
      </div>
      {isOnFields && (
        <p role="alert" className={css['error']}>
          {said.wrong(Object.keys(errors).length)}
        </p>
      )}
      {problem !== undefined && !isOnFields && <ProblemBox error={problem} />}
      {tag !== undefined && <Follow key={tag} tag={tag} />}
      {cards.length === 0 && <p className={css['quiet']}>{said.noneDiffers}</p>}
      <ServiceCards
        cards={cards}
        schema={schema}
        settings={settings}
        draft={draft}
        errors={errors}
        isOpen={onlyChanged || wanted !== ''}
        onEdit={edit}
      />
      {isReviewing && (
        <Review
          schema={schema}
          before={settings}
          draft={draft}
          isStale={[...draft.keys()].some((key) => !isSame(base[key], settings[key]))}
          isBusy={isBusy}
          onApply={() => void apply()}
          onClose={() => setReviewing(false)}
        />
      )}
      {blocker.status === 'blocked' && (
        <Confirm
          title={said.discard}
          text={said.changes(draft.size)}
          action={said.discard}
          onClose={blocker.reset}
          onConfirm={blocker.proceed}
        />
      )}
    </div>
  )
}
