// HELLO and HEARTBEAT: the Bird as its console sees it.
import {
  MAX_IP_STACK,
  MAX_NOT_STANDING,
  MAX_REASON,
  MAX_SENSORS,
  PROTOCOL,
  type Body,
} from '@rookery/link/messages.ts'
import type { ListenFailure } from '@rookery/decoys/host/host.ts'
import type { ActiveSettings } from '../active-settings/active-settings.ts'
import type { Boot } from '../boot.ts'
import { deviceFacts } from '../device-facts.ts'
import { ownAddress, reachOf } from '../reach.ts'
import type { EventSpool } from '../event-spool.ts'
import type { StateFile } from '../state-file.ts'
import type { ConsolePin } from '../uplink/console-pin.ts'
import { VERSION } from '../version.ts'

export interface StatusDeps {
  /** The address on which the decoys listen. */
  readonly bind: string
  readonly portOffset: number | 'any'
  readonly boot: Boot
  readonly settings: ActiveSettings
  readonly stateFile: StateFile
  readonly spool: EventSpool
  readonly pin: ConsolePin
  /** Undefined where no launcher started this Bird. */
  readonly releases: object | undefined
}

export function helloBody(deps: StatusDeps, localAddress: string): Body<'HELLO'> {
  const { bind, settings, stateFile, spool, pin } = deps
  const { nodeId } = stateFile.values
  const enrol = nodeId ? undefined : pin.enrolSecret()
  return {
    protocol: PROTOCOL,
    version: VERSION,
    ...status(deps),
    device: deviceFacts(ownAddress(bind, localAddress), settings.setting('device.name')),
    spool: { spoolId: spool.id(), first: spool.acknowledged() + 1, next: spool.next() },
    ...(enrol && { enrol }),
    ...(nodeId && { nodeId }),
    files: 1,
    ...(deps.releases && { updates: 1 as const }),
  }
}

export const heartbeatBody = (deps: StatusDeps): Body<'HEARTBEAT'> => ({
  ...status(deps),
  spooled: deps.spool.size(),
})

function status({ bind, portOffset, boot, settings, stateFile }: StatusDeps) {
  const clocks = boot.clocks()
  const { tag, seq } = settings.current()
  return {
    ...clocks,
    uptimeS: Math.floor(clocks.monotonicMs / 1000),
    settings: { tag, seq },
    wasRollback: stateFile.values.reverted !== undefined,
    reach: reachOf(bind),
    ...(portOffset !== 'any' && { portOffset }),
    ...decoyStatus(settings),
  }
}

/** How many services listen, which do not, by which way its sensors notice, and why the IP stack is not as claimed. */
export function decoyStatus(
  settings: Pick<ActiveSettings, 'serviceCount' | 'notStanding' | 'sensing' | 'ipStackObstacle'>,
) {
  const sensors = settings.sensing().slice(0, MAX_SENSORS)
  const ipStack = settings.ipStackObstacle()?.slice(0, MAX_IP_STACK)
  return {
    serviceCount: settings.serviceCount(),
    notStanding: settings
      .notStanding()
      .slice(0, MAX_NOT_STANDING)
      .map(({ instance, reason }): ListenFailure => ({ instance, reason: reason.slice(0, MAX_REASON) })),
    ...(sensors.length > 0 && {
      sensors: sensors.map((sensor) => ({ ...sensor, reason: sensor.reason.slice(0, MAX_REASON) })),
    }),
    ...(ipStack !== undefined && { ipStack }),
  }
}
