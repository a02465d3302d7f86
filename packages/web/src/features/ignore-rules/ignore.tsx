// Ignore…: the button of an incident, what it did, and how to undo it.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence, plainEvidence } from '../../kit/evidence.tsx'
import { addressOf, rawOf } from '../../kit/hostile.ts'
import { useToast } from '../../kit/toast.tsx'
import { words } from '../../words/en.ts'
import type { Incident } from '../incident/queries.ts'
import css from './ignore.module.css'
import type { Rule } from './queries.ts'
import { ignoreWords as said } from './words.ts'

const IgnoreDialog = lazy(async () => ({ default: (await import('./ignore-dialog.tsx')).IgnoreDialog }))

export interface IgnoreState {
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
  /** What was done, with how to undo it. */
  readonly done: { readonly rule: Rule; readonly undo: () => Promise<void> } | undefined
  readonly problem: unknown
  readonly ignore: (rule: Rule) => Promise<unknown>
}

export function useIgnoreState(): IgnoreState {
  const queries = useQueryClient()
  const say = useToast()
  const [isOpen, setOpen] = useState(false)
  const [done, setDone] = useState<IgnoreState['done']>()
  const [problem, setProblem] = useState<unknown>()
  const refresh = () =>
    Promise.all(
      ['ignoreRules', 'consoleIgnoreLists', 'flockIgnoreLists'].map((group) =>
        queries.invalidateQueries({ queryKey: [group] }),
      ),
    )

  async function undo(takeBack: () => Promise<unknown>): Promise<void> {
    setProblem(undefined)
    try {
      await takeBack()
      setDone(undefined)
      say({ text: said.undone })
      await refresh()
    } catch (error) {
      setProblem(error)
    }
  }

  async function ignore(rule: Rule): Promise<unknown> {
    try {
      const takeBack = await added(rule)
      const undoThis = () => undo(takeBack)
      setDone({ rule, undo: undoThis })
      setOpen(false)
      say({
        text: said.done(plainEvidence(rule.line, 80)),
        action: { label: words.action.undo, run: () => void undoThis() },
      })
      void refresh()
      return undefined
    } catch (error) {
      return error
    }
  }
  return { isOpen, open: () => setOpen(true), close: () => setOpen(false), done, problem, ignore }
}

/** Adds the line; answers how to take it back. */
async function added({ flock_id, list, line: given }: Rule): Promise<() => Promise<unknown>> {
  const line = rawOf(given)
  if (flock_id === '') {
    const { was_there, was_on } = await call('ignoreRules', 'add', { list, line })
    return () => call('ignoreRules', 'undo', { list, line, was_there, was_on })
  }
  const { was_there, was_mode, was_inherits } = await call('ignoreRules', 'addInFlock', { flock_id, line })
  return () => call('ignoreRules', 'undoInFlock', { flock_id, line, was_there, was_mode, was_inherits })
}

export function IgnoreButton({
  incident,
  ignoring,
}: {
  readonly incident: Incident
  readonly ignoring: IgnoreState
}) {
  const reason = useWhyNot('ignoreRules', 'addInFlock', [incident.flock_id ?? ''])
  return (
    <Button shortcut="i" reason={reason} onClick={ignoring.open}>
      {said.button}
    </Button>
  )
}

interface IgnoreDoneProps {
  readonly incident: Incident
  readonly hash: string
  readonly ignoring: IgnoreState
}

/** The dialog while it is open, and afterwards what was done. */
export function IgnorePart({ incident, hash, ignoring }: IgnoreDoneProps) {
  const { done, isOpen } = ignoring
  const address = addressOf(incident.src_host)
  const port = Number(incident.dst_port) > 0 ? incident.dst_port : undefined
  return (
    <>
      {done && (
        <p className={css['done']}>
          {said.now}{' '}
          <code>
            <Evidence text={done.rule.line} />
          </code>
          <Button onClick={() => void done.undo()}>{words.action.undo}</Button>
          <Link
            to="/ignore"
            search={{
              ...(address && { address }),
              ...(port && { port }),
              ...(incident.flock_id && { flock: incident.flock_id }),
            }}
          >
            {said.probeIt}
          </Link>
        </p>
      )}
      {isOpen && (
        <Suspense>
          <IgnoreDialog
            hash={hash}
            flockName={incident.flock_name ?? ''}
            onClose={ignoring.close}
            onIgnore={ignoring.ignore}
          />
        </Suspense>
      )}
    </>
  )
}
