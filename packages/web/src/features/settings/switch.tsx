import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { useToast } from '../../kit/toast.tsx'
import field from '../../kit/text-field.module.css'
import { settingsQuery } from '../api-keys/queries.ts'
import css from './settings.module.css'
import { settingsWords as said } from './words.ts'

interface SwitchProps {
  readonly name: string
  readonly help: string
  readonly isOn: boolean
  /** Why it cannot be turned. */
  readonly reason?: string | undefined
  readonly turn: (on: boolean) => Promise<unknown>
}

/** A setting that is on or off. It shows what the console has, also after a refused change. */
export function Switch({ name, help, isOn, reason, turn }: SwitchProps) {
  const id = useId()
  const queries = useQueryClient()
  const say = useToast()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const change = async () => {
    if (isBusy || reason !== undefined) return
    setBusy(true)
    setProblem(undefined)
    try {
      await turn(!isOn)
      say({ text: isOn ? said.off(name) : said.on(name) })
    } catch (refused) {
      setProblem(refused)
    }
    await queries.invalidateQueries({ queryKey: settingsQuery.queryKey })
    setBusy(false)
  }
  return (
    <div className={css['switch']}>
      <label className={field['check']}>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          aria-disabled={reason !== undefined || undefined}
          aria-busy={isBusy || undefined}
          aria-describedby={id}
          onChange={() => void change()}
        />
        {name}
      </label>
      <p id={id} className={css['note']}>
        {reason ?? help}
      </p>
      {problem !== undefined && <ProblemBox error={problem} />}
    </div>
  )
}
