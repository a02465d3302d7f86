// Would a touch be ignored, and by which line? What is asked stands in the address.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Evidence } from '../../kit/evidence.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import type { IgnoreSearch } from '../../links.ts'
import { Problem } from '../../problem.ts'
import birds from '../birds/birds.module.css'
import { FlockSelect } from '../birds/flock-select.tsx'
import css from './ignore.module.css'
import { ignoreWords } from './words.ts'

const { page: said } = ignoreWords

interface Verdict {
  readonly isIgnored: boolean
  /** Which list has the line; the names are of the console alone. */
  readonly by: 'flock' | 'console' | 'names' | undefined
  readonly entry: string
  /** The line is there, but its list is off. */
  readonly isOff: boolean
}

export function Probe({ search }: { readonly search: IgnoreSearch }) {
  const { address, port, name, flock } = search
  const navigate = useNavigate()
  const [asked, setAsked] = useState(flock ?? '')
  const { data, error, refetch } = useQuery({
    queryKey: ['consoleIgnoreLists', 'probe', address, port, name, flock],
    queryFn: ({ signal }) => probe(search, signal),
    enabled: address !== undefined || name !== undefined,
    retry: false,
  })
  const details = error instanceof Problem ? error.details : {}
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const text = (field: string) => String(given.get(field) ?? '').trim() || undefined
    const next = {
      address: text('address'),
      port: text('port'),
      name: text('name'),
      flock: asked || undefined,
    }
    void navigate({ to: '/ignore', search: (before) => ({ ...before, ...next }), replace: true })
    void refetch()
  }
  return (
    <section className={birds['part']}>
      <h2>{said.probeLead}</h2>
      <form className={css['form']} aria-label={said.probe} onSubmit={submit}>
        <TextField label={said.address} name="address" defaultValue={address} error={details['src_ip']} />
        <TextField
          label={said.port}
          name="port"
          inputMode="numeric"
          defaultValue={port}
          error={details['dst_port']}
        />
        <TextField label={said.name} name="name" defaultValue={name} error={details['hostname']} />
        <FlockSelect label={said.probeFlock} any={said.ofConsole} value={asked} onChange={setAsked} />
        <Button type="submit" look="primary">
          {said.probe}
        </Button>
      </form>
      {error && Object.keys(details).length === 0 && (
        <ProblemBox error={error} onRetry={() => void refetch()} />
      )}
      {data && (
        <p role="status" className={css['verdict']}>
          <Said verdict={data} />
        </p>
      )}
    </section>
  )
}

function Said({ verdict: { isIgnored, by, entry, isOff } }: { readonly verdict: Verdict }) {
  const line = entry !== '' && (
    <code>
      <Evidence text={entry} />
    </code>
  )
  if (isIgnored)
    return (
      <>
        <strong>{said.ignored}</strong>{' '}
        {by === 'names' ? said.byNames : by === 'flock' ? said.byFlock : said.byConsole} {line}
      </>
    )
  return (
    <>
      <strong>{said.raised}</strong> {by !== undefined && (isOff ? said.isOff : said.partly)} {line}
    </>
  )
}

async function probe({ address, port, name, flock }: IgnoreSearch, signal: AbortSignal): Promise<Verdict> {
  const byAddress = address === undefined ? undefined : await ofAddress(address, port, flock, signal)
  if (byAddress?.isIgnored || name === undefined) return byAddress ?? NOTHING
  const { is_hostname_whitelisted: isListed, is_whitelist_enabled: isOn } = await call(
    'consoleIgnoreLists',
    'isHostNameIgnored',
    { hostname: name },
    signal,
  )
  if (!isListed) return byAddress ?? NOTHING
  return { isIgnored: isOn, by: 'names', entry: isOn ? '' : name, isOff: !isOn }
}

const NOTHING: Verdict = { isIgnored: false, by: undefined, entry: '', isOff: false }

async function ofAddress(
  src_ip: string,
  port: string | undefined,
  flock_id: string | undefined,
  signal: AbortSignal,
): Promise<Verdict> {
  const dst_port = port === undefined ? undefined : Number(port)
  const said = flock_id
    ? // Without a port, a line for one port alone does not count: no touch has port 0.
      await call('flockIgnoreLists', 'isIgnored', { flock_id, src_ip, dst_port: dst_port ?? 0 }, signal)
    : await call(
        'consoleIgnoreLists',
        'isIpIgnored',
        { src_ip, ...(dst_port !== undefined && { dst_port }) },
        signal,
      )
  const isListed = 'is_whitelisted' in said ? said.is_whitelisted : said.is_ip_ignored
  const { is_whitelist_enabled: isOn, matched_entry: entry, matched_list: list } = said
  return {
    isIgnored: isListed && isOn,
    by: entry === '' ? undefined : list === 'flock' ? 'flock' : 'console',
    entry,
    isOff: !isOn,
  }
}
