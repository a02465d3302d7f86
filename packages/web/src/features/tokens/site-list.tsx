// Of a cloned site: where a copy raises nothing.
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { AreaField } from '../../kit/form-fields.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import { sitesQuery, type Token } from './queries.ts'
import css from './tokens.module.css'
import { words } from './words.ts'

export function SiteList({ token: { flock_id, decoytoken } }: { readonly token: Token }) {
  const say = useToast()
  const reason = useWhyNot('clonedSiteIgnores', 'save', [flock_id])
  const { data, error, isPending, refetch } = useQuery(sitesQuery(flock_id, decoytoken))
  const [problem, setProblem] = useState<unknown>()
  const one = { flock_id, decoytoken }
  const act = async (work: () => Promise<unknown>) => {
    setProblem(undefined)
    try {
      await work()
      await refetch()
      say({ text: words.token.saved })
    } catch (failed) {
      setProblem(failed)
    }
  }
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const ignores = String(new FormData(event.currentTarget).get('ignores'))
    void act(() => call('clonedSiteIgnores', 'save', { ...one, ignores }))
  }
  if (isPending) return <Loading rows={2} />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  const isOn = data.ignore_lists.enabled === 'True'
  return (
    <section>
      <h2>{words.sites.title}</h2>
      <p className={css['tools']}>
        {isOn ? words.sites.on : words.sites.off}
        <Button
          reason={reason}
          onClick={() => void act(() => call('clonedSiteIgnores', isOn ? 'disable' : 'enable', one))}
        >
          {isOn ? words.sites.dont : words.sites.use}
        </Button>
      </p>
      <form className={css['form']} onSubmit={save}>
        <AreaField
          label={words.sites.field}
          name="ignores"
          help={words.sites.help}
          error={problem instanceof Problem ? problem.details['ignores'] : undefined}
          defaultValue={data.ignore_lists.ignores}
          spellCheck={false}
        />
        {problem !== undefined && <ProblemBox error={problem} />}
        <p>
          <Button type="submit" reason={reason}>
            {words.token.save}
          </Button>
        </p>
      </form>
    </section>
  )
}
