// What went wrong, in place: a title, what to do, and the number under which the console's log has more.
import { explain } from '../problem.ts'
import { words } from '../words/en.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import css from './problem-box.module.css'

export function ProblemBox({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { title, text, requestId, canRetry } = explain(error)
  return (
    <div role="alert" className={css['box']}>
      <p>
        <strong>{title}</strong> {text} {requestId && <code>{requestId}</code>}
      </p>
      {(requestId || (canRetry && onRetry)) && (
        <p className={css['actions']}>
          {canRetry && onRetry && <Button onClick={onRetry}>{words.action.retry}</Button>}
          {requestId && <CopyButton text={requestId} />}
        </p>
      )}
    </div>
  )
}
