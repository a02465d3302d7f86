// Known scanners whose touches are ignored.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import birds from '../birds/birds.module.css'
import { consoleListsQuery } from './queries.ts'
import { Enabled } from './lists.tsx'
import { ignoreWords } from './words.ts'

const { page: said } = ignoreWords

export function Annotations() {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['consoleIgnoreLists'] })
  const lists = useQuery(consoleListsQuery)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['consoleIgnoreLists', 'annotations'],
    queryFn: async ({ signal }) =>
      (await call('consoleIgnoreLists', 'ignoredAnnotations', {}, signal)).ignored_annotations,
  })
  const add = useMutation({
    mutationFn: (annotation: string) => call('consoleIgnoreLists', 'ignoreAnnotation', { annotation }),
    onSuccess: refresh,
  })
  const remove = useMutation({
    mutationFn: (annotation: string) => call('consoleIgnoreLists', 'removeAnnotation', { annotation }),
    onSuccess: refresh,
  })
  const details = add.error instanceof Problem ? add.error.details : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    add.mutate(String(new FormData(event.currentTarget).get('annotation')))
  }
  return (
    <>
      {lists.data && <Enabled list="annotation" isOn={lists.data.annotation.is_enabled} />}
      {isPending && <Loading rows={2} />}
      {[error, remove.error, Object.keys(details).length === 0 && add.error].map(
        (failed) =>
          failed && <ProblemBox key={failed.message} error={failed} onRetry={() => void refetch()} />,
      )}
      {data?.length === 0 && <p>{said.noAnnotation}</p>}
      <ul className={birds['cards']}>
        {data?.map(({ name, nice_name, text }) => (
          <li key={name} className={birds['card']}>
            <strong>
              <Evidence text={nice_name} />
            </strong>
            <Evidence text={text} canUnfold />
            <Button onClick={() => remove.mutate(name)}>{said.remove}</Button>
          </li>
        ))}
      </ul>
      <form className={birds['row-of']} onSubmit={submit}>
        <TextField label={said.addAnnotation} name="annotation" required error={details['annotation']} />
        <Button type="submit">{ignoreWords.ignore}</Button>
      </form>
    </>
  )
}
