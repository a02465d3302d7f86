// The settings of a Bird, a card a service: change, review, apply, and what became of it.
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { Confirm } from '../birds/confirm.tsx'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { cardsOf, isSame } from './draft.ts'
import { Follow } from './follow.tsx'
import { birdQuery, schemaQuery } from './queries.ts'
import { Review } from './review.tsx'
import { ServiceCards } from './service-cards.tsx'
import { useEditor, type EditorProps } from './use-editor.ts'

const { settings: said } = birdWords

export function Services({ id }: { readonly id: string }) {
  const bird = useQuery(birdQuery(id))
  const schema = useQuery(schemaQuery(id))
  if (schema.error) return <ProblemBox error={schema.error} onRetry={() => void schema.refetch()} />
  if (bird.error && !bird.data) return <ProblemBox error={bird.error} onRetry={() => void bird.refetch()} />
  if (!schema.data || !bird.data) return <Loading rows={6} />
  return (
    <Editor
      id={id}
      schema={schema.data.schema}
      settings={bird.data.device.settings ?? {}}
      flock={bird.data.device.flock_id}
    />
  )
}

function Editor({ flock, ...props }: EditorProps & { readonly flock: string }) {
  const { schema, settings } = props
  const mayNot = useWhyNot('configuration', 'configure', [flock])
  const it = useEditor(props)
  const { draft, errors, problem } = it
  const [onlyChanged, setOnlyChanged] = useState(false)
  const [find, setFind] = useState('')
  const form = useRef<HTMLDivElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [errors])
  const blocker = useBlocker({
    shouldBlockFn: () => draft.size > 0,
    enableBeforeUnload: () => draft.size > 0,
    withResolver: true,
  })
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
  const isOnFields = Object.keys(errors).length > 0
  return (
    <div ref={form} className={css['services']}>
      <Bar
        mayNot={mayNot}
        it={it}
        find={find}
        onFind={setFind}
        onlyChanged={onlyChanged}
        onOnlyChanged={setOnlyChanged}
      />
      {isOnFields && (
        <p role="alert" className={css['error']}>
          {said.wrong(Object.keys(errors).length)}
        </p>
      )}
      {problem !== undefined && !isOnFields && <ProblemBox error={problem} />}
      {it.tag !== undefined && <Follow key={it.tag} tag={it.tag} />}
      {cards.length === 0 && <p className={css['quiet']}>{said.noneDiffers}</p>}
      <ServiceCards
        cards={cards}
        schema={schema}
        settings={settings}
        draft={draft}
        errors={errors}
        isOpen={onlyChanged || wanted !== ''}
        onEdit={it.edit}
      />
      {it.isReviewing && (
        <Review
          schema={schema}
          before={settings}
          draft={draft}
          isStale={it.isStale}
          isBusy={it.isBusy}
          onApply={() => void it.apply()}
          onClose={it.stopReviewing}
        />
      )}
      {blocker.status === 'blocked' && (
        <Confirm
          title={said.discard}
          text={said.changes(draft.size)}
          verb={said.discard}
          onClose={blocker.reset}
          onConfirm={blocker.proceed}
        />
      )}
    </div>
  )
}

interface BarProps {
  /** Why this person cannot change the Bird. */
  readonly mayNot: string | undefined
  readonly it: ReturnType<typeof useEditor>
  readonly find: string
  readonly onFind: (text: string) => void
  readonly onlyChanged: boolean
  readonly onOnlyChanged: (is: boolean) => void
}

function Bar({ mayNot, it, find, onFind, onlyChanged, onOnlyChanged }: BarProps) {
  return (
    <div className={css['bar']}>
      <input
        type="search"
        className={css['input']}
        aria-label={said.search}
        placeholder={said.search}
        value={find}
        onChange={({ target }) => onFind(target.value)}
      />
      <label className={css['check']}>
        <input
          type="checkbox"
          checked={onlyChanged}
          onChange={({ target }) => onOnlyChanged(target.checked)}
        />
        {said.onlyChanged}
      </label>
      <span className={css['quiet']}>{said.changes(it.draft.size)}</span>
      <Button
        look="primary"
        aria-busy={it.isBusy || undefined}
        onClick={() => void it.review()}
        reason={
          mayNot ?? (it.draft.size === 0 ? said.noChanges : it.typos > 0 ? said.wrong(it.typos) : undefined)
        }
      >
        {said.review}
      </Button>
      {it.draft.size > 0 && (
        <Button look="quiet" onClick={it.discard}>
          {said.discard}
        </Button>
      )}
    </div>
  )
}
