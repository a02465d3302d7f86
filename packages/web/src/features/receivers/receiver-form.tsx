// The form of one kind of receiver. Test sends a real message, and says in the console's words why it did not arrive.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { send } from '../../api/call.ts'
import { useManages, useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { StepTitle } from '../../kit/step-title.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { Problem } from '../../problem.ts'
import css from '../birds/birds.module.css'
import { OwnerSelect } from './owner-select.tsx'
import { KindFields } from './kind-fields.tsx'
import { EVERYWHERE, type ReceiverKind } from './queries.ts'
import own from './receivers.module.css'
import { valuesOf } from './form-values.ts'
import { receiverWords, VERIFY } from './words.ts'

const said = receiverWords.add

interface ReceiverFormProps {
  readonly kind: ReceiverKind
  /** A Flock's id, or `console`. */
  readonly owner: string
  readonly mayEverywhere: boolean
  readonly values: Readonly<Record<string, string>>
}

export function ReceiverForm({ kind, owner, mayEverywhere, values }: ReceiverFormProps) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const say = useToast()
  const form = useRef<HTMLFormElement>(null)
  const [outcome, setOutcome] = useState<'busy' | 'tested' | { readonly problem: unknown }>()
  const [secret, setSecret] = useState<string>()
  const manages = useManages()
  const mayNot = useWhyNot('receiverOverview', 'remove', owner === EVERYWHERE ? [] : [owner])
  const reason = kind.lacks === '' ? (manages(owner) ? undefined : mayNot) : kind.lacks
  const isEverywhere = owner === EVERYWHERE
  const add = isEverywhere ? kind.add_everywhere : (kind.add ?? kind.authorise)
  const test = isEverywhere ? kind.test_everywhere : kind.test
  const problem = typeof outcome === 'object' ? outcome.problem : undefined
  const errors = problem instanceof Problem ? problem.details : {}
  const isOnField = add?.fields.some(({ name }) => errors[name] !== undefined) === true
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem])

  async function run(work: (given: object) => Promise<void>): Promise<void> {
    if (!form.current || outcome === 'busy' || !form.current.reportValidity()) return
    const given = valuesOf(new FormData(form.current), add?.fields ?? [])
    setOutcome('busy')
    try {
      await work({ ...given, ...(!isEverywhere && { flock_id: owner }) })
    } catch (error) {
      setOutcome({ problem: error })
    }
  }
  const tryIt = () =>
    run(async (given) => {
      await send(test?.path ?? '', { ...given })
      setOutcome('tested')
    })
  const save = () =>
    run(async (given) => {
      const answer = await send(add?.path ?? '', { ...given, ...(kind.list && { enabled: true }) })
      void queries.invalidateQueries({ queryKey: ['receiverOverview', 'list'] })
      void queries.invalidateQueries({ queryKey: ['notifications'] })
      say({ text: said.saved })
      if (typeof answer['secret'] === 'string') setSecret(answer['secret'])
      else await navigate({ to: links.receivers })
    })
  const authorise = () =>
    run(async (given) => {
      const { url } = await send(kind.authorise?.path ?? '', { ...given })
      // A page of the chat service that the operator configured; no script can be its address.
      if (URL.parse(String(url))?.protocol.match(/^https?:$/)) location.assign(String(url))
    })
  if (secret !== undefined) return <Secret secret={secret} />
  return (
    <>
      <p className={css['quiet']}>{kind.help}</p>
      {kind.lacks !== '' && (
        <p role="alert" className={css['wrong']}>
          {kind.lacks}
        </p>
      )}
      <OwnerSelect kind={kind.kind} owner={owner} mayEverywhere={mayEverywhere} />
      <form
        ref={form}
        className={own['form']}
        aria-label={kind.title}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save()
        }}
      >
        {add && <KindFields fields={add.fields} values={values} errors={errors} />}
        {outcome === 'tested' && (
          <p role="status" className={css['done']}>
            {receiverWords.tested}
          </p>
        )}
        {problem !== undefined && !(isOnField && !isTest(problem)) && <ProblemBox error={problem} />}
        {kind.authorise ? (
          <p>
            <Button look="primary" reason={reason} onClick={() => void authorise()}>
              {said.authorise}
            </Button>{' '}
            <span className={css['quiet']}>{said.authoriseHow}</span>
          </p>
        ) : (
          <p className={own['buttons']}>
            <Button reason={reason ?? (test ? undefined : said.noTest)} onClick={() => void tryIt()}>
              {receiverWords.test}
            </Button>
            <Button type="submit" look="primary" reason={reason}>
              {said.save}
            </Button>
          </p>
        )}
      </form>
    </>
  )
}

/** A test that failed has its reason in the message, too, where it is a sentence. */
const isTest = (problem: unknown): boolean =>
  problem instanceof Problem && !problem.message.startsWith('Parameter ')

function Secret({ secret }: { readonly secret: string }) {
  const navigate = useNavigate()
  return (
    <>
      <StepTitle title={said.secretTitle} />
      <p>{said.secret}</p>
      <Command label={said.secretTitle} command={secret} />
      <Command label={said.verify} command={VERIFY} />
      <p>
        <Button look="primary" onClick={() => void navigate({ to: links.receivers })}>
          {said.done}
        </Button>
      </p>
    </>
  )
}
