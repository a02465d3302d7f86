import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { settingsQuery } from '../api-keys/queries.ts'
import css from './settings.module.css'
import { Retention } from './retention.tsx'
import { Switch } from './switch.tsx'
import { settingsWords as said } from './words.ts'

export function General() {
  const { data, error, isPending, refetch } = useQuery(settingsQuery)
  if (isPending) return <Loading />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  const { settings } = data
  return (
    <>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      <section className={css['part']}>
        <h2>{said.addresses}</h2>
        <dl className={css['facts']}>
          <Fact name={said.publicUrl} note={said.setBy('ROOKERY_PUBLIC_URL')}>
            <Evidence text={settings.public_url} />
          </Fact>
          <Fact name={said.tokensUrl} note={said.setBy('ROOKERY_TOKENS_URL')}>
            <Evidence text={settings.tokens_url} />
          </Fact>
          <Fact name={said.tokensDomain} note={said.setBy('ROOKERY_TOKENS_DOMAIN')}>
            {settings.tokens_domain === '' ? said.noZone : <Evidence text={settings.tokens_domain} />}
          </Fact>
        </dl>
      </section>
      <section className={css['part']}>
        <h2>{said.who}</h2>
        <dl className={css['facts']}>
          <Fact name={said.people}>
            <Link to="/people">{said.users(settings.users)}</Link>
          </Fact>
          <Fact name={said.keys} note={said.setBy('ROOKERY_KEYS')}>
            {said.keyKinds[settings.keys === 'recoverable' ? 'recoverable' : 'show-once']}{' '}
            <Link to="/keys">{settings.api_enabled ? said.apiOn : said.apiOff}</Link>
          </Fact>
          <Fact name={said.silence} note={said.fixed}>
            {said.silenceText(settings.bird_silence_s)}
          </Fact>
        </dl>
      </section>
      <section className={css['part']}>
        <h2>{said.alerts}</h2>
        <p className={css['note']}>{said.alertsLead}</p>
        <Switch
          {...said.switches.webhooks}
          isOn={settings.webhooks_enabled}
          turn={(on) => call('webhookSwitch', on ? 'enable' : 'disable')}
        />
        <Switch
          {...said.switches.flocks}
          isOn={settings.change_control.flock_settings}
          turn={(on) => call('consoleChangeAlerts', on ? 'enableFlock' : 'disableFlock')}
        />
        <Switch
          {...said.switches.birds}
          isOn={settings.change_control.device_settings}
          turn={(on) => call('consoleChangeAlerts', on ? 'enableDevice' : 'disableDevice')}
        />
      </section>
      <Retention />
    </>
  )
}

interface FactProps {
  readonly name: string
  /** How it is changed. */
  readonly note?: string
  readonly children: ReactNode
}

export function Fact({ name, note, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {note !== undefined && <span className={css['note']}>{note}</span>}
      </dd>
    </div>
  )
}
