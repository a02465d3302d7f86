// The thread that reads packets. It computes what they mean by itself, so that a flood of them takes nothing from the decoys.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Endpoint } from '../../host/host-touch.ts'
import { openPacketSocket } from '../../host/sensors/raw.ts'
import type { CaptureData, FromCapture, ToCapture } from '../../session/sensor.ts'
import { decode } from './codec.ts'
import { scanFilter, SNAPPED } from './filter.ts'
import { machine } from './machine.ts'
import { readBudget } from './read-budget.ts'
import { scanWindow } from './scan-window.ts'
import { scanEvent, type Headers } from './scan-event.ts'

interface Sample {
  readonly src: Endpoint
  readonly dst: Endpoint
  readonly headers: Headers
}

const PORTS = 5
/** Where no other port is watched. */
const DECOYS = 3
const BATCH = 256
const { bind, ports } = workerData as CaptureData
const post = (message: FromCapture): void => parentPort?.postMessage(message)

try {
  const socket = await openPacketSocket(scanFilter, SNAPPED)
  post({ type: 'open' })
  capture(socket)
  socket.close()
} catch (error) {
  post({ type: 'failed', reason: (error as Error).message })
}
parentPort?.close()

/** Until a message stops it. It never returns to the event loop, so that it asks for messages. */
function capture(socket: Awaited<ReturnType<typeof openPacketSocket>>): void {
  const own = machine(bind)
  const window = scanWindow<Sample>({ ports: own.isLocalTrial ? DECOYS : PORTS })
  const budget = readBudget()
  const idle = new Int32Array(new SharedArrayBuffer(4))
  let logical: ReadonlyMap<number, number> = new Map(ports)

  function take(bytes: Buffer, mac: string): void {
    const segment = decode(bytes)
    if (!segment || !own.concerns(segment.src, segment.dst)) return
    const { src, dst, srcPort, dstPort, technique, header } = segment
    const decoy = logical.get(dstPort)
    if (own.isLocalTrial && decoy === undefined) return
    const probe = { technique, port: decoy ?? dstPort, isOpen: decoy !== undefined || own.isOpen(dstPort) }
    const sample = {
      src: { host: src, port: srcPort },
      dst: { host: dst, port: probe.port },
      headers: { ...header, mac },
    }
    window.add(src, probe, sample, performance.now())
  }

  for (;;) {
    for (let message = nextMessage(); message; message = nextMessage()) {
      if (message.type === 'stop') return
      logical = new Map(message.ports)
    }
    const before = performance.now()
    own.refresh(before)
    const count = socket.receive(BATCH, take)
    const now = performance.now()
    for (const report of window.due(now))
      post({ type: 'event', event: scanEvent(report, report.sample.headers) })
    const pauseMs = budget.spend(count, now)
    if (pauseMs > 0) Atomics.wait(idle, 0, 0, pauseMs)
  }
}

function nextMessage(): ToCapture | undefined {
  const received = parentPort ? receiveMessageOnPort(parentPort) : undefined
  return received?.message as ToCapture | undefined
}
