// A running Bird: decoys, spool, settings and the link to its console, put together.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openHost } from '@rookery/decoys/host/host.ts'
import { hex } from '@rookery/kernel/ids.ts'
import type { Logtype } from '@rookery/kernel/logtype.ts'
import type { EventFields } from '@rookery/kernel/touch.ts'
import { NETWORK_ROLLBACK, SPOOL_OVERFLOW } from '@rookery/link/bird-logtypes.ts'
import { pairingPhrase, shortKeyHash } from '@rookery/link/pairing.ts'
import type { Bird, Ending, Phase } from './bird.ts'
import { linkUrl, wsCarrier } from './carrier/ws.ts'
import { commandRunner } from './commands.ts'
import { openIdentity, wipeIdentity } from './identity.ts'
import { useDirectory } from './directory.ts'
import { journal } from './journal.ts'
import { lockDirectory } from './lock.ts'
import { openMemory } from './memory.ts'
import type { BirdOptions, BirdState, RunningBird } from './options.ts'
import { rollbackFields } from './settings/rollback.ts'
import { bundleStore } from './settings/bundle.ts'
import { settingsKeeper } from './settings/keeper.ts'
import { openSpool, type NewEvent } from './spool/spool.ts'
import { talk, type BirdTalk } from './talk.ts'
import { trust } from './trust.ts'
import { uplink } from './uplink.ts'
import { systemClock, systemRandom } from './world.ts'

/**
 * Runs a Bird. Throws a Fault for what cannot work: a wrong address or enrolment code (`bad-input`), a data directory that cannot be used or is
 * damaged (`unavailable`) or belongs to another Bird that runs (`conflict`). A console that is away is no error: the decoys
 * of the last settings stand meanwhile, and their events wait.
 */
