// A Bird of its own process, as `rookery bird` runs it, but without the delays that refusals have, and with SSH's key
// exchanges unlimited. Arguments: console, data directory, port offset, memory saver (on or off).
import { runBird } from '@rookery/bird/run-bird.ts'
import { saveBirdsMemory } from '@rookery/cli/memory-saver.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { exchangeBudget } from '@rookery/decoys/services/ssh/protocol/exchange-budget.ts'
import { sshService } from '@rookery/decoys/services/ssh/ssh-service.ts'
import { services } from '@rookery/decoys/services.gen.ts'
import type { Reply, Service, Session, SessionRunner } from '@rookery/decoys/session/session.ts'

const [consoleUrl = '', dataDir = '', offset = '', saver = 'on'] = process.argv.slice(2)
if (saver === 'on') saveBirdsMemory()

/** In place: a copy of each reply would be measured, too. */
function atOnce(reply: Reply): Reply {
  const { delayMs, later } = reply
  if (delayMs) Object.assign(reply, { delayMs: 0 })
  if (later) Object.assign(reply, { later: () => later().then(atOnce) })
  return reply
}

function allAtOnce(replies: readonly Reply[]): readonly Reply[] {
  for (const reply of replies) atOnce(reply)
  return replies
}

const withoutDelays =
  (start: SessionRunner): SessionRunner =>
  (context) => {
    const session = start(context)
    return Object.create(session, {
      receive: { value: (bytes: Buffer) => allAtOnce(session.receive(bytes)) },
      resume: { value: () => allAtOnce(session.resume()) },
    }) as Session
  }

const hasty = (service: Service): Service => ({
  ...service,
  listeners: (settings) =>
    service.listeners(settings).map((listener) => ({
      ...listener,
      startSession: withoutDelays(listener.startSession),
    })),
})

const UNLIMITED = { perSource: 1_000_000, perBird: 1_000_000 }
const ssh = sshService(exchangeBudget(UNLIMITED), 0)

const bird = await runBird({
  consoleUrl,
  dataDir,
  bind: '127.0.0.1',
  portOffset: Number(offset),
  services: {
    ...Object.fromEntries(Object.entries(services).map(([name, service]) => [name, hasty(service)])),
    ssh,
  },
  descriptors,
  log: (level, message) => void (level === 'error' && process.stderr.write(`${message}\n`)),
  maxBackoffMs: 60_000,
})
process.on('message', () => process.send?.({ spooled: bird.state().spooled }))
process.on('disconnect', () => void bird.stop().then(() => process.exit()))
