// Each service has what shows that its decoy is believable: no service is added without.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf, realServers } from './real-servers.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { serviceFolders } from './service-folders.ts'
import { transcripts } from '../lab/smb/windows/transcript.ts'

const SERVICES = new URL('../src/services/', import.meta.url)
const LAB = new URL('../lab/', import.meta.url)
const SUBJECTS = new URL('../../../promises/tools/', import.meta.url)

interface Elsewhere {
  /** Why nothing is recorded. */
  readonly recorded?: string
  /** The proof that shows it, where it is not compared with a real server by `decoys`. */
  readonly proof?: string
}

/** A reason or a proof that covers nothing is a failure. */
const ELSEWHERE: Readonly<Record<string, Elsewhere>> = {
  dbsrv_a: { proof: 'sql-server' },
  modbus: { recorded: 'no real controller was there', proof: 'modbus' },
  portscan: { recorded: 'it answers nothing', proof: 'portscan' },
  tcpbanner: { recorded: 'it says what its settings say', proof: 'tcpbanner' },
  sip: { recorded: 'no real Asterisk was there', proof: 'sip' },
}

const cases = serviceFolders.map((one) => ({ ...one, elsewhere: ELSEWHERE[one.service] ?? {} }))

test('only services are excused', () => {
  expect(
    Object.keys(ELSEWHERE).filter((name) => !descriptors.some(({ service }) => service === name)),
  ).toEqual([])
})

test.each(cases)('$service says in its README what it claims', ({ folder }) => {
  expect(readFileSync(new URL(`${folder}/README.md`, SERVICES), 'utf8').length).toBeGreaterThan(500)
})

test.each(cases)('$service has recorded answers, or says why not', ({ folder, elsewhere }) => {
  const recorded = globSync(`${folder}/*/*.{json,jsonl}`, { cwd: LAB.pathname })
  expect(recorded.length > 0).toBe(elsewhere.recorded === undefined)
})

test.each(cases)('$service is tried with changed bytes', ({ folder }) => {
  expect(existsSync(new URL(`${folder}/mutations.test.ts`, LAB))).toBe(true)
})

test.each(cases)('$service is shown by a proof', ({ service, elsewhere: { proof } }) => {
  expect(realServers.some((server) => server.service === service)).toBe(proof === undefined)
  if (proof) expect(existsSync(new URL(`${proof}.ts`, SUBJECTS))).toBe(true)
})

test('a server whose patience is that of another one names one that is tried', () => {
  const tried = realServers.filter(({ enduresAs }) => enduresAs === undefined).map(nameOf)
  for (const { enduresAs } of realServers) if (enduresAs !== undefined) expect(tried).toContain(enduresAs)
})

/** Answers, flights, probes or exchanges that are recorded in the folder of a product. */
function recordedIn(folder: string): number {
  if (folder === 'smb/windows')
    return transcripts()
      .flatMap(([, { conversations }]) => conversations)
      .reduce((sum, { exchanges }) => sum + exchanges.length, 0)
  const files = globSync(`${folder}/{answers.json,*.jsonl}`, { cwd: LAB.pathname })
  return files
    .map((file) => readFileSync(new URL(file, LAB), 'utf8'))
    .map((text, at) =>
      files[at]!.endsWith('.jsonl')
        ? text.trim().split('\n').length
        : Object.keys(JSON.parse(text) as object).length,
    )
    .reduce((sum, count) => sum + count, 0)
}

const products = [
  ...new Set(globSync('*/*/*.{json,jsonl}', { cwd: LAB.pathname }).map((file) => dirname(file))),
].sort()

test.each(products)('lab/%s holds at least 300 recorded answers', (folder) => {
  expect(recordedIn(folder)).toBeGreaterThanOrEqual(300)
})
