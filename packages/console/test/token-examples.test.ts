// The commands of docs/reference/token-kinds.md, as a newcomer copies them: each creates its kind, and each fires it.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { hostPort } from '../src/addresses/host-port.ts'
import { ownFolder } from './own-folder.ts'
import { ADMIN, openTestConsole, type TestConsole } from './test-console.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/reference/token-kinds.md'), 'utf8')
const all: readonly TokenDescriptor[] = descriptors
/** It would change this machine; `npm run proof -- tokens` fires these kinds in a network of their own. */
const NOT_RUN = ['sudo']

const isInstalled = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

/** Programs that are not run here. */
const lacking = ({ needs }: TokenDescriptor['example']): string[] =>
  needs.filter((it) => NOT_RUN.includes(it) || !isInstalled(it))

/** The lines of sh below a heading that begins so. */
function commandsBelow(heading: string): string {
  const [, section = ''] = page.split(`\n${heading}`)
  const [, commands = ''] = /\n```sh\n([^]*?)\n```/.exec(section.split('\n## ')[0] ?? '') ?? []
  return commands
}

/** The page is written for the ports of a fresh start. */
function forConsole(commands: string, { console }: TestConsole): string {
  const portOf = (address = ''): string => String(hostPort(address).port)
  return commands
    .replace('http://127.0.0.1:8080', console.apiUrl ?? '')
    .replace('$(cat data/admin.key)', ADMIN)
    .replace(/-p 8053\b/, `-p ${portOf(console.dnsAddress)}`)
    .replace(/-P 8306\b/, `-P ${portOf(console.mysqlAddress)}`)
    .replace(/port=8432\b/, `port=${portOf(console.postgresAddress)}`)
}

type Stage = 'creation' | 'touch'

const markOf = (kind: string, stage: Stage): string => `=== ${kind} ${stage}`
const MARKED = /^(=== .*)$/m

/** Marks stand before what each command says; a kind that was not created is not touched. */
function linesOf({ kind, name, example }: TokenDescriptor, rookery: TestConsole): readonly string[] {
  const commands = forConsole(commandsBelow(`## ${name} (\`${kind}\`)`), rookery)
  const [creation = '', ...touch] = commands.split('\n')
  const mark = (stage: Stage): string => `echo; echo '${markOf(kind, stage)}'`
  if (lacking(example).length > 0) return [mark('creation'), creation]
  const isCreated = `if grep -q '"decoytoken"' token.json; then`
  return [mark('creation'), creation, isCreated, mark('touch'), ...touch, 'fi']
}

/** What one shell says to the commands of the whole page, by mark. */
async function copyPage(rookery: TestConsole): Promise<ReadonlyMap<string, string>> {
  const lines = all.flatMap((about) => linesOf(about, rookery))
  const script = ['exec 2>&1', forConsole(commandsBelow('# Kinds of tokens'), rookery), ...lines].join('\n')
  const folder = openFolder()
  // LibreOffice runs once for each home.
  const options = { cwd: folder, timeout: 150_000, env: { ...process.env, HOME: folder } }
  const said = await new Promise<string>((resolve) => {
    execFile('sh', ['-c', script], options, (_error, stdout) => resolve(stdout))
  })
  const [, ...parts] = said.split(MARKED)
  return new Map(
    parts.flatMap((mark, at) => (at % 2 === 0 ? [[mark, (parts[at + 1] ?? '').trim()] as const] : [])),
  )
}

/** A folder with what the commands name: the checkout. */
function openFolder(): string {
  const folder = ownFolder()
  symlinkSync(join(root, 'packages'), join(folder, 'packages'))
  return folder
}

interface Creation {
  readonly decoytoken?: { readonly decoytoken: string }
  readonly message?: string
}

it('each kind is on the page; its first command creates it or names what its provider lacks, its second fires it', async () => {
  const rookery = await openTestConsole()
  const said = await copyPage(rookery)
  const { incidents } = await rookery.api.incidentQueries.all()
  const fired = new Set(
    incidents.flatMap(({ description }) => description.events.map((event) => event['decoytoken'])),
  )
  const outcomeOf = ({ kind }: TokenDescriptor): string => {
    const created = said.get(markOf(kind, 'creation')) || '{}'
    const { decoytoken, message = created } = JSON.parse(created) as Creation
    if (!decoytoken) return message
    const touched = said.get(markOf(kind, 'touch'))
    if (touched === undefined) return 'created'
    return fired.has(decoytoken.decoytoken) ? 'fired' : `silent: ${touched}`
  }
  const unconfigured = (provider: string): unknown =>
    expect.stringContaining(`The provider ${provider} is not configured: set ROOKERY_`)
  const expected = all.map(({ kind, example }) => [kind, lacking(example).length === 0 ? 'fired' : 'created'])
  expect(Object.fromEntries(all.map((about) => [about.kind, outcomeOf(about)]))).toEqual({
    ...Object.fromEntries(expected),
    'cloud-b-id': unconfigured('entra'),
    'credit-card': unconfigured('stripe'),
  })
})

it('the programs of this machine fire their kinds', ({ skip }) => {
  const absent = [...new Set(all.flatMap(({ example }) => lacking(example)))]
  // The report of the run names them.
  if (absent.length > 0) skip(`not run here: ${absent.join(', ')}`)
})

it('a file that the commands name is in the checkout, or the page asks for it', () => {
  const named = all.flatMap(({ example }) =>
    Object.values(example.settings).flatMap((value) => (value.startsWith('@') ? value.slice(1) : [])),
  )
  expect(named.length).toBeGreaterThan(0)
  const absent = named.filter((path) => !existsSync(join(root, path)))
  expect(absent.filter((path) => !page.includes(`Put a file of yours there as \`${path}\` first.`))).toEqual(
    [],
  )
})
