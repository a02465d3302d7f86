// What will change, before it is sent.
import { Dialog } from '@base-ui/react/dialog'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import dialog from '../../shell/dialog.module.css'
import { birdWords } from '../birds/words.ts'
import css from './bird.module.css'
import { textOf, type Draft, type Settings } from './draft.ts'
import type { Schema, Setting } from './queries.ts'

interface ReviewProps {
  readonly schema: Schema
  readonly before: Settings
  readonly draft: Draft
  /** Someone else changed one of these settings meanwhile. */
  readonly isStale: boolean
  readonly isBusy: boolean
  readonly onApply: () => void
  readonly onClose: () => void
}

const { settings: said } = birdWords

export function Review({ schema, before, draft, isStale, isBusy, onApply, onClose }: ReviewProps) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog['backdrop']} />
        <Dialog.Popup className={dialog['dialog']}>
          <Dialog.Title>{said.review}</Dialog.Title>
          {isStale && <p role="alert">{said.stale}</p>}
          <table className={css['difference']}>
            <thead>
              <tr>
                <th scope="col">{said.change}</th>
                <th scope="col">{said.before}</th>
                <th scope="col">{said.after}</th>
              </tr>
            </thead>
            <tbody>
              {[...draft].map(([key, { value }]) => (
                <tr key={key}>
                  <th scope="row">
                    {schema[key]?.title} <code>{key}</code>
                  </th>
                  <td>
                    <Value setting={schema[key]} value={before[key]} />
                  </td>
                  <td>
                    <Value setting={schema[key]} value={value} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={css['bar']}>
            <Button look="primary" onClick={onApply} aria-busy={isBusy || undefined}>
              {said.apply}
            </Button>
            <Dialog.Close className={dialog['close']}>{said.back}</Dialog.Close>
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Value({ setting, value }: { readonly setting: Setting | undefined; readonly value: unknown }) {
  if (setting?.secret) return <em>{said.hidden}</em>
  if (typeof value === 'boolean') return value ? said.on : said.off
  const text = textOf(value)
  return text === '' ? <em>{said.empty}</em> : <Evidence text={text} canUnfold />
}
