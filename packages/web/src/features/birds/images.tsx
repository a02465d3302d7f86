// Whole machines for VMware and Hyper-V, and the second disk that tells one where it belongs: links that last an hour.
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useWhyNot } from '../../can.ts'
import { Button } from '../../kit/button.tsx'
import { Command } from '../../kit/command.tsx'
import { ProblemBox } from '../../kit/problem-box.tsx'
import { TextField } from '../../kit/text-field.tsx'
import { links } from '../../links.ts'
import { Problem } from '../../problem.ts'
import { sessionQuery } from '../../session/session-query.ts'
import css from './birds.module.css'
import { enrolmentsQuery } from './queries.ts'
import { birdWords } from './words.ts'

const { images: said } = birdWords

interface Made {
  readonly name: string
  readonly link: string
  readonly ends: string
}

export function Images() {
  const queries = useQueryClient()
  const [version, setVersion] = useState(useSuspenseQuery(sessionQuery).data.console.version)
  const mayNot = useWhyNot('images', 'vmaDownload')
  const [made, setMade] = useState<Made | undefined>()
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const make = async (work: () => Promise<Made>) => {
    setBusy(true)
    setMade(undefined)
    setProblem(undefined)
    try {
      setMade(await work())
    } catch (failed) {
      setProblem(failed)
    }
    setBusy(false)
  }
  const seed = async (name: string, operation: 'vmaSeed' | 'vmbSeed'): Promise<Made> => {
    const { seedlink, expires_std } = await call('images', operation, { version })
    void queries.invalidateQueries({ queryKey: enrolmentsQuery.queryKey })
    return { name, link: seedlink, ends: expires_std }
  }
  const image = async (format: 'ova' | 'vmx' | 'zip'): Promise<Made> => {
    const { link, filename, expires_std } =
      format === 'zip'
        ? await call('images', 'vmbDownload', { version, format })
        : await call('images', 'vmaDownload', { version, format })
    return { name: filename, link, ends: expires_std }
  }
  const ways: readonly (readonly [string, () => Promise<Made>])[] = [
    [said.ova, () => image('ova')],
    [said.vmx, () => image('vmx')],
    [said.vhdx, () => image('zip')],
    [said.vmwareSeed, () => seed(said.vmwareSeed, 'vmaSeed')],
    [said.hypervSeed, () => seed(said.hypervSeed, 'vmbSeed')],
  ]
  return (
    <section className={css['part']} aria-label={said.title}>
      <h2>{said.title}</h2>
      <p className={css['quiet']}>{said.lead}</p>
      <div className={css['number']}>
        <TextField
          label={said.version}
          value={version}
          onChange={({ target }) => setVersion(target.value.trim())}
        />
      </div>
      <div className={css['row-of']}>
        {ways.map(([name, work]) => (
          <Button
            key={name}
            reason={mayNot ?? (version === '' ? said.version : undefined)}
            aria-busy={isBusy || undefined}
            onClick={() => void make(work)}
          >
            {name}
          </Button>
        ))}
      </div>
      {problem !== undefined && <ProblemBox error={problem} />}
      {problem instanceof Problem && problem.code === 'conflict' && (
        <>
          <Command label={said.build} command={buildOf(location.origin)} />
          <Command label={said.add} command={`rookery image add /tmp/rookery-bird-${version}.ova`} />
        </>
      )}
      {made && (
        <div role="status" className={css['part']}>
          <p>
            <a href={links.download(made.link)}>{said.download(made.name)}</a> {said.ends(made.ends)}
          </p>
          <Command label={said.link} command={made.link} />
        </div>
      )}
    </section>
  )
}

const buildOf = (consoleUrl: string): string =>
  [
    'apt-get install mmdebstrap e2fsprogs mtools syslinux syslinux-common qemu-utils',
    `npx rookery image build --out images --console ${consoleUrl}`,
  ].join('\n')
