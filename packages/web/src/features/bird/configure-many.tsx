// The same change for several Birds, or for a Flock, and how many have answered.
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { Problem } from '../../problem.ts'
import dialog from '../../shell/dialog.module.css'
import { words } from '../../words/en.ts'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { changesOf, type Draft, type Edit } from './draft.ts'
import { hasEnded, schemaQuery } from './queries.ts'
import { Fields } from './service-cards.tsx'

interface ConfigureManyProps {
  readonly target: { readonly node_ids: string } | { readonly flock_id: string }
  readonly count: number
  readonly onClose: () => void
}

const { settings: said } = birdWords

export function ConfigureMany({ target, count, onClose }: ConfigureManyProps) {
  const id = useId()
  const { data, error, refetch } = useQuery(schemaQuery())
  const [draft, setDraft] = useState<Draft>(new Map())
  const [problem, setProblem] = useState<unknown>()
  const [tags, setTags] = useState<readonly string[] | undefined>()
  const [isBusy, setBusy] = useState(false)
  const schema = data?.schema ?? {}
  const details = problem instanceof Problem ? problem.details : {}
  const edit = (key: string, next: Edit) => setDraft((before) => new Map(before).set(key, next))
  const add = (key: string) => {
    const setting = schema[key]
    if (setting) edit(key, { text: String(setting.default ?? ''), value: setting.default })
  }
  const apply = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const sent = await call('configuration', 'configureMany', { ...target, settings: changesOf(draft) })
      setTags(Object.values(sent.bundle_tags))
    } catch (failed) {
      setProblem(failed)
    } finally {
      setBusy(false)
    }
  }
  const hasTypo = [...draft.values()].some((it) => it.error !== undefined)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={dialog['dialog']}>
          <Dialog.Title>{said.many(count)}</Dialog.Title>
          {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Loading rows={3} />}
          {tags ? (
            <Progress tags={tags} />
          ) : (
            <>
              <p>{said.manyLead}</p>
              <p className={css['field']}>
                <label htmlFor={id}>{said.choose}</label>
                <select
                  id={id}
                  className={css['input']}
                  value=""
                  onChange={({ target: { value } }) => add(value)}
                >
                  <option value="">{said.chooseFirst}</option>
                  {Object.entries(schema)
                    .filter(([key, { fixed, service }]) => !fixed && service !== 'device' && !draft.has(key))
                    .map(([key, { title, service_title }]) => (
                      <option key={key} value={key}>
                        {service_title}: {title}
                      </option>
                    ))}
                </select>
              </p>
              <Fields
                keys={[...draft.keys()]}
                schema={schema}
                settings={{}}
                draft={draft}
                errors={details}
                onEdit={edit}
              />
              {problem instanceof Error && (
                <p role="alert" className={css['error']}>
                  <Evidence text={problem.message} canUnfold />
                </p>
              )}
            </>
          )}
          <p className={css['bar']}>
            {!tags && (
              <Button
                look="primary"
                onClick={() => void apply()}
                aria-busy={isBusy || undefined}
                reason={draft.size === 0 ? said.noChanges : hasTypo ? said.wrong(1) : undefined}
              >
                {said.apply}
              </Button>
            )}
            <Dialog.Close className={dialog['close']}>{words.action.close}</Dialog.Close>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const ASKED_AT_ONCE = 20
const PAUSE_MS = 1_000

/** Asks for the bundles that are still open, a few at a time, until each has ended. */
function Progress({ tags }: { readonly tags: readonly string[] }) {
  const [ended, setEnded] = useState<
    ReadonlyMap<string, { readonly state: string; readonly reason: string }>
  >(new Map())
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    const open = tags.filter((tag) => !ended.has(tag))
    if (open.length === 0) return
    const stop = new AbortController()
    let at = 0
    const ask = async (): Promise<void> => {
      const some = Array.from(
        { length: Math.min(ASKED_AT_ONCE, open.length) },
        (_, n) => open[(at + n) % open.length],
      )
      at += some.length
      try {
        const answers = await Promise.all(
          some.map((tag) => call('configuration', 'bundle', { bundle_tag: tag ?? '' }, stop.signal)),
        )
        setError(undefined)
        const over = answers.filter(({ bundle }) => hasEnded(bundle))
        if (over.length > 0)
          setEnded(
            (before) => new Map([...before, ...over.map(({ bundle }) => [bundle.tag, bundle] as const)]),
          )
      } catch (failed) {
        if (!stop.signal.aborted) setError(failed)
      }
    }
    const timer = setInterval(() => void ask(), PAUSE_MS)
    return () => {
      stop.abort()
      clearInterval(timer)
    }
  }, [tags, ended])
  const bad = [...ended.values()].filter(({ state }) => state !== 'applied')
  return (
    <>
      <p role="status">
        {said.progress(ended.size, tags.length)}: {said.applied(ended.size - bad.length)}
        {bad.length > 0 && `, ${said.failed(bad.length)}`}.
      </p>
      <progress aria-label={said.following} max={tags.length} value={ended.size} />
      {ended.size < tags.length && <p className={css['quiet']}>{said.offline}</p>}
      {error !== undefined && <ProblemBox error={error} />}
      {[...new Set(bad.map(({ reason }) => reason))].slice(0, 5).map((reason) => (
        <p key={reason} className={css['error']}>
          <Evidence text={reason} canUnfold />
        </p>
      ))}
    </>
  )
}
