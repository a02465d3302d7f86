// Emits the reports of connections that were refused, or raised no event, when they are due.
import { steadyTime } from '@rookery/kernel/steady-time.ts'
import type { Clock } from '@rookery/kernel/world.ts'
import { hostTouch, type HostTouch } from '../host-touch.ts'
import { SILENT_SOURCES } from '../limits.ts'
import {
  SILENT_OR_REFUSED,
  silentSources,
  type SilentConnection,
  type SilentReport,
} from './silent-sources.ts'
import { sourceOf } from '../source.ts'

export function silenceReporter(clock: Clock, emit: (touches: readonly HostTouch[]) => void) {
  const sources = silentSources(SILENT_SOURCES)
  const steady = steadyTime()
  const steadyNow = (): number => steady(clock.now())
  let cancelTimer: (() => void) | undefined

  function report(reports: readonly SilentReport[]): void {
    if (reports.length > 0) emit(reports.map((it) => touchOf(it, clock.now())))
    cancelTimer?.()
    const at = sources.nextAt()
    cancelTimer =
      at === undefined
        ? undefined
        : clock.after(Math.max(0, at - steadyNow()), () => report(sources.due(steadyNow())))
  }

  return {
    add(connection: SilentConnection): void {
      report(sources.add(sourceOf(connection.src.host), connection, steadyNow()))
    },
    isCounting: sources.isCounting,
    flush: () => report(sources.flush()),
  }
}

const touchOf = ({ connection, services, count, refused }: SilentReport, at: number): HostTouch =>
  hostTouch(
    connection.instance,
    {
      logtype: SILENT_OR_REFUSED,
      fields: { SERVICE: services.join(' '), COUNT: count, REFUSED: refused },
    },
    { ...connection, at },
  )
