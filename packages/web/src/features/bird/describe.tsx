// What people call a Bird and know of it, and its end.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { plainEvidence } from '../../kit/evidence.tsx'
import { AreaField, CheckField } from '../../kit/form-fields.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import { Confirm } from '../birds/confirm.tsx'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { birdQuery, bundlesQuery, type Device } from './queries.ts'

const { one: said } = birdWords
type Draft = Readonly<Partial<Record<'name' | 'location' | 'description' | 'note', string>>>

export function Describe({ device }: { readonly device: Device }) {
  const { node_id } = device
  const queries = useQueryClient()
  const say = useToast()
  const mayNot = useWhyNot('birdOperations', 'describe', [device.flock_id])
  /** What was typed alone is sent: somebody else may have changed the rest meanwhile. */
  const [draft, setDraft] = useState<Draft>({})
  const [problem, setProblem] = useState<unknown>()
  const details = problem instanceof Problem ? problem.details : {}
  const field = (key: keyof Draft, label: string, maxLength: number) => ({
    label,
    maxLength,
    value: draft[key] ?? device[key],
    error: details[key],
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft((before) => ({ ...before, [key]: target.value })),
  })
  const isRenamed = draft.name !== undefined && draft.name !== device.name
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const story = isRenamed && new FormData(event.currentTarget).get('story') !== null
    setProblem(undefined)
    try {
      await call('birdOperations', 'describe', { node_id, ...draft, story })
    } catch (failed) {
      return setProblem(failed)
    }
    for (const { queryKey } of [birdQuery(node_id), bundlesQuery(node_id)])
      await queries.invalidateQueries({ queryKey })
    setDraft({})
    say({ text: said.saved })
  }
  return (
    <section className={css['part']}>
      <h2>{said.describe}</h2>
      <form className={css['part']} aria-label={said.describe} onSubmit={(event) => void save(event)}>
        <TextField required {...field('name', said.name, 255)} />
        {isRenamed && <CheckField name="story" label={said.story} help={said.storyHelp} />}
        <TextField {...field('location', said.fields.location, 1_000)} />
        <TextField {...field('description', said.fields.description, 1_000)} />
        <AreaField {...field('note', said.note, 10_000)} help={said.noteHelp} />
        {problem !== undefined && Object.keys(details).length === 0 && <ProblemBox error={problem} />}
        <p>
          <Button
            type="submit"
            reason={mayNot ?? (Object.keys(draft).length === 0 ? birdWords.settings.noChanges : undefined)}
          >
            {said.save}
          </Button>
        </p>
      </form>
      <Decommission device={device} />
    </section>
  )
}

/** Asks for the name of the Bird, then ends it. */
function Decommission({ device: { node_id, name, live, flock_id } }: { readonly device: Device }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useToast()
  const mayNot = useWhyNot('registration', 'decommission', [flock_id])
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const shown = plainEvidence(name, 60)
  const remove = async () => {
    try {
      const { delayed } = await call('registration', 'decommission', { node_id })
      await queries.invalidateQueries({ queryKey: ['birdQueries'], refetchType: 'none' })
      await navigate({ to: '/birds' })
      say({ text: delayed ? said.removing(shown) : said.removed(shown) })
    } catch (failed) {
      setProblem(failed)
    }
  }
  return (
    <p>
      <Button look="danger" reason={mayNot} onClick={() => setAsking(true)}>
        {said.remove}
      </Button>
      {isAsking && (
        <Confirm
          title={said.removeAsk(shown)}
          text={`${live === 'True' ? said.removeLive : said.removeOffline} ${said.removeText}`}
          // A name that cannot be typed as it is shown is replaced by the id.
          word={shown === name.trim() ? shown : node_id}
          verb={said.removeVerb}
          onClose={() => {
            setAsking(false)
            setProblem(undefined)
          }}
          onConfirm={() => void remove()}
        >
          {problem !== undefined && <ProblemBox error={problem} />}
        </Confirm>
      )}
    </p>
  )
}
