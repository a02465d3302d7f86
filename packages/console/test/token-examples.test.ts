// The commands of docs/reference/token-kinds.md, as a newcomer copies them: each creates its kind, and each fires it.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { program } from '@rookery/tokens/authenticode/testing/program.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { hostPort } from '../src/net/host-port.ts'
import { ADMIN, openTestConsole, type TestConsole } from './test-console.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/reference/token-kinds.md'), 'utf8')
const all: readonly TokenDescriptor[] = descriptors
/** They take seconds to start; `npm run proof -- tokens` fires these kinds by them. */
const SLOW_PROGRAMS = ['soffice', 'npm', 'kubectl']

const isInstalled = (name: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

/** Programs that are not run here. */
const lacking = ({ needs }: TokenDescriptor['example']): string[] =>
  needs.filter((it) => SLOW_PROGRAMS.includes(it) || !isInstalled(it))

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

function run(folder: string, script: string): Promise<string> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', script], { cwd: folder, timeout: 20_000 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

/** A folder with what the commands name: the checkout, and a program to sign. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rookery-examples-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'packages'), join(folder, 'packages'))
  writeFileSync(join(folder, 'setup.exe'), program())
  return folder
}

/** What became of the commands of a kind. */
async function outcomeOf({ kind, name, example }: TokenDescriptor, rookery: TestConsole): Promise<string> {
  const folder = openFolder()
  const preparation = forConsole(commandsBelow('# Kinds of tokens'), rookery)
  const [creation = '', ...touch] = forConsole(commandsBelow(`## ${name} (\`${kind}\`)`), rookery).split('\n')
  const created = await run(folder, `${preparation}\n${creation}`)
  const { decoytoken, message = created } = JSON.parse(created || '{}') as {
    decoytoken?: { decoytoken: string }
    message?: string
  }
  if (!decoytoken) return message
  if (lacking(example).length > 0) return 'created'
  const said = await run(folder, `${preparation}\n${touch.join('\n')}`)
  const { incidents } = await rookery.api.incidentQueries.all()
  const isFired = incidents.some(({ description }) =>
    description.events.some((event) => event['decoytoken'] === decoytoken.decoytoken),
  )
  return isFired ? 'fired' : `silent: ${touch.join(' ')}: ${said}`
}

const AT_ONCE = 8

it('each kind is on the page; its first command creates it or names what its provider lacks, its second fires it', async () => {
  const rookery = await openTestConsole()
  const outcomes: [string, string][] = []
  for (let at = 0; at < all.length; at += AT_ONCE)
    outcomes.push(
      ...(await Promise.all(
        all
          .slice(at, at + AT_ONCE)
          .map(async (about): Promise<[string, string]> => [about.kind, await outcomeOf(about, rookery)]),
      )),
    )
  const unconfigured = (provider: string): unknown =>
    expect.stringContaining(`The provider ${provider} is not configured: set ROOKERY_`)
  const expected = all.map(({ kind, example }) => [kind, lacking(example).length === 0 ? 'fired' : 'created'])
  expect(Object.fromEntries(outcomes)).toEqual({
    ...Object.fromEntries(expected),
    'cloud-b-id': unconfigured('entra'),
    'credit-card': unconfigured('stripe'),
  })
}, 60_000)
