// Opens decoys to try tools on: `node test/serve.ts redis.enabled=true redis.port=6379 …`, with the settings to change.
// Listens on 127.0.0.1, or DECOYS_BIND. Prints every event as a line of JSON unless DECOYS_QUIET is set.
import { randomBytes } from 'node:crypto'
import { descriptors } from '../src/descriptors.gen.ts'
import { openHost } from '../src/host/host.ts'
import { services } from '../src/services.gen.ts'
import { defaultSettings } from './default-settings.ts'
import { checkSettings, settingDescriptors } from '../src/settings/settings.ts'
import { deriveFrom, SERVED_BIRD } from './session-context.ts'
import { realClock } from './test-host.ts'

const known = settingDescriptors(descriptors)
const changes = process.argv.slice(2).map((argument): [string, unknown] => {
  const [key = '', text = ''] = argument.split('=', 2)
  const type = known[key]?.type
  return [key, type === 'text' || type === 'choice' ? text : JSON.parse(text)]
})
const settings = defaultSettings(descriptors, { 'device.name': 'Bird', ...Object.fromEntries(changes) })
const reasons = checkSettings(descriptors, settings)
if (Object.keys(reasons).length > 0) throw new Error(`Settings cannot be used: ${JSON.stringify(reasons)}`)

let events = 0
const isQuiet = process.env['DECOYS_QUIET'] !== undefined
const host = openHost({
  bind: process.env['DECOYS_BIND'] ?? '127.0.0.1',
  portOffset: 0,
  clock: realClock,
  random: { bytes: (length) => randomBytes(length) },
  derive: deriveFrom(SERVED_BIRD),
  emit(touches) {
    events += touches.length
    if (!isQuiet) for (const touch of touches) console.log(JSON.stringify(touch))
  },
})
await host.apply(Object.values(services).flatMap((service) => service.listeners(settings)))
console.error(
  host
    .listening()
    .map(({ instance, boundPort }) => `${instance} at ${boundPort}`)
    .join(', '),
)
// The judge asks how often a session threw.
process.on('message', (id: number) => {
  const { errors, lastError } = host.stats
  process.send?.({ id, errors, lastError })
})
process.once('SIGTERM', () => {
  const megabytes = Math.round(process.memoryUsage().rss / 1e6)
  console.error(`${events} events`, JSON.stringify(host.stats), `${megabytes} MB`)
  void host.close().then(() => process.exit(0))
})
