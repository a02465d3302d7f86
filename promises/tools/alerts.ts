// One alert for each incident, signed; none missing when the receiver is down and the console dies meanwhile.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { incidentWith } from './lib/incidents.ts'
import { startAgain, startProduct, type Product } from './lib/product.ts'
import { openCheckingReceiver, type CheckingReceiver, type Delivery } from './lib/receiver.ts'
import { redis } from './lib/touch.ts'
import { until } from './lib/until.ts'
import type { Proof } from './lib/proof.ts'

/** Each address is a source, each source an incident; answers the incidents' ids. */
async function touchFrom(
  { console, port }: Product,
  addresses: readonly string[],
): Promise<readonly string[]> {
  for (const address of addresses) await redis(port(6379), `ECHO ${address}`, address)
  const incidents = addresses.map((address) => incidentWith(console, '21001', { ARGS: address }))
  return (await Promise.all(incidents)).map(({ id }) => id)
}

async function register({ console }: Product, receiver: CheckingReceiver): Promise<void> {
  const flock = { flock_id: 'flock:default' }
  const added = await console.post('/flock/settings/webhooks/generic/add', { ...flock, url: receiver.url })
  assert.equal(added.status, 200, added.text)
  receiver.trust(String(added.json['secret']))
  await console.post('/flock/settings/webhooks/enable', flock)
}

const taken = ({ deliveries }: CheckingReceiver): Delivery[] =>
  deliveries.filter(({ status }) => status === 204)

/** Waits until each incident's alert was taken. */
const allTaken = (
  receiver: CheckingReceiver,
  incidents: readonly string[],
  patienceMs: number,
): Promise<true> =>
  until(
    `an alert of each of ${incidents.length} incidents`,
    () => {
      const alerted = new Set(taken(receiver).map(({ incident }) => incident))
      return incidents.every((id) => alerted.has(id)) || undefined
    },
    patienceMs,
  )

const proof: Proof = {
  title: 'a receiver gets one signed alert an incident; none is missing after its outage and a SIGKILL',
  limitMs: 120_000,
  async prove({ folder, say }) {
    const receiver = await openCheckingReceiver()
    const product = await startProduct(folder, { ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8' })
    await register(product, receiver)

    const quiet = await touchFrom(product, ['127.0.1.1', '127.0.1.2', '127.0.1.3', '127.0.1.4', '127.0.1.5'])
    await allTaken(receiver, quiet, 5_000)
    // More of the same is the same incident, and no news.
    await touchFrom(product, ['127.0.1.1', '127.0.1.2'])
    await wait(1_000)
    assert.equal(receiver.deliveries.length, quiet.length)
    say(`${receiver.deliveries.length} alerts of ${quiet.length} incidents`)

    receiver.answerWith(500)
    const during = await touchFrom(product, ['127.0.2.1', '127.0.2.2', '127.0.2.3'])
    await until('a try that fails', () => receiver.deliveries.find(({ status }) => status === 500))
    await product.console.kill()
    const again = await startAgain(product.options)
    const after = await touchFrom(again, ['127.0.3.1', '127.0.3.2'])
    receiver.answerWith(204)
    await allTaken(receiver, [...during, ...after], 30_000)
    await wait(1_000)

    const all = [...quiet, ...during, ...after]
    const failed = receiver.deliveries.length - taken(receiver).length
    say(
      `${taken(receiver).length} alerts of ${all.length} incidents taken, ${failed} tries refused meanwhile`,
    )
    assert.ok(
      receiver.deliveries.every(({ isSigned }) => isSigned),
      'A signature is wrong.',
    )
    assert.deepEqual(
      taken(receiver)
        .map(({ incident }) => incident)
        .sort(),
      [...all].sort(),
    )
    const ids = new Map<string, Set<string>>()
    for (const { incident, webhookId } of receiver.deliveries)
      ids.set(incident, (ids.get(incident) ?? new Set()).add(webhookId))
    assert.ok(
      [...ids.values()].every((it) => it.size === 1),
      'A repeat came under another webhook-id.',
    )
    assert.equal(new Set(receiver.deliveries.map(({ webhookId }) => webhookId)).size, all.length)
    await again.console.stop()
    receiver.stop()
  },
}

export default proof