export async function runBird(options: BirdOptions): Promise<RunningBird> {
  const { clock = systemClock, random = systemRandom, log } = options
  const directory = resolve(options.dataDir)
  const url = linkUrl(options.consoleUrl)
  useDirectory(directory)
  const unlock = lockDirectory(directory)
  try {
    return await run()
  } catch (error) {
    unlock()
    throw error
  }

  async function run(): Promise<RunningBird> {
    let phase: Phase = 'connecting'
    let phrase: string | undefined
    let trouble: string | undefined
    let conversation: BirdTalk | undefined
    let bootId = hex(random, 32)
    let bootedAt = clock.monotonicMs()
    let localAddress = ''

    const { report, tellConsole } = journal(clock, log, (line) => conversation?.log(line) ?? false)
    const warn = (message: string): void => report('warning', message)

    const identity = openIdentity(directory, random)
    const memory = openMemory(directory, warn)
    const trusted = trust(options.consoleUrl, directory, memory, options.enrol)
    const store = bundleStore(directory, warn)
    const spool = openSpool({
      folder: join(directory, 'spool'),
      clock,
      random,
      report: warn,
      onOverflow: (DROPPED, CAP_BYTES) => ownEvent(SPOOL_OVERFLOW, 'spool', { DROPPED, CAP_BYTES }),
      onWritten: () => conversation?.wake(),
    })
    const monotonic = (): number => Math.floor(clock.monotonicMs() - bootedAt)
    const ownEvent = ({ logtype }: Logtype, instance: string, fields: EventFields): NewEvent => ({
      at: clock.now(),
      mono: monotonic(),
      boot: bootId,
      logtype,
      instance,
      srcHost: '',
      srcPort: -1,
      dstHost: localAddress,
      dstPort: -1,
      fields,
    })
    const host = openHost({
      bind: options.bind,
      portOffset: options.portOffset,
      clock,
      random,
      derive: (label, length) => identity.derive(label, length),
      emit(touch) {
        spool.append({ ...touch, mono: monotonic(), boot: bootId })
        conversation?.wake()
      },
    })
    const keeper = settingsKeeper({
      host,
      services: options.services,
      descriptors: options.descriptors ?? [],
      store,
      clock,
      report: warn,
      onChanged: () => options.onChange?.(state()),
      ...(options.trialMs !== undefined && { trialMs: options.trialMs }),
      onReverted(reverted) {
        const { erroneous, restored, reason } = reverted
        memory.remember({ reverted: { tag: erroneous.tag, seq: erroneous.seq, to: restored.tag, reason } })
        spool.append(ownEvent(NETWORK_ROLLBACK, 'rollback', rollbackFields(reverted, clock.now())))
        report('error', `Returned from settings ${erroneous.tag} to ${restored.tag}: ${reason}`)
        conversation?.reverted()
        conversation?.wake()
      },
    })

    const state = (): BirdState => ({
      phase,
      nodeId: memory.is.nodeId,
      deviceIdHash: shortKeyHash(identity.key.publicKey),
      pairingPhrase: phrase,
      trouble,
      settingsTag: keeper.current().tag,
      listening: host.listening(),
      spooled: spool.next() - 1 - spool.acknowledged(),
    })
    const enter = (next: Phase): void => {
      phase = next
      options.onChange?.(state())
    }

    async function showPhrase(): Promise<void> {
      const words = await pairingPhrase(identity.key.publicKey, Buffer.from(memory.is.consoleKey!, 'hex'))
      if (phase !== 'pending') return
      if (words !== phrase) {
        log(
          'info',
          `Waiting to be commissioned by ${options.consoleUrl}. Its pending list must show this Bird with the words: ${words}`,
        )
      }
      phrase = words
      enter('pending')
    }

    const { promise: ended, resolve: tellEnd } = Promise.withResolvers<Ending>()
    let ending: Promise<void> | undefined
    // A Bird that waits for its console has nothing else that keeps the process alive.
    const alive = setInterval(() => {}, 3_600_000)

    function end(how: Ending, reason: string): Promise<void> {
      ending ??= (async () => {
        log(how === 'revoked' ? 'error' : 'info', `This Bird stops: ${reason}`)
        const closed = host.close()
        up.stop(reason)
        await keeper.stop().catch(() => {})
        await closed
        await spool
          .flush()
          .catch((error: Error) => log('error', `The spool could not be synced: ${error.message}`))
        spool.close()
        if (how === 'decommissioned') wipe()
        clearInterval(alive)
        unlock()
        enter(how)
        tellEnd(how)
      })()
      return ending
    }

    function wipe(): void {
      wipeIdentity(directory)
      store.wipe()
      for (const name of ['memory.json', 'spool'])
        rmSync(join(directory, name), { recursive: true, force: true })
    }

    async function reboot(): Promise<void> {
      up.restart('rebooting')
      await host.apply([])
      bootId = hex(random, 32)
      bootedAt = clock.monotonicMs()
      await keeper.start()
    }

    const bird: Bird = {
      spool,
      keeper,
      memory,
      clock,
      clocks: () => ({ wallMs: clock.now(), monotonicMs: monotonic(), bootId }),
      enrolSecret: trusted.enrolSecret,
      dropEnrolment() {
        report(
          'error',
          'The console did not accept the enrolment code. This Bird goes on without it, and waits to be commissioned.',
        )
        trusted.dropEnrolment()
      },
      deviceName: () => keeper.setting('device.name'),
      pin: trusted.pin,
      entered(next) {
        trouble = undefined
        phase = next
        if (next === 'pending') return void showPhrase()
        phrase = undefined
        tellConsole()
        enter(next)
      },
      report,
      end: (how, reason) => void end(how, reason),
      carryOut: commandRunner(
        {
          reboot: async () => ({
            ok: true,
            detail: 'rebooting',
            afterwards: () =>
              void reboot().catch((error: Error) => report('error', `The reboot failed: ${error.message}`)),
          }),
          poweroff: async () => ({
            ok: true,
            detail: 'powering off',
            afterwards: () => void end('powered-off', 'its console powered it off'),
          }),
          decommission: async () => ({
            ok: true,
            detail: 'wiping itself',
            afterwards: () => void end('decommissioned', 'its console decommissioned it'),
          }),
          'refresh-settings': async () => {
            const problem = await keeper.refresh()
            return {
              ok: problem === undefined,
              detail: problem ?? `${keeper.serviceCount()} services are open`,
            }
          },
        },
        memory,
      ),
    }

    await keeper.start()
    const up = uplink({
      carrier: wsCarrier(url),
      key: identity.key,
      clock,
      random,
      accept: trusted.judge,
      ...(options.maxBackoffMs !== undefined && { maxBackoffMs: options.maxBackoffMs }),
      talk(voice) {
        localAddress = voice.localAddress
        conversation = talk(bird, voice)
        const own = conversation
        return {
          receive: own.receive,
          ended() {
            own.ended()
            if (conversation === own) conversation = undefined
          },
        }
      },
      onTrouble(reason, isUntrusted) {
        if (reason !== trouble) log(isUntrusted ? 'error' : 'warning', `No link to the console: ${reason}`)
        trouble = reason
        if (!ending) enter(isUntrusted ? 'refused' : 'connecting')
      },
    })
    return { state, ended, stop: () => end('stopped', 'it was told to stop') }
  }
}
