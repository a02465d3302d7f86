// The Birds that run another version than a release: update one or several, and see on its row what became of each.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { SelectField } from '../../kit/form-fields.tsx'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { hasEnded } from '../bird/queries.ts'
import birdCss from '../bird/bird.module.css'
import css from '../birds/birds.module.css'
import type { BirdRow, Bundle } from '../birds/queries.ts'
import { birdWords } from '../birds/words.ts'
import { birdsQuery, jobQuery, type Release } from './queries.ts'
import own from './updates.module.css'
import { useUpdates } from './use-updates.ts'
import { updateWords as said } from './words.ts'

const NONE: ReadonlySet<string> = new Set()

export function OutdatedBirds({ releases }: { readonly releases: readonly Release[] }) {
  const { listed, rows, updatable, followed, refused, isBusy, update } = useUpdates()
  const [tag, setTag] = useState(releases.find(({ ignore }) => !ignore)?.tag ?? releases[0]?.tag ?? '')
  const [selected, setSelected] = useState(NONE)
  const version = releases.find((it) => it.tag === tag)?.version ?? ''
  const behind = rows.filter((row) => row.version !== version)
  const shown = rows.filter((row) => row.version !== version || followed.has(row.node_id))
  const chosen = behind.filter(({ node_id }) => selected.has(node_id))
  const mayNot = useWhyNot(
    'birdOperations',
    'update',
    chosen.map(({ flock_id }) => flock_id),
  )
  if (listed.error && !listed.data)
    return <ProblemBox error={listed.error} onRetry={() => void listed.refetch()} />
  if (!listed.data) return <Loading rows={4} />
  return (
    <section className={css['part']} aria-label={said.birds}>
      <h2>{said.birds}</h2>
      <div className={css['row-of']}>
        <SelectField label={said.chooseRelease} value={tag} onChange={({ target }) => setTag(target.value)}>
          {releases.map((it) => (
            <option key={it.tag} value={it.tag}>
              {it.version}
            </option>
          ))}
        </SelectField>
        <Button
          look="primary"
          aria-busy={isBusy || undefined}
          reason={mayNot ?? (chosen.length === 0 ? said.noneSelected : undefined)}
          onClick={() => {
            setSelected(NONE)
            void update(chosen, tag)
          }}
        >
          {said.update(chosen.length)}
        </Button>
      </div>
      <p className={css['quiet']}>{said.counted(rows.length - behind.length, behind.length, version)}</p>
      {shown.length === 0 && <p>{said.all}</p>}
      {shown.length > 0 && (
        <table className={own['table']}>
          <thead>
            <tr>
              {said.columns.map((it) => (
                <th key={it} scope="col">
                  {it}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                key={row.node_id}
                row={row}
                fits={updatable?.includes(row.node_id) === true}
                isCurrent={row.version === version}
                isFollowed={followed.has(row.node_id)}
                refused={refused.get(row.node_id)}
                isSelected={selected.has(row.node_id)}
                onSelect={() => setSelected((before) => toggled(before, row.node_id))}
                onUpdate={() => void update([row], tag)}
              />
            ))}
          </tbody>
        </table>
      )}
      {listed.hasNextPage && (
        <p>
          <Button onClick={() => void listed.fetchNextPage()}>{said.more}</Button>
        </p>
      )}
    </section>
  )
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before)
  if (!next.delete(id)) next.add(id)
  return next
}

interface RowProps {
  readonly row: BirdRow
  readonly fits: boolean
  readonly isCurrent: boolean
  readonly isFollowed: boolean
  readonly refused: string | undefined
  readonly isSelected: boolean
  readonly onSelect: () => void
  readonly onUpdate: () => void
}

function Row({ row, fits, isCurrent, isFollowed, refused, isSelected, onSelect, onUpdate }: RowProps) {
  const { node_id, name, version, state, flock_id } = row
  const mayNot = useWhyNot('birdOperations', 'update', [flock_id])
  const plain = plainEvidence(name, 60)
  const queries = useQueryClient()
  const { data: job, error, refetch } = useQuery({ ...jobQuery(node_id), enabled: isFollowed })
  const isRunning = job ? !hasEnded(job) : false
  useEffect(() => {
    if (job && !isRunning) void queries.invalidateQueries({ queryKey: birdsQuery.queryKey })
  }, [job, isRunning, queries])
  return (
    <tr>
      <td>
        {!isCurrent && (
          <input
            type="checkbox"
            className={css['box']}
            aria-label={birdWords.select(plain)}
            checked={isSelected}
            onChange={onSelect}
          />
        )}
      </td>
      <th scope="row">
        <Link to="/birds/$id" params={{ id: node_id }}>
          <Evidence text={name} />
        </Link>
      </th>
      <td>
        <Evidence text={version} />
      </td>
      <td>
        <span className={css['mark']} data-state={state}>
          {birdWords.states[state]}
        </span>
      </td>
      <td>
        {refused !== undefined && (
          <p role="alert" className={birdCss['error']}>
            <Evidence text={refused} canUnfold />
          </p>
        )}
        {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
        {job && <Progress job={job} isOffline={state !== 'live'} />}
        {!isFollowed && refused === undefined && (
          <span className={css['quiet']}>{fits ? said.fits : said.fitsNot}</span>
        )}
        {!isCurrent && (
          <p>
            <Button
              aria-label={said.updateOne(plain)}
              reason={mayNot ?? (isRunning ? said.updating : undefined)}
              onClick={onUpdate}
            >
              {said.verb}
            </Button>
          </p>
        )}
      </td>
    </tr>
  )
}

interface ProgressProps {
  readonly job: Bundle
  readonly isOffline: boolean
}

/** How far the update of a Bird is, and in the end why it failed. */
function Progress({ job, isOffline }: ProgressProps) {
  const { state, reason, bytes_copied, bundle_size } = job
  const isRunning = !hasEnded(job)
  return (
    <div role="status" className={birdCss['follow']} data-state={state}>
      <strong>{birdWords.one.bundleStates[state]}</strong>{' '}
      {reason !== '' && <Evidence text={reason} canUnfold />}
      {isRunning && isOffline && birdWords.settings.offline}
      {isRunning && (
        <progress
          className={birdCss['progress']}
          aria-label={said.updating}
          max={Math.max(1, bundle_size)}
          value={bytes_copied}
        />
      )}
    </div>
  )
}
