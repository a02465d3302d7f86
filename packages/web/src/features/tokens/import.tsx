// Many tokens from a CSV; the answer is a CSV of what was made.
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { callForFile } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { AreaField, Field } from '../../kit/form-fields.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { Prose } from '../../kit/prose.tsx'
import { saveFile } from '../../kit/save-file.ts'
import fieldCss from '../../kit/text-field.module.css'
import { links } from '../../links.ts'
import { Problem } from '../../problem.ts'
import { FlockField } from './new-token.tsx'
import css from './tokens.module.css'
import { sizeText, words } from './words.ts'

const MAX_BYTES = 8 * 1024 * 1024
const EXAMPLE =
  'kind,memo,placement\nhttp,Wiki page of the finance team,wiki/finance\ndns,Build server,/etc/hosts of build-3'

interface Answer {
  readonly blob: Blob
  readonly filename: string
  readonly tokens: number
}

export function ImportTokens() {
  const queries = useQueryClient()
  const reason = useWhyNot('tokens', 'createMany')
  const [problem, setProblem] = useState<unknown>()
  const [said, setSaid] = useState<string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<Answer | undefined>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const form = new FormData(event.currentTarget)
    const file = form.get('file')
    const csv = file instanceof File && file.size > 0 ? file : new Blob([String(form.get('text'))])
    setProblem(undefined)
    setAnswer(undefined)
    setSaid(
      csv.size === 0
        ? words.csv.none
        : csv.size > MAX_BYTES
          ? words.csv.tooLarge(sizeText(csv.size))
          : undefined,
    )
    if (csv.size === 0 || csv.size > MAX_BYTES) return
    setBusy(true)
    try {
      const flock_id = form.get('flock_id')
      const made = await callForFile('tokens', 'createMany', {
        csv: await csv.text(),
        ...(typeof flock_id === 'string' && { flock_id }),
      })
      setAnswer({ ...made, tokens: rowsOf(await made.blob.text()) })
      saveFile(made.blob, made.filename)
      void queries.invalidateQueries({ queryKey: ['tokens', 'search'] })
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={css['page']}>
      <p>
        <Link to={links.tokens}>← {words.list.title}</Link>
      </p>
      <PageHeading title={words.csv.title} of={words.list.title} />
      <p className={css['lead']}>{words.csv.lead}</p>
      <p className={css['lead']}>
        <Prose text={words.csv.columns} />
      </p>
      <form className={css['form']} onSubmit={(event) => void submit(event)}>
        <Field label={words.csv.file} error={said}>
          {(props) => (
            <input {...props} type="file" name="file" accept=".csv,text/csv" className={fieldCss['input']} />
          )}
        </Field>
        <AreaField label={words.csv.text} name="text" rows={6} placeholder={EXAMPLE} spellCheck={false} />
        <FlockField />
        <p>
          <Button type="submit" look="primary" reason={reason}>
            {isBusy ? words.csv.creating : words.csv.create}
          </Button>
        </p>
      </form>
      {problem !== undefined && <Refusal problem={problem} />}
      <div role="status">
        {answer && (
          <>
            <p>
              <strong>{words.csv.done(answer.tokens)}</strong> {words.csv.again}
            </p>
            <p className={css['tools']}>
              <Button onClick={() => saveFile(answer.blob, answer.filename)}>{words.csv.download}</Button>
              <Link to={links.tokens}>{words.token.back}</Link>
            </p>
          </>
        )}
      </div>
    </div>
  )
}

/** What is wrong, by line and column; a fault of another kind as everywhere. */
function Refusal({ problem }: { readonly problem: unknown }) {
  const rows = problem instanceof Problem ? Object.entries(problem.details) : []
  if (rows.length === 0) return <ProblemBox error={problem} />
  return (
    <div role="alert">
      <p>
        <strong>{words.csv.wrong(rows.length)}</strong>{' '}
        {problem instanceof Problem && <Evidence text={problem.message} />}
      </p>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{words.csv.where}</th>
            <th scope="col">{words.csv.what}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([where, what]) => (
            <tr key={where}>
              <td>{where}</td>
              <td>
                <Evidence text={what} canUnfold />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Rows behind the header; a quoted cell may hold line ends. */
function rowsOf(csv: string): number {
  const unquoted = csv.replaceAll(/"(?:[^"]|"")*"/g, '')
  return Math.max(0, unquoted.split('\n').filter((line) => line.trim() !== '').length - 1)
}
