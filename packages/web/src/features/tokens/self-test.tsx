// The console touches a token itself: each step as it went.
import { useState } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import fieldCss from '../../kit/text-field.module.css'
import css from './tokens.module.css'
import { words } from './words.ts'

type Test = AnswerOf<'tokens', 'selfTest'>

export function SelfTest({ id, flock }: { readonly id: string; readonly flock: string }) {
  const reason = useWhyNot('tokens', 'selfTest', [flock])
  const [withAlert, setWithAlert] = useState(false)
  const [test, setTest] = useState<Test | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    setTest(undefined)
    try {
      setTest(await call('tokens', 'selfTest', { decoytoken: id, alert: withAlert }))
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section>
      <h2>{words.result.test}</h2>
      <p className={css['muted']}>{words.result.testLead}</p>
      <p className={css['tools']}>
        <Button reason={reason} onClick={() => void run()}>
          {isBusy ? words.result.testing : words.result.test}
        </Button>
        <label className={fieldCss['check']}>
          <input
            type="checkbox"
            checked={withAlert}
            onChange={({ target }) => setWithAlert(target.checked)}
          />
          {words.result.testAlert}
        </label>
      </p>
      {problem !== undefined && <ProblemBox error={problem} />}
      <div role="status">
        {test && (
          <>
            <p>
              <strong>{test.passed ? words.result.passed : words.result.failed}</strong>
            </p>
            <ol className={css['steps']}>
              {test.steps.map(({ channel, step, passed, text }) => (
                <li key={`${channel} ${step}`} data-passed={passed}>
                  <span aria-hidden="true">{passed ? '✓' : '✗'}</span>
                  <span>
                    <span className="visually-hidden">
                      {passed ? words.result.went : words.result.stopped}:{' '}
                    </span>
                    <strong>{channel}</strong> <Evidence text={text} canUnfold />
                  </span>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  )
}
