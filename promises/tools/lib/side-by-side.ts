// Tools of intruders, run at a real server of Debian and at our decoy of it: what they print, and what is reported of it.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { REAL_HOST } from '../../../packages/decoys/test/real-server.ts'
import { isInstalled, realServers, startRealServer } from '../../../packages/decoys/test/real-servers.ts'
import { missing, type Stage } from './proof.ts'
import { run } from './command.ts'
import { incidentWith, unacknowledged } from './incidents.ts'
import { listens } from './listens.ts'
import { startProduct, type Product } from './product.ts'

/** Of the Bird alone: tools come from 127.0.0.1, and name it. */
const MACHINE = '127.0.0.3'

/** What two runs of one tool do not have in common, or two set-ups of one server; `^` and `$` are those of a line. */
export interface Mask {
  readonly name: string
  readonly pattern: RegExp
}

/** Of a scan itself, at any server. */
export const SCAN: readonly Mask[] = [
  { name: 'time', pattern: /^Starting .*|^Nmap done.*|^Ncrack done.*|^Hydra .* (?:starting|finished) at .*/ },
  { name: 'time', pattern: /(?<=^Host is up) \(.*latency\)/ },
]

export interface ComparedTool {
  readonly command: (host: string) => readonly string[]
  /** Besides the program: others, and modules of Python by the names of their packages. */
  readonly needs?: readonly string[]
  /** What it says of both. */
  readonly says: RegExp
  readonly masks?: readonly Mask[]
  /** In another order each time: compared as a set. */
  readonly isUnordered?: boolean
  /** The fields of an event that the tool raises. */
  readonly incident?: { readonly logtype: string; readonly fields: Readonly<Record<string, unknown>> }
}

export interface Comparison {
  readonly service: string
  readonly tools: (folder: string) => readonly ComparedTool[]
}

/** Starts both, each on the real port of an address of its own, and lets each tool ask both. */
export async function compareTools(
  { service, tools }: Comparison,
  { folder, say, skip }: Stage,
): Promise<void> {
  const server = realServers.find((it) => it.service === service)
  assert(server)
  if (!isInstalled(server)) return skip(`${server.debian} is not installed`)
  const own = join(folder, service)
  mkdirSync(own)
  const real = await startRealServer(server, own)
  const product = await startProduct(join(own, 'product'), {
    ROOKERY_BIRD_PORT_OFFSET: '0',
    ROOKERY_BIRD_BIND: MACHINE,
  })
  await listens(server.port, MACHINE)
  const different: string[] = []
  for (const tool of tools(own)) {
    const absent = missing([...tool.command('HOST').slice(0, 1), ...(tool.needs ?? [])])
    if (absent === undefined) different.push(...(await compare(tool, product, say)))
    else skip(`${service}: ${absent}`)
  }
  await product.console.stop()
  await real.stop()
  assert.deepEqual(different, [], 'printed another text of the decoy than of the real server')
}

/** Answers the line of the tool when the texts differ. */
async function compare(tool: ComparedTool, product: Product, say: Stage['say']): Promise<readonly string[]> {
  const [theirs, ours] = await Promise.all([printed(tool, REAL_HOST), printed(tool, MACHINE)])
  const line = tool.command('HOST').join(' ').slice(0, 110)
  if (ours.text !== theirs.text) {
    const [real, decoy] = [theirs.text.split('\n'), ours.text.split('\n')]
    say(`${line}: different`)
    for (const it of real.filter((it) => !decoy.includes(it))) say(`    real: ${it}`)
    for (const it of decoy.filter((it) => !real.includes(it))) say(`    ours: ${it}`)
    return [line]
  }
  const said = tool.says.exec(ours.text)?.[0]
  assert.ok(said !== undefined, `${line} said: ${ours.text}`)
  const touched = tool.incident && (await reported(tool.incident, product))
  // The next tool raises an incident of its own.
  for (const { id } of await unacknowledged(product.console))
    await product.console.post('/incident/acknowledge', { incident: id })
  const butFor = ours.masked.length > 0 ? ` but for ${ours.masked.join(', ')}` : ''
  const count = ours.text.split('\n').length
  say(
    `${line}\n    ${said.trim()}: ${count} lines equal${butFor}${touched === undefined ? '' : `; ${touched}`}`,
  )
  return []
}

interface Printed {
  readonly text: string
  /** Names of the masks that hid something. */
  readonly masked: readonly string[]
}

async function printed(
  { command, masks = [], isUnordered = false }: ComparedTool,
  host: string,
): Promise<Printed> {
  const [program = '', ...args] = command(host)
  const { stdout, stderr, code } = await run(program, args, { patienceMs: 200_000 })
  const said = (stdout + stderr).replaceAll(host, 'HOST').replaceAll('\r', '')
  const masked = new Set<string>()
  const text = [...SCAN, ...masks].reduce(
    (rest, { name, pattern }) =>
      rest.replace(new RegExp(pattern, 'gm'), () => {
        masked.add(name)
        return `<${name}>`
      }),
    said,
  )
  const lines = text.split('\n')
  const inOrder = isUnordered ? lines.map((line) => line.replace(/^\|_/, '| ')).sort() : lines
  return { text: `${inOrder.join('\n')}\nexit ${code}`, masked: [...masked] }
}

async function reported(
  { logtype, fields }: NonNullable<ComparedTool['incident']>,
  { console, nodeId }: Product,
): Promise<string> {
  const { description } = await incidentWith(console, logtype, fields, nodeId)
  return `${logtype} with ${Object.keys(fields).join(', ')} from ${description.src_host}`
}
