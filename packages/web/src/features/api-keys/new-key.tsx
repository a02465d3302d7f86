import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField } from '../../kit/form-fields.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { Problem } from '../../problem.ts'
import css from './keys.module.css'
import type { Key } from './queries.ts'
import { keyWords as said } from './words.ts'

const TYPES = ['read-only', 'analyst', 'admin', 'indicators'] as const
const FIELDS = ['note', 'allowed_ip_ranges', 'expires'] as const

export function NewKey({ onMade }: { readonly onMade: (key: Key) => void }) {
  const [type, setType] = useState<(typeof TYPES)[number]>('read-only')
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    // A form sent twice makes one key.
    if (isBusy) return
    const form = event.currentTarget
    const given = new FormData(form)
    const textOf = (name: string): string => String(given.get(name)).trim()
    setBusy(true)
    setProblem(undefined)
    try {
      const { global_api_key } = await call('apiKeys', 'add', {
        auth_token_type: type,
        note: textOf('note'),
        ...(textOf('allowed_ip_ranges') && { allowed_ip_ranges: textOf('allowed_ip_ranges') }),
        ...(textOf('expires') && { expires: `${textOf('expires')}-00:00:00` }),
      })
      form.reset()
      setType('read-only')
      onMade(global_api_key)
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  const details = problem instanceof Problem ? problem.details : {}
  const isOnField = FIELDS.some((name) => details[name] !== undefined)
  return (
    <section>
      <h2>{said.make}</h2>
      <form className={css['form']} onSubmit={(event) => void submit(event)}>
        <TextField
          label={said.note}
          name="note"
          required
          maxLength={10_000}
          help={said.noteHelp}
          error={details['note']}
        />
        <SelectField
          label={said.type}
          value={type}
          help={said.means[type]}
          onChange={(event) => setType(event.target.value as typeof type)}
        >
          {TYPES.map((it) => (
            <option key={it} value={it}>
              {said.types[it]}
            </option>
          ))}
        </SelectField>
        <TextField
          label={said.addresses}
          name="allowed_ip_ranges"
          autoComplete="off"
          help={said.addressesHelp}
          error={details['allowed_ip_ranges']}
        />
        <TextField
          label={said.expires}
          name="expires"
          type="date"
          help={said.expiresHelp}
          error={details['expires']}
        />
        <p>
          <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
            {said.make}
          </Button>
        </p>
      </form>
      {problem !== undefined && !isOnField && <ProblemBox error={problem} />}
    </section>
  )
}
