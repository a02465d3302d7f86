// Keys that can only create tokens in one Flock.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { secondsOf, Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { ConfirmButton } from '../../kit/confirm-button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useToast } from '../../kit/toast.tsx'
import { links } from '../../links.ts'
import { Problem } from '../../problem.ts'
import { FlockField } from './new-token.tsx'
import { factoriesQuery, flocksQuery } from './queries.ts'
import css from './tokens.module.css'
import { words } from './words.ts'

type Made = AnswerOf<'tokenFactory', 'createFactory'>
type Factory = AnswerOf<'apiKeys', 'list'>['global_api_keys'][number]

const { columns } = words.factories

export function Factories() {
  const say = useToast()
  const reason = useWhyNot('tokenFactory', 'createFactory')
  // Keys are the console's: a manager makes one, and an admin ends it.
  const mayNotSee = useWhyNot('apiKeys', 'list')
  const { data, error, isLoading, refetch } = useQuery({
    ...factoriesQuery,
    enabled: mayNotSee === undefined,
  })
  const [made, setMade] = useState<Made | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    setProblem(undefined)
    try {
      await work()
      return true
    } catch (failed) {
      setProblem(failed)
      return false
    } finally {
      if (mayNotSee === undefined) void refetch()
    }
  }
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const flock_id = given.get('flock_id')
    const isMade = await act(async () =>
      setMade(
        await call('tokenFactory', 'createFactory', {
          memo: String(given.get('memo')),
          flock_id: typeof flock_id === 'string' ? flock_id : 'flock:default',
        }),
      ),
    )
    if (isMade) form.reset()
  }
  const revoke = async (key_id: string) => {
    if (await act(() => call('apiKeys', 'remove', { key_id }))) say({ text: words.factories.revoked })
  }
  // A key that creates tokens alone has a Flock.
  const factories = data?.global_api_keys.filter(({ flock_id }) => flock_id !== undefined) ?? []
  return (
    <div className={css['page']}>
      <p>
        <Link to={links.tokens}>← {words.list.title}</Link>
      </p>
      <PageHeading title={words.factories.title} />
      <p className={css['lead']}>{words.factories.lead}</p>
      <form className={css['form']} onSubmit={(event) => void create(event)}>
        <TextField
          label={words.factories.memo}
          name="memo"
          required
          maxLength={10_000}
          autoComplete="off"
          error={problem instanceof Problem ? problem.details['memo'] : undefined}
        />
        <FlockField error={problem instanceof Problem ? problem.details['flock_id'] : undefined} />
        {problem !== undefined && <ProblemBox error={problem} />}
        <p>
          <Button type="submit" look="primary" reason={reason}>
            {words.factories.create}
          </Button>
        </p>
      </form>
      {made && (
        <section role="status">
          <p className={css['once']}>{words.factories.once}</p>
          <Command label={words.factories.key} command={made.factory_auth} />
          <Command
            label={words.factories.command}
            command={`curl -F kind=http -F 'memo=Planted by a script' '${made.factory_url}'`}
          />
        </section>
      )}
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {mayNotSee !== undefined && <p>{mayNotSee}</p>}
      {isLoading && <Loading rows={3} />}
      {data && factories.length === 0 && <p>{words.factories.empty}</p>}
      {factories.length > 0 && <FactoryTable factories={factories} onRevoke={(id) => void revoke(id)} />}
    </div>
  )
}

interface FactoryTableProps {
  readonly factories: readonly Factory[]
  readonly onRevoke: (keyId: string) => void
}

function FactoryTable({ factories, onRevoke }: FactoryTableProps) {
  const { data } = useQuery(flocksQuery)
  const nameOf = (id = '') => data?.flocks.find(({ flock_id }) => flock_id === id)?.name ?? id
  return (
    <table className={css['table']}>
      <thead>
        <tr>
          {Object.entries(columns).map(([name, label]) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {factories.map(({ key_id, note, flock_id, created, last_used }) => (
          <tr key={key_id}>
            <td>
              <Evidence text={note} />
            </td>
            <td>
              <Evidence text={nameOf(flock_id)} />
            </td>
            <td>
              <Time atS={secondsOf(created)} />
            </td>
            <td>{last_used === '' ? words.factories.never : <Time atS={secondsOf(last_used)} />}</td>
            <td>
              <ConfirmButton
                label={words.factories.revoke}
                question={words.factories.reallyRevoke}
                onConfirm={() => onRevoke(key_id)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
