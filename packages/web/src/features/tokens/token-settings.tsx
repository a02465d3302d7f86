// What can be changed of a token.
import { useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call, type ParamsOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { rawOf } from '../../kit/hostile.ts'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import { valuesOf } from './form-values.ts'
import { KindFields } from './kind-fields.tsx'
import { CareFields } from './new-token.tsx'
import { ProviderMetadata } from './provider-metadata.tsx'
import { tokenQuery, type Kind, type Token } from './queries.ts'
import { SiteList } from './site-list.tsx'
import css from './tokens.module.css'
import { words } from './words.ts'

export function TokenSettings({ token, kind }: { readonly token: Token; readonly kind: Kind }) {
  const queries = useQueryClient()
  const say = useToast()
  const [problem, setProblem] = useState<unknown>()
  const errors = problem instanceof Problem ? problem.details : {}
  const { decoytoken } = token
  const reason = useWhyNot('tokens', 'update', [token.flock_id])
  const save = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(undefined)
    const given = valuesOf(event.currentTarget)
    try {
      await call('tokens', 'update', {
        ...given,
        decoytoken,
        clear_quiet_sources: !('quiet_sources' in given),
        clear_placement: !('placement' in given),
      } as ParamsOf<'tokens', 'update'>)
      say({ text: words.token.saved })
      await queries.invalidateQueries({ queryKey: tokenQuery(decoytoken).queryKey })
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <>
      <form className={css['form']} onSubmit={(event) => void save(event)}>
        <TextField
          label={words.form.memo}
          name="memo"
          defaultValue={rawOf(token.memo)}
          error={errors['memo']}
          maxLength={10_000}
          required
        />
        <TextField
          label={words.form.placement}
          name="placement"
          defaultValue={token.placement}
          error={errors['placement']}
          maxLength={1_000}
        />
        <CareFields
          errors={errors}
          quiet={token.quiet_sources.replaceAll(/,\s*/g, '\n')}
          isFirstOnly={token.first_only}
        />
        {kind.fields.length > 0 && (
          <fieldset className={css['fieldset']}>
            <legend>{kind.name}</legend>
            <p className={css['muted']}>{words.form.stays}</p>
            <KindFields fields={kind.fields} errors={errors} isChange />
          </fieldset>
        )}
        {problem !== undefined && <ProblemBox error={problem} />}
        <p>
          <Button type="submit" look="primary" reason={reason}>
            {words.token.save}
          </Button>
        </p>
      </form>
      {kind.ignores_sites && <SiteList token={token} />}
      {kind.takes_provider_metadata && <ProviderMetadata token={token} />}
    </>
  )
}
