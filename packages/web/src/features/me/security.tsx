// Second factors of one's own account, and where one is signed in.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { Age } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { accountWords } from '../../words/account.ts'
import { AddApp } from './add-app.tsx'
import { AddPasskey } from './add-passkey.tsx'
import { Codes } from './codes.tsx'
import css from './me.module.css'
import { factorsQuery } from './queries.ts'
import { OwnSessions } from './own-sessions.tsx'

const text = accountWords.security

export function Security() {
  const factors = useQuery(factorsQuery)
  return (
    <div className={css['page']}>
      <PageHeading title={text.title} />
      {factors.data ? (
        <Factors factors={factors.data} />
      ) : factors.error ? (
        <ProblemBox error={factors.error} onRetry={() => void factors.refetch()} />
      ) : (
        <Loading rows={4} />
      )}
      <OwnSessions />
    </div>
  )
}

function Factors({ factors }: { readonly factors: AnswerOf<'me', 'factors'> }) {
  const queries = useQueryClient()
  const say = useToast()
  const [codes, setCodes] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<unknown>()
  const refresh = () => queries.invalidateQueries({ queryKey: factorsQuery.queryKey })
  const added = (recovery: readonly string[]) => {
    setCodes(recovery)
    void refresh()
  }
  const act = async (work: () => Promise<unknown>, said?: string) => {
    setProblem(undefined)
    try {
      await work()
      await refresh()
      if (said) say({ text: said })
    } catch (error) {
      setProblem(error)
    }
  }
  const hasOne = factors.totp || factors.passkeys.length > 0
  return (
    <section className={css['section']} aria-labelledby="factors">
      <h2 id="factors">{text.factors}</h2>
      <p className={css['lead']}>{text.factorsLead}</p>
      {problem !== undefined && <ProblemBox error={problem} />}
      {codes.length > 0 && <Codes codes={codes} onStored={() => setCodes([])} />}
      <h3>{text.passkeys}</h3>
      {factors.passkeys.length === 0 && <p>{text.noPasskeys}</p>}
      <ul className={css['list']}>
        {factors.passkeys.map(({ passkey_id, name, rp_id, created, used }) => (
          <li key={passkey_id}>
            <span>
              <strong>
                <Evidence text={name} />
              </strong>{' '}
              <span className={css['note']}>
                {text.worksAt(rp_id)} · {text.added} <Age atS={created} /> {text.ago} ·{' '}
                {used === null ? (
                  text.never
                ) : (
                  <>
                    {text.used} <Age atS={used} /> {text.ago}
                  </>
                )}
              </span>
            </span>
            <Button
              aria-label={text.removeNamed(name)}
              onClick={() => void act(() => call('me', 'removePasskey', { passkey_id }), text.removed)}
            >
              {text.remove}
            </Button>
          </li>
        ))}
      </ul>
      <AddPasskey onAdded={added} />
      <h3>{text.app}</h3>
      <p>{factors.totp ? text.appOn : text.appOff}</p>
      {factors.totp ? (
        <p className={css['actions']}>
          <Button onClick={() => void act(() => call('me', 'removeTotp'), text.removed)}>
            {text.removeApp}
          </Button>
        </p>
      ) : (
        <AddApp onAdded={added} />
      )}
      {hasOne && (
        <>
          <h3>{text.recovery}</h3>
          <p>{text.left(factors.recovery_codes)}</p>
          <p className={css['actions']}>
            <Button
              onClick={() =>
                void act(async () => setCodes((await call('me', 'renewRecoveryCodes')).recovery_codes))
              }
            >
              {text.renew}
            </Button>
          </p>
        </>
      )}
    </section>
  )
}
