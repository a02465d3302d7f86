import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { Age, secondsOf } from '../../kit/age.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { settingsQuery } from '../api-keys/queries.ts'
import css from './settings.module.css'
import { Switch } from './switch.tsx'
import { settingsWords } from './words.ts'

const said = settingsWords.assets

export function Integrations() {
  const { data, error, isPending, refetch } = useQuery(settingsQuery)
  if (isPending) return <Loading />
  if (!data) return <ProblemBox error={error} onRetry={() => void refetch()} />
  const { assets, fetched, is_configured, is_enabled, problem } = data.settings.integrations.assetinv
  return (
    <section className={css['part']}>
      <h2>{said.title}</h2>
      <p className={css['note']}>{said.lead}</p>
      <Switch
        name={said.name}
        help={said.help}
        isOn={is_enabled}
        reason={is_configured ? undefined : said.missing}
        turn={(on) => call('integrations', on ? 'enableAssets' : 'disableAssets')}
      />
      {is_configured && (
        <p>
          {fetched === '' ? (
            said.notFetched
          ) : (
            <>
              {said.known(assets)} {said.fetched} <Age atS={secondsOf(fetched)} isSentence />.
            </>
          )}{' '}
          {problem !== '' && (
            <strong>
              {said.problem} <Evidence text={problem} canUnfold />
            </strong>
          )}
        </p>
      )}
    </section>
  )
}
