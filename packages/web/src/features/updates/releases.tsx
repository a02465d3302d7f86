// The releases that the console has, and whether Birds get them by themselves.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { settingsQuery } from '../api-keys/queries.ts'
import css from '../birds/birds.module.css'
import { Switch } from '../settings/switch.tsx'
import { stopQuery, type Release } from './queries.ts'
import { updateWords as said } from './words.ts'

export function Releases({ releases }: { readonly releases: readonly Release[] }) {
  const queries = useQueryClient()
  const reason = useWhyNot('updates', 'ignore')
  const [problem, setProblem] = useState<unknown>()
  const turn = async ({ tag: update_tag, ignore }: Release) => {
    setProblem(undefined)
    try {
      await call('updates', ignore ? 'unignore' : 'ignore', { update_tag })
    } catch (refused) {
      setProblem(refused)
    }
    await queries.invalidateQueries({ queryKey: ['updates'] })
  }
  if (releases.length === 0)
    return (
      <section className={css['empty']}>
        <p>
          <strong>{said.none}</strong>
        </p>
        <p>{said.noneText}</p>
        <Command label={said.add} command="rookery release add /var/tmp/rookery-bird-3.1.0.tar.zst" />
      </section>
    )
  return (
    <section className={css['part']} aria-label={said.releases}>
      <h2>{said.releases}</h2>
      {problem !== undefined && <ProblemBox error={problem} />}
      <ul className={css['cards']}>
        {releases.map((release) => (
          <li key={release.tag} className={css['card']}>
            <strong>
              <Evidence text={release.version} />
            </strong>
            <span>
              <Evidence text={release.description} canUnfold /> {release.ignore && said.ignored}
            </span>
            <span className={css['quiet']}>
              {said.for(release.target_sensors, release.supported_versions)}
            </span>
            <Button reason={reason} onClick={() => void turn(release)}>
              {release.ignore ? said.unignore : said.ignore}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Automatic({ releases }: { readonly releases: readonly Release[] }) {
  const queries = useQueryClient()
  const say = useToast()
  const settings = useQuery(settingsQuery)
  const reason = useWhyNot('updates', 'enableAutomatic')
  const [problem, setProblem] = useState<unknown>()
  if (settings.error) return <ProblemBox error={settings.error} onRetry={() => void settings.refetch()} />
  if (!settings.data) return null
  const { automatic_updates, automatic_updates_stopped } = settings.data.settings
  const resume = async () => {
    setProblem(undefined)
    try {
      await call('updates', 'resume')
      say({ text: said.resumed })
    } catch (refused) {
      setProblem(refused)
    }
    await queries.invalidateQueries({ queryKey: settingsQuery.queryKey })
  }
  return (
    <section className={css['part']}>
      <Switch
        name={said.automatic}
        help={said.automaticHelp}
        isOn={automatic_updates}
        reason={reason}
        turn={(on) => call('updates', on ? 'enableAutomatic' : 'disableAutomatic')}
      />
      {problem !== undefined && <ProblemBox error={problem} />}
      {automatic_updates_stopped !== '' && (
        <div role="alert" className={css['part']}>
          <p className={css['wrong']}>
            {said.stopped(
              releases.find(({ tag }) => tag === automatic_updates_stopped)?.version ??
                automatic_updates_stopped,
            )}{' '}
            <WhyStopped />
          </p>
          <p>
            <Button reason={reason} onClick={() => void resume()}>
              {said.resume}
            </Button>
          </p>
        </div>
      )}
    </section>
  )
}

function WhyStopped() {
  const row = useQuery(stopQuery).data
  if (!row) return null
  return (
    <Link to="/incidents/$hash" params={{ hash: row.hash_id }}>
      {row.evidence.length === 0 ? (
        <Evidence text={row.summary} />
      ) : (
        row.evidence.map(({ value }, at) => (
          <span key={at}>
            <Evidence text={value} />{' '}
          </span>
        ))
      )}
    </Link>
  )
}
