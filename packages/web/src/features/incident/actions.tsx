// Acknowledge, with words for those who read it later. On a phone the button is fixed at the bottom.
import { useState } from 'react'
import { useWhyNot } from '../../can.ts'
import { Time } from '../../kit/age.tsx'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { areKeysOn, isForPage, usePageKeys } from '../../kit/keys.ts'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { words } from '../../words/en.ts'
import { IgnoreButton, IgnorePart, useIgnoreState } from '../ignore-rules/ignore.tsx'
import css from './incident.module.css'
import type { Incident } from './queries.ts'
import { useIncidentActions } from './use-incident-actions.ts'

type Verdict = keyof typeof words.incident.verdicts
const VERDICTS = Object.entries(words.incident.verdicts) as [Verdict, string][]

interface ActionsProps {
  readonly incident: Incident
  readonly hash: string
  /** Keys of the page besides those of its actions. */
  readonly keys: Readonly<Record<string, () => void>>
}

export function Actions({ incident, hash, keys }: ActionsProps) {
  const { problem, run, undo } = useIncidentActions(hash)
  const reason = useWhyNot('incidentActions', 'acknowledgeMany', [incident.flock_id ?? ''])
  const ignoring = useIgnoreState()
  const [comment, setComment] = useState('')
  const [verdict, setVerdict] = useState<Verdict | ''>('')
  const isAcknowledged = incident.acknowledged === 'True'
  const act = async (action: Parameters<typeof run>[0]) => {
    if (reason !== undefined) return
    const given =
      action === 'acknowledgeMany' ? { ...(comment && { comment }), ...(verdict && { verdict }) } : {}
    if (!(await run(action, given))) return
    setComment('')
    setVerdict('')
    // The button that was pressed has made room for others; who acknowledged stands below the heading.
    document.querySelector('h1')?.focus()
  }
  const byKey: Readonly<Record<string, () => void>> = {
    ...keys,
    z: () => void (ignoring.done ? ignoring.done.undo() : undo()),
    i: ignoring.open,
    ...(isAcknowledged
      ? { u: () => void act('unacknowledgeMany'), '#': () => void act('removeMany') }
      : { e: () => void act('acknowledgeMany') }),
  }
  usePageKeys((event) => {
    if (!isForPage(event) || !areKeysOn() || !Object.hasOwn(byKey, event.key)) return
    event.preventDefault()
    byKey[event.key]?.()
  })
  return (
    <section className={css['actions']} aria-label={words.incident.actions}>
      {[problem, ignoring.problem].map(
        (failed, nth) => failed !== undefined && <ProblemBox key={nth} error={failed} />,
      )}
      <IgnorePart incident={incident} hash={hash} ignoring={ignoring} />
      {isAcknowledged ? (
        <>
          <Who incident={incident} />
          <div className={css['buttons']}>
            <Button shortcut="u" reason={reason} onClick={() => void act('unacknowledgeMany')}>
              {words.action.unacknowledge}
            </Button>
            <Button look="danger" shortcut="#" reason={reason} onClick={() => void act('removeMany')}>
              {words.action.remove}
            </Button>
            <IgnoreButton incident={incident} ignoring={ignoring} />
          </div>
        </>
      ) : (
        <div className={css['fixed']} data-foot="page">
          <details className={css['wordsOf']}>
            <summary>{words.incident.addWords}</summary>
            <label>
              {words.incident.verdict}
              <select value={verdict} onChange={(event) => setVerdict(event.target.value as Verdict | '')}>
                <option value="">{words.incident.noVerdict}</option>
                {VERDICTS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {words.incident.comment}
              <textarea
                value={comment}
                maxLength={2_000}
                rows={2}
                onChange={(event) => setComment(event.target.value)}
              />
            </label>
          </details>
          <div className={css['buttons']}>
            <Button look="primary" shortcut="e" reason={reason} onClick={() => void act('acknowledgeMany')}>
              {words.action.acknowledge}
            </Button>
            <IgnoreButton incident={incident} ignoring={ignoring} />
          </div>
        </div>
      )}
    </section>
  )
}

/** Who acknowledged it, when, and with what words. */
function Who({ incident }: { readonly incident: Incident }) {
  const { acknowledged_by, acknowledged_at } = incident
  if (!acknowledged_by) return <p>{words.inbox.tabs.acknowledged}</p>
  const said = incident.comments?.findLast(({ verdict }) => verdict !== undefined)
  return (
    <div>
      <p>
        {words.incident.acknowledgedBy} <Evidence text={acknowledged_by} />
        {acknowledged_at && (
          <>
            , <Time atS={Number(acknowledged_at)} />
          </>
        )}
      </p>
      {said?.verdict && (
        <p>
          <strong>{words.incident.verdicts[said.verdict]}.</strong> <Evidence text={said.text} canUnfold />
        </p>
      )}
    </div>
  )
}
