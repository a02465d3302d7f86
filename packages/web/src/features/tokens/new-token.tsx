// A new token of one kind: the form, then what came of it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { call, type ParamsOf } from '../../api/call.ts'
import { useFirstFlock, useManages, useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { AreaField, CheckField, SelectField } from '../../kit/form-fields.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { links } from '../../links.ts'
import { Problem } from '../../problem.ts'
import { valuesOf } from './form-values.ts'
import { KindFields } from './kind-fields.tsx'
import { flocksQuery, kindsQuery, type Created, type Kind } from './queries.ts'
import { Result } from './result.tsx'
import css from './tokens.module.css'
import { words } from './words.ts'

export function NewToken() {
  const { kind: name } = useParams({ from: '/shell/tokens/new/$kind' })
  const { data, error, refetch } = useQuery(kindsQuery)
  const [created, setCreated] = useState<Created | undefined>()
  const kind = data && Object.hasOwn(data.kinds, name) ? data.kinds[name] : undefined
  return (
    <div className={css['page']}>
      <p>
        <Link to={links.newToken}>← {words.form.all}</Link>
      </p>
      {!kind && <PageHeading title={words.gallery.title} />}
      {error && !data && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data && !kind && <p>{words.form.unknown}</p>}
      {kind && !created && <CreateForm name={name} kind={kind} onCreated={setCreated} />}
      {kind && created && <Result kind={kind} created={created} onAnother={() => setCreated(undefined)} />}
    </div>
  )
}

interface CreateFormProps {
  readonly name: string
  readonly kind: Kind
  readonly onCreated: (created: Created) => void
}

function CreateForm({ name, kind, onCreated }: CreateFormProps) {
  const queries = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const errors = problem instanceof Problem ? problem.details : {}
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem])
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      const given = { ...valuesOf(event.currentTarget), kind: name } as ParamsOf<'tokens', 'create'>
      onCreated(await call('tokens', 'create', given))
      void queries.invalidateQueries({ queryKey: ['tokens', 'search'] })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const lack = kind.can_create ? undefined : `${words.gallery.cannot} ${kind.lacks[0] ?? ''}`
  const reason = useWhyNot('tokens', 'create') ?? lack
  return (
    <>
      <PageHeading title={kind.name} of={words.gallery.title} />
      <p className={css['lead']}>{kind.fired_by}</p>
      {reason !== undefined && (
        <p role="alert" className={css['lack']}>
          {reason}
        </p>
      )}
      <form ref={form} className={css['form']} onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.form.memo}
          name="memo"
          help={words.form.memoHelp}
          error={errors['memo']}
          maxLength={10_000}
          autoComplete="off"
          required
          autoFocus
        />
        <FlockField error={errors['flock_id']} />
        <TextField
          label={words.form.placement}
          name="placement"
          help={words.form.placementHelp}
          error={errors['placement']}
          maxLength={1_000}
          autoComplete="off"
        />
        <KindFields fields={kind.fields} errors={errors} />
        <details className={css['more']} open={CARE.some((it) => errors[it]) || undefined}>
          <summary>{words.form.more}</summary>
          <div className={css['form']}>
            <CareFields errors={errors} />
            <TextField
              label={words.form.domain}
              name="custom_domain"
              help={words.form.domainHelp}
              error={errors['custom_domain']}
              autoComplete="off"
            />
          </div>
        </details>
        {problem !== undefined && <ProblemBox error={problem} />}
        <p>
          <Button type="submit" look="primary" reason={reason}>
            {isBusy ? words.form.creating : words.form.create}
          </Button>
        </p>
      </form>
    </>
  )
}

const CARE = ['quiet_sources', 'first_only', 'custom_domain']

interface CareFieldsProps {
  readonly errors: Readonly<Record<string, string>>
  readonly quiet?: string
  readonly isFirstOnly?: boolean
}

export function CareFields({ errors, quiet = '', isFirstOnly = false }: CareFieldsProps) {
  return (
    <>
      <AreaField
        label={words.form.quiet}
        name="quiet_sources"
        help={words.form.quietHelp}
        error={errors['quiet_sources']}
        defaultValue={quiet}
        spellCheck={false}
      />
      {errors['quiet_sources'] !== undefined && <CheckField label={words.form.force} name="force" />}
      <CheckField
        label={words.form.firstOnly}
        name="first_only"
        help={words.form.firstOnlyHelp}
        defaultChecked={isFirstOnly}
      />
    </>
  )
}

/** The Flocks that somebody may change; there is only something to see where there is a choice. */
export function FlockField({ error }: { readonly error?: string | undefined }) {
  const manages = useManages()
  const first = useFirstFlock()
  const flocks = useQuery(flocksQuery).data?.flocks.filter(({ flock_id }) => manages(flock_id)) ?? []
  if (flocks.length < 2) return <input type="hidden" name="flock_id" value={first} />
  return (
    <SelectField label={words.form.flock} name="flock_id" error={error} defaultValue={first}>
      {flocks.map(({ flock_id, name }) => (
        <option key={flock_id} value={flock_id}>
          {name.slice(0, 100)}
        </option>
      ))}
    </SelectField>
  )
}
