// What can be done with the Birds that are selected: move, mute (both with Undo), change settings, reboot (after a word).
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { useToast } from '../../kit/toast.tsx'
import { words } from '../../words/en.ts'
import css from './birds.module.css'
import { Confirm } from './confirm.tsx'
import { forEachOf, type Outcome } from './each.ts'
import { FlockSelect } from './flock-select.tsx'
import type { BirdRow } from './queries.ts'
import { birdWords } from './words.ts'

interface BulkBarProps {
  readonly birds: readonly BirdRow[]
  readonly onDone: () => void
  readonly onClear: () => void
  readonly onConfigure: () => void
}

export function BulkBar({ birds, onDone, onClear, onConfigure }: BulkBarProps) {
  const say = useToast()
  const [flock, setFlock] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const busy = isBusy ? words.inbox.slow : undefined
  const flocks = birds.map(({ flock_id }) => flock_id)
  const mayNot = useWhyNot('birdOperations', 'notifications', flocks)
  const mayNotMove = useWhyNot('flocks', 'move', flock === '' ? flocks : [...flocks, flock])
  const reason = mayNot ?? busy

  /** Says how many it was done to, why not to others, and offers to undo the first. */
  async function run(
    some: readonly BirdRow[],
    work: (bird: BirdRow) => Promise<unknown>,
    said: (n: number) => string,
    undo?: (bird: BirdRow) => Promise<unknown>,
  ): Promise<void> {
    setBusy(true)
    const { done, refused, why }: Outcome<BirdRow> = await forEachOf(some, work)
    setBusy(false)
    onDone()
    const text = [done.length > 0 && said(done.length), refused > 0 && birdWords.refused(refused, why)]
    say({
      text: text.filter(Boolean).join(' '),
      ...(undo &&
        done.length > 0 && {
          action: { label: words.action.undo, run: () => void run(done, undo, birdWords.undone) },
        }),
    })
  }
  const mute = (isMuted: boolean) =>
    run(
      birds.filter((bird) => bird.is_muted !== isMuted),
      (bird) => silence(bird, isMuted),
      isMuted ? birdWords.mutedN : birdWords.unmutedN,
      (bird) => silence(bird, !isMuted),
    )
  const move = () =>
    run(
      birds.filter(({ flock_id }) => flock_id !== flock),
      ({ node_id }) => call('flocks', 'move', { node_id, flock_id: flock }),
      birdWords.moved,
      ({ node_id, flock_id }) => call('flocks', 'move', { node_id, flock_id }),
    )
  return (
    <div role="toolbar" aria-label={birdWords.selected(birds.length)} className={css['bulk']}>
      <span>{birdWords.selected(birds.length)}</span>
      <FlockSelect label={birdWords.moveTo} any="…" value={flock} onChange={setFlock} />
      <Button
        onClick={() => void move()}
        reason={mayNotMove ?? (flock === '' ? `${birdWords.moveTo} …` : busy)}
      >
        {birdWords.move}
      </Button>
      {birds.some((bird) => !bird.is_muted) && (
        <Button onClick={() => void mute(true)} reason={reason}>
          {birdWords.mute}
        </Button>
      )}
      {birds.some((bird) => bird.is_muted) && (
        <Button onClick={() => void mute(false)} reason={reason}>
          {birdWords.unmute}
        </Button>
      )}
      <Button onClick={onConfigure} reason={mayNot}>
        {birdWords.change}
      </Button>
      <Button look="danger" onClick={() => setAsking(true)} reason={reason}>
        {birdWords.reboot}
      </Button>
      <Button look="quiet" onClick={onClear}>
        {words.action.clear}
      </Button>
      {isAsking && (
        <Confirm
          title={birdWords.rebootAsk(birds.length)}
          text={birdWords.rebootText}
          word="reboot"
          verb={birdWords.reboot}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            void run(
              birds,
              ({ node_id }) => call('birdOperations', 'reboot', { node_id }),
              birdWords.rebooted,
            )
          }}
        />
      )}
    </div>
  )
}

const silence = ({ node_id }: BirdRow, isMuted: boolean) =>
  call('birdOperations', 'notifications', { node_id, ignore_notifications_general: isMuted })
