// Tools of intruders, run at the product: what each prints, and what is reported of it.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { missing, type Stage } from './proof.ts'
import { run } from './command.ts'
import { incidentWith } from './incidents.ts'
import { listens } from './listens.ts'
import { startProduct, type Product } from './product.ts'

export const PYTHON = '/usr/bin/python3'

export interface ReportedTool {
  readonly command: readonly [program: string, ...args: readonly string[]]
  /** Besides the program: modules of Python, by the names of their packages. */
  readonly needs?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** What the tool must say. */
  readonly says: readonly RegExp[]
  /** What is reported; nothing when the tool does not log in. */
  readonly incident?: { readonly logtype: string; readonly fields: Readonly<Record<string, unknown>> }
}

/** Runs tools at a product whose Bird has these settings, once it listens at the ports. */
export async function showDecoys(
  settings: Readonly<Record<string, unknown>>,
  ports: readonly number[],
  tools: readonly ReportedTool[],
  { folder, ...stage }: Pick<Stage, 'folder' | 'say' | 'skip'>,
): Promise<void> {
  const product = await startProduct(join(folder, 'product'), { ROOKERY_BIRD_PORT_OFFSET: '0' })
  const { status, text } = await product.console.post('/device/configure', {
    node_id: product.nodeId,
    merge: true,
    settings: JSON.stringify(settings),
  })
  assert.equal(status, 200, text)
  for (const port of ports) await listens(port)
  await showReported(tools, product, stage)
  await product.console.stop()
}

/** Runs those that are installed, one after the other, and names the others. */
export async function showReported(
  tools: readonly ReportedTool[],
  product: Product,
  { say, skip }: Pick<Stage, 'say' | 'skip'>,
): Promise<void> {
  for (const tool of tools) {
    const absent = missing([tool.command[0], ...(tool.needs ?? [])])
    if (absent === undefined) await show(tool, product, say)
    else skip(`${absent}: ${tool.command.join(' ')}`)
  }
}

async function show(
  { command, env, says, incident }: ReportedTool,
  product: Product,
  say: Stage['say'],
): Promise<void> {
  const [program, ...args] = command
  const { stdout, stderr } = await run(program, args, { patienceMs: 120_000, ...(env && { env }) })
  const said = stdout + stderr
  for (const expected of says) assert.match(said, expected, `${command.join(' ')} said: ${said}`)
  const [text = ''] = says[0]?.exec(said) ?? []
  const line = `${program.replace(/.*\//, '').padEnd(8)} ${text.replace(/\s+/g, ' ').slice(0, 90).trim()}`
  if (!incident) return say(`${line}: no login, no incident`)
  const { logtype, fields } = incident
  const { description } = await incidentWith(product.console, logtype, fields, product.nodeId)
  say(`${line}: ${logtype}, ${Object.keys(fields).length} keys right, from ${description.src_host}`)
}
