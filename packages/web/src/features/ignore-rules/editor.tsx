// Lines with their numbers. What is wrong is marked, and nothing is saved until all is right.
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import { Problem } from '../../problem.ts'
import { count } from '../../words/en.ts'
import css from './ignore.module.css'
import type { WrongLine } from './queries.ts'
import { WideDialog } from './wide-dialog.tsx'
import { ignoreWords } from './words.ts'

const { page: said } = ignoreWords

interface EditorProps {
  readonly list: 'ip' | 'hostname' | 'src_port'
  readonly isOfFlock?: boolean
  readonly label: string
  /** The list as it is stored. */
  readonly stored: string
  /** Reads it anew. */
  readonly reload: () => Promise<string>
  readonly save: (text: string, force: boolean) => Promise<unknown>
  /** Why this person may not save. */
  readonly reason: string | undefined
}

export function Editor(props: EditorProps) {
  const { label, reason } = props
  const box = useRef<HTMLTextAreaElement>(null)
  const { text, wrong, wide, theirs, problem, edit, reset, submit, store, closeWide } = useDraft(props)
  const lines = text.split('\n')
  const goTo = (number: number) => {
    const from = lines.slice(0, number - 1).join('\n').length + (number > 1 ? 1 : 0)
    box.current?.focus()
    box.current?.setSelectionRange(from, from + (lines[number - 1]?.length ?? 0))
  }
  return (
    <>
      <div className={css['editor']}>
        <Gutter count={lines.length} wrong={new Set(wrong.map(({ number }) => number))} />
        <textarea
          ref={box}
          aria-label={label}
          aria-invalid={wrong.length > 0 || undefined}
          className={css['text']}
          rows={lines.length}
          spellCheck={false}
          autoCapitalize="off"
          readOnly={reason !== undefined}
          value={text}
          onChange={(event) => edit(event.target.value)}
        />
      </div>
      {wrong.length > 0 && <WrongLines wrong={wrong} onOpen={goTo} />}
      {theirs !== undefined && <Conflict theirs={theirs} onTake={reset} onKeep={() => void submit(true)} />}
      {reasonsOf(problem).map((it) => (
        <p key={it} role="alert" className={css['wrong']}>
          <Evidence text={it} />
        </p>
      ))}
      {problem !== undefined && reasonsOf(problem).length === 0 && <ProblemBox error={problem} />}
      <p className={css['buttons']}>
        <Button look="primary" reason={reason} onClick={() => void submit(false)}>
          {said.save}
        </Button>
        <span>{said.count(lines.filter((line) => !/^\s*(#|$)/.test(line)).length)}</span>
      </p>
      {wide && <WideDialog lines={wide} onClose={closeWide} onConfirm={() => void store(true)} />}
    </>
  )
}

/** What somebody typed and has not saved. */
function useDraft({ list, isOfFlock = false, stored, reload, save }: EditorProps) {
  const say = useToast()
  const [draft, setDraft] = useState<{ readonly text: string; readonly base: string }>()
  const [wrong, setWrong] = useState<readonly WrongLine[]>([])
  const [wide, setWide] = useState<readonly WrongLine[]>()
  const [theirs, setTheirs] = useState<string>()
  const [problem, setProblem] = useState<unknown>()
  const text = draft?.text ?? stored

  const reset = () => {
    setDraft(undefined)
    setWrong([])
    setTheirs(undefined)
  }
  async function store(force: boolean): Promise<void> {
    setWide(undefined)
    try {
      await save(text, force)
      await reload()
      reset()
      say({ text: said.saved })
    } catch (error) {
      setProblem(error)
    }
  }
  /** `isOver`: over what somebody else saved meanwhile. */
  async function submit(isOver: boolean): Promise<void> {
    setProblem(undefined)
    setTheirs(undefined)
    try {
      const { wrong: found } =
        text.trim() === ''
          ? { wrong: [] }
          : await call('ignoreRules', 'check', { list, lines: text, of_flock: isOfFlock })
      const refused = found.filter(({ is_wide }) => !is_wide)
      setWrong(refused)
      if (refused.length > 0) return
      const now = await reload()
      if (now !== (draft?.base ?? stored) && !isOver) setTheirs(now)
      else if (found.length > 0) setWide(found)
      else await store(false)
    } catch (error) {
      setProblem(error)
    }
  }
  return {
    text,
    wrong,
    wide,
    theirs,
    problem,
    reset,
    submit,
    store,
    edit(next: string) {
      setDraft({ text: next, base: draft?.base ?? stored })
      setWrong([])
    },
    closeWide: () => setWide(undefined),
  }
}

interface WrongLinesProps {
  readonly wrong: readonly WrongLine[]
  readonly onOpen: (number: number) => void
}

function WrongLines({ wrong, onOpen }: WrongLinesProps) {
  return (
    <div role="alert" className={css['wrong']}>
      <p>{said.wrong(wrong.length)}</p>
      <ul>
        {wrong.map(({ number, reason }) => (
          <li key={number}>
            <Button look="quiet" onClick={() => onOpen(number)}>
              {said.line(number)}
            </Button>{' '}
            <Evidence text={reason} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ConflictProps {
  readonly theirs: string
  readonly onTake: () => void
  readonly onKeep: () => void
}

function Conflict({ theirs, onTake, onKeep }: ConflictProps) {
  return (
    <div role="alert">
      <p>{said.changed}</p>
      <pre className={css['verdict']}>
        <Evidence text={theirs} canUnfold />
      </pre>
      <p className={css['buttons']}>
        <Button onClick={onTake}>{said.takeTheirs}</Button>
        <Button look="danger" onClick={onKeep}>
          {said.keepMine}
        </Button>
      </p>
    </div>
  )
}

const reasonsOf = (problem: unknown): readonly string[] =>
  problem instanceof Problem ? Object.values(problem.details) : []

/** The numbers, one text between two wrong lines: a list may have 10,000. */
function Gutter({ count: n, wrong }: { readonly count: number; readonly wrong: ReadonlySet<number> }) {
  const parts: React.ReactNode[] = []
  let plain = ''
  for (let number = 1; number <= n; number++) {
    if (!wrong.has(number)) plain += `${number}\n`
    else {
      parts.push(plain, <mark key={number}>▸ {count(number)}</mark>, '\n')
      plain = ''
    }
  }
  return (
    <pre className={css['gutter']} aria-hidden="true">
      {parts}
      {plain}
    </pre>
  )
}
