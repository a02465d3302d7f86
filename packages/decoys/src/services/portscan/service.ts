// Port scans: no port of its own, but every port of the machine.
import type { ConnectionWatch, Sensor } from '../../session/sensor.ts'
import type { Endpoint } from '../../host/host-touch.ts'
import type { Service } from '../../session/session.ts'
import { scanWindow } from './scan-window.ts'
import { scanEvent } from './scan-event.ts'

/** Decoys that one source connects to within a minute, where packets cannot be read. */
const DECOYS = 3

function watchConnections(): ConnectionWatch {
  const window = scanWindow<{ readonly src: Endpoint; readonly dst: Endpoint }>({ ports: DECOYS })
  return {
    add: (src, dst, now) =>
      window.add(src.host, { technique: 'syn', port: dst.port, isOpen: true }, { src, dst }, now),
    due: (now) => window.due(now).map((report) => scanEvent(report, undefined)),
    nextAt: window.nextAt,
  }
}

const sensor: Sensor = {
  instance: 'portscan',
  capture: { thread: 'portscan', from: import.meta.url },
  watchConnections,
}

const service: Service = {
  listeners: () => [],
  sensors: (settings) => (settings['portscan.enabled'] === true ? [sensor] : []),
}

export default service
