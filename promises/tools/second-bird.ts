// A Bird of its own joins a console: by hand with six words compared, and by an enrolment code without.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DECOY_PORTS } from '../rig/scenes/local-bird.ts'
import { freeOffset } from '../../tools/free-port.ts'
import { startBird, type RunningCommand } from './lib/bird.ts'
import { rookery } from './lib/command.ts'
import { incidentWith } from './lib/incidents.ts'
import { startProduct, type Product } from './lib/product.ts'
import { redis } from './lib/touch.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

interface Pending {
  readonly id: string
  readonly pairing_phrase: string
}

const pending = async ({ console }: Product): Promise<readonly Pending[]> =>
  (await console.get('/devices/commission/pending')).json['devices'] as readonly Pending[]

/** Waits until its decoys listen, touches one, and answers the node id of the incident. */
async function touched(
  product: Product,
  bird: RunningCommand,
  offset: number,
  mark: string,
): Promise<string> {
  const nodeId = await until(
    'the Bird stands',
    () => /Bird ([0-9a-f]+) is running on .*, open ports: .*redis/.exec(bird.said())?.[1],
  )
  await redis(6379 + offset, `ECHO ${mark}`)
  await incidentWith(product.console, '21001', { CMD: 'ECHO', ARGS: mark }, nodeId)
  return nodeId
}

const proof: Proof = {
  title: 'a second Bird shows up as pending, works after device/commission, and joins by a code alone',
  limitMs: 90_000,
  async prove({ folder, say }) {
    const product = await startProduct(folder, { ROOKERY_LOG: 'info' })
    const url = `http://127.0.0.1:${product.console.port}`
    const envOf = async (name: string) => ({
      ROOKERY_DATA_DIR: join(folder, name),
      ROOKERY_BIRD_PORT_OFFSET: String(await freeOffset(DECOY_PORTS)),
    })

    const second = await envOf('second')
    const bird = startBird(['--console', url], second)
    const waiting = await until('it is pending', async () => (await pending(product))[0])
    const words = await until('it shows its words', () => /Compare the words: (.+)/.exec(bird.said())?.[1])
    assert.equal(words, waiting.pairing_phrase, 'The Bird and the pending list show different words.')
    say(`pending as ${waiting.id}: ${words}`)
    const { status, text } = await product.console.post('/device/commission', { node_id: waiting.id })
    assert.equal(status, 200, text)
    const nodeId = await touched(product, bird, Number(second.ROOKERY_BIRD_PORT_OFFSET), 'commissioned')
    assert.equal(nodeId, waiting.id)
    say(`commissioned: a touch of it is an incident of ${nodeId}`)

    const code = (await rookery(['enrol'], { ROOKERY_DATA_DIR: product.console.dataDir })).trim()
    const third = await envOf('third')
    const enrolled = startBird(['--console', url, '--enrol', code], third)
    const itsId = await touched(product, enrolled, Number(third.ROOKERY_BIRD_PORT_OFFSET), 'enrolled')
    assert.deepEqual(await pending(product), [])
    say(`enrolled by a code: a touch of it is an incident of ${itsId}`)

    assert.equal(new Set([product.nodeId, nodeId, itsId]).size, 3)
    assert.deepEqual([await bird.stop(), await enrolled.stop()], [0, 0])
    await product.console.stop()
  },
}

export default proof
