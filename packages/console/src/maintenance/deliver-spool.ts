// `rookery spool deliver`: stores the touches that a console which is gone has left in its spool.
import { resolve } from 'node:path'
import { Fault } from '@rookery/kernel/fault.ts'
import { isSpool } from '@rookery/spool/waiting-events.ts'
import { lockTouchSpool, openTouchSpool } from '../channels/touch-spool.ts'
import type { Config } from '../config/config.ts'
import { openIngest } from '../flows/ingest/ingest.ts'
import type { OpenContext } from '../open-context.ts'
import { openRaising } from '../parts/flows.ts'

export interface Delivery {
  /** Touches that waited; those whose number the database had count once all the same. */
  readonly delivered: number
  /** Those that the database refused for good. */
  readonly lost: number
}

/** Rejects with `bad-input` for a folder without a spool, with `conflict` while a console uses it, with `unavailable` in an outage. */
export async function deliverSpool(base: OpenContext, config: Config, given: string): Promise<Delivery> {
  const folder = resolve(given)
  if (!isSpool(folder))
    throw new Fault(
      'bad-input',
      `${folder} holds no spool; it must be the folder "touches" in the data directory of a console.`,
    )
  await using opened = new AsyncDisposableStack()
  opened.defer(lockTouchSpool(folder))
  const nothing = (): void => undefined
  const ingest = openIngest({
    ...base,
    raising: openRaising(base, config).raising,
    sourceDescriber: undefined,
    onIgnored: nothing,
    onRaised: nothing,
    onRefused: nothing,
  })
  opened.defer(ingest.stop)
  let lost = 0
  const spool = openTouchSpool({
    folder,
    clock: base.world.clock,
    random: base.world.random,
    background: base.background,
    store: ingest.fromToken,
    report: (message) => base.log.warn(message),
    onLost({ tokenId }, reason) {
      lost++
      base.log.error({ err: reason, tokenId }, 'touch of a token lost')
    },
  })
  opened.defer(spool.close)
  const waiting = spool.size()
  await spool.deliver()
  return { delivered: waiting - lost, lost }
}
