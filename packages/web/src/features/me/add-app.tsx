// Setting up an authenticator app: a QR code, the secret for those who type it, and the first code.
import { useEffect, useRef, useState } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { accountWords } from '../../words/account.ts'
import { words } from '../../words/en.ts'
import { CodeForm } from '../sessions/code-form.tsx'
import css from './me.module.css'

interface AddAppProps {
  /** Gets the recovery codes that came with it. */
  readonly onAdded: (codes: readonly string[]) => void
}

export function AddApp({ onAdded }: AddAppProps) {
  const [begun, setBegun] = useState<AnswerOf<'me', 'beginTotp'>>()
  const [problem, setProblem] = useState<unknown>()
  const begin = () => {
    setProblem(undefined)
    call('me', 'beginTotp').then(setBegun, setProblem)
  }
  if (begun === undefined)
    return (
      <>
        <p className={css['actions']}>
          <Button onClick={begin}>{accountWords.security.addApp}</Button>
        </p>
        {problem !== undefined && <ProblemBox error={problem} onRetry={begin} />}
      </>
    )
  return (
    <div className={css['adding']}>
      <p>{accountWords.security.appHow}</p>
      <QrCode text={begun.uri} />
      <p className={css['secret']}>
        {accountWords.security.secret} <code>{begun.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}</code>{' '}
        <CopyButton text={begun.secret} />
      </p>
      <CodeForm
        isDigits
        help={accountWords.step.codeHelp}
        submit={words.action.continue}
        onGive={async (code) => onAdded((await call('me', 'confirmTotp', { code })).recovery_codes)}
      />
    </div>
  )
}

const CELL = 4
const MARGIN_CELLS = 4

/** Black on white in both themes: cameras want it so. */
function QrCode({ text }: { readonly text: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isGone = false
    void import('qrcode-generator').then(({ default: qrcode }) => {
      const paper = canvas.current?.getContext('2d')
      if (!paper || isGone) return
      const code = qrcode(0, 'M')
      code.addData(text)
      code.make()
      const size = (code.getModuleCount() + 2 * MARGIN_CELLS) * CELL
      paper.canvas.width = paper.canvas.height = size
      paper.fillStyle = '#fff'
      paper.fillRect(0, 0, size, size)
      paper.translate(MARGIN_CELLS * CELL, MARGIN_CELLS * CELL)
      code.renderTo2dContext(paper, CELL)
    })
    return () => {
      isGone = true
    }
  }, [text])
  return <canvas ref={canvas} role="img" aria-label={accountWords.security.qr} className={css['qr']} />
}
