// Ignore touches like those of an incident: the narrowest rule is chosen, and each says what it would have kept away.
import { Dialog } from '@base-ui/react/dialog'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { whyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { isEmpty } from '../../kit/hostile.ts'
import { Loading } from '../../kit/loading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { sessionQuery } from '../../session/session-query.ts'
import dialog from '../../shell/dialog.module.css'
import { words } from '../../words/en.ts'
import css from './ignore.module.css'
import { rulesQuery, type Rule } from './queries.ts'
import { ignoreWords as said } from './words.ts'

interface IgnoreDialogProps {
  readonly hash: string
  readonly flockName: string
  readonly onClose: () => void
  /** Resolves to the error if the console refused. */
  readonly onIgnore: (rule: Rule) => Promise<unknown>
}

export function IgnoreDialog({ hash, flockName, onClose, onIgnore }: IgnoreDialogProps) {
  const { data, error, refetch } = useQuery(rulesQuery(hash))
  const { me } = useSuspenseQuery(sessionQuery).data
  const [chosen, setChosen] = useState(0)
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const rule = data?.rules[chosen]
  const whyNotRule = ({ flock_id }: Rule) =>
    flock_id === '' ? whyNot(me, 'ignoreRules', 'add') : whyNot(me, 'ignoreRules', 'addInFlock', [flock_id])
  const ignore = async () => {
    if (!rule || isBusy) return
    setBusy(true)
    setProblem(await onIgnore(rule))
    setBusy(false)
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={dialog['dialog']}>
          <Dialog.Title>{said.title}</Dialog.Title>
          <Dialog.Description className={dialog['note']}>{said.lead}</Dialog.Description>
          {!data && !error && <Loading rows={3} />}
          {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
          {data && !isEmpty(data.ignored_by) && (
            <p role="note">
              {said.already}{' '}
              <code>
                <Evidence text={data.ignored_by} />
              </code>
            </p>
          )}
          {data?.rules.length === 0 && <p>{said.none}</p>}
          {data && rule && (
            <>
              <fieldset className={css['rules']}>
                <legend>{said.rules}</legend>
                {data.rules.map((it, at) => (
                  <RuleChoice
                    key={`${it.covers} ${it.flock_id}`}
                    rule={it}
                    where={it.flock_id === '' ? said.everywhere : said.inFlock(flockName)}
                    isChosen={at === chosen}
                    onChoose={() => setChosen(at)}
                  />
                ))}
              </fieldset>
              {rule.enables && (
                <p className={dialog['note']}>{rule.flock_id === '' ? said.enables : said.keeps}</p>
              )}
              {rule.idle_lines > 0 && <p role="note">{said.idle(rule.idle_lines)}</p>}
            </>
          )}
          {problem !== undefined && <ProblemBox error={problem} />}
          <p className={css['buttons']}>
            {rule && (
              <Button look="primary" reason={whyNotRule(rule)} onClick={() => void ignore()}>
                {said.ignore}
              </Button>
            )}
            <Dialog.Close className={dialog['close']}>{words.action.cancel}</Dialog.Close>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface RuleChoiceProps {
  readonly rule: Rule
  readonly where: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function RuleChoice({ rule, where, isChosen, onChoose }: RuleChoiceProps) {
  return (
    <label className={css['rule']}>
      <input type="radio" name="rule" checked={isChosen} onChange={onChoose} />
      <span>
        {said.covers[rule.covers]}, <Evidence text={where} />
        <span className={css['facts']}>
          <code>
            <Evidence text={rule.line} />
          </code>{' '}
          {said.matches(rule.matches)}
        </span>
      </span>
    </label>
  )
}
