// A new Bird: what it claims to be, a code with which it comes by itself, and how far each Bird that came has got.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call, type AnswerOf } from '../../api/call.ts'
import { useFirstFlock, useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { ErrorBoundary } from '../../kit/error-boundary.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { exactTime } from '../../kit/age.tsx'
import { Loading } from '../../kit/loading.tsx'
import { PageHeading } from '../../kit/page-heading.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { useZone } from '../../me/preferences.ts'
import { Problem } from '../../problem.ts'
import { now } from '../../world.ts'
import { Arrivals } from './arrivals.tsx'
import css from './birds.module.css'
import { FlockSelect } from './flock-select.tsx'
import { Images } from './images.tsx'
import { OpenCodes } from './open-codes.tsx'
import { enrolmentsQuery, personalitiesQuery, type Personality } from './queries.ts'
import { birdWords } from './words.ts'

type Code = AnswerOf<'enrolments', 'create'> & { readonly flock: string; readonly endsAtS: number }

export function NewBirdPage() {
  const [look, setLook] = useState('default')
  const [code, setCode] = useState<Code | undefined>()
  return (
    <div className={css['page']}>
      <p>
        <Link to="/birds">← {birdWords.title}</Link>
      </p>
      <PageHeading title={birdWords.newTitle} />
      <ErrorBoundary>
        <Looks chosen={look} onChoose={setLook} />
      </ErrorBoundary>
      <ErrorBoundary>
        <Enrol code={code} onCode={setCode} />
      </ErrorBoundary>
      {code && (
        <ErrorBoundary>
          <Arrivals key={code.enrolment_id} flock={code.flock} look={look} />
        </ErrorBoundary>
      )}
      <ErrorBoundary>
        <Images />
      </ErrorBoundary>
      <ErrorBoundary>
        <OpenCodes />
      </ErrorBoundary>
    </div>
  )
}

interface LooksProps {
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

function Looks({ chosen, onChoose }: LooksProps) {
  const { data, error, isPending, refetch } = useQuery(personalitiesQuery)
  const shown = data?.personalities.find(({ name }) => name === chosen)
  return (
    <fieldset className={css['part']}>
      <legend>{birdWords.make.look}</legend>
      <p className={css['quiet']}>{birdWords.make.lookLead}</p>
      {error && <ProblemBox error={error} onRetry={() => void refetch()} />}
      {isPending && <Loading rows={3} />}
      <div className={css['cards']}>
        {data?.personalities.map(({ name, title, description }) => (
          <label key={name} className={css['card']}>
            <span className={css['choice']}>
              <input
                type="radio"
                name="look"
                value={name}
                checked={name === chosen}
                onChange={() => onChoose(name)}
              />
              <strong>
                <Evidence text={title} />
              </strong>
            </span>
            <span className={css['quiet']}>
              <Evidence text={description} />
            </span>
          </label>
        ))}
      </div>
      {shown && <Scan personality={shown} />}
    </fieldset>
  )
}

/** As `nmap -sV` prints it, in columns. */
function Scan({ personality }: { readonly personality: Personality }) {
  const rows = personality.scan.map(({ port, service, scan_line }) => {
    const [where = '', state = '', name = '', ...version] = (scan_line || `${port} open ${service}`).split(
      ' ',
    )
    return [where, state, name, version.join(' ')]
  })
  const all = [birdWords.make.portsHead.split(' '), ...rows]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return (
    <>
      <h2>{birdWords.make.ports}</h2>
      <pre className={css['scan']} tabIndex={0} aria-label={birdWords.make.ports} role="region">
        {all.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n')}
      </pre>
    </>
  )
}

interface EnrolProps {
  readonly code: Code | undefined
  readonly onCode: (code: Code) => void
}

function Enrol({ code, onCode }: EnrolProps) {
  const queries = useQueryClient()
  const zone = useZone()
  const [flock, setFlock] = useState(useFirstFlock())
  const reason = useWhyNot('enrolments', 'create', [flock])
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const details = problem instanceof Problem ? problem.details : {}
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const given = new FormData(event.currentTarget)
    const minutes = Math.round(Number(given.get('hours')) * 60)
    setBusy(true)
    setProblem(undefined)
    try {
      const made = await call('enrolments', 'create', {
        flock_id: flock,
        uses: Number(given.get('uses')),
        minutes,
      })
      onCode({ ...made, flock, endsAtS: Math.floor(now() / 1000) + minutes * 60 })
      void queries.invalidateQueries({ queryKey: enrolmentsQuery.queryKey })
    } catch (failed) {
      setProblem(failed)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className={css['part']}>
      <h2>{birdWords.make.enrol}</h2>
      <form className={css['row-of']} onSubmit={(event) => void submit(event)}>
        <FlockSelect label={birdWords.flock} value={flock} onChange={setFlock} />
        <div className={css['number']}>
          <TextField
            label={birdWords.make.howMany}
            name="uses"
            type="number"
            min={1}
            max={10_000}
            defaultValue={1}
            required
            error={details['uses']}
          />
        </div>
        <div className={css['number']}>
          <TextField
            label={birdWords.make.hours}
            name="hours"
            type="number"
            min={1}
            max={8_784}
            defaultValue={24}
            required
            error={details['minutes']}
          />
        </div>
        <Button type="submit" look="primary" reason={reason} aria-busy={isBusy || undefined}>
          {birdWords.make.create}
        </Button>
      </form>
      {problem !== undefined && Object.keys(details).length === 0 && <ProblemBox error={problem} />}
      {code && (
        <div role="status" className={css['part']}>
          <p>
            <strong>{birdWords.make.once}</strong> {birdWords.make.ends(exactTime(code.endsAtS, zone))}
          </p>
          <Command label={birdWords.make.command} command={code.command} />
          <Command label={birdWords.make.deb} command={debCommand(code)} />
          <Command label={birdWords.make.code} command={code.code} />
        </div>
      )}
    </section>
  )
}

/** On a Debian, with the package. The console's address is that of the other command. */
function debCommand({ command, code }: Code): string {
  const url = /--console (\S+)/.exec(command)?.[1] ?? ''
  return [
    'dpkg -i rookery-bird_*.deb',
    `sed -i 's|^ROOKERY_CONSOLE=.*|ROOKERY_CONSOLE=${url}|' /etc/rookery/bird.conf`,
    `sed -i 's|^ROOKERY_ENROL=.*|ROOKERY_ENROL=${code}|' /etc/rookery/bird.conf`,
    'systemctl restart rookery-bird',
  ].join('\n')
}
