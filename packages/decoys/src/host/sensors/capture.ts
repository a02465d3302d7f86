// The thread of a sensor, as the host sees it.
import type {
  BoundPorts,
  CaptureData,
  FromCapture,
  Sensor,
  SensorEvent,
  ToCapture,
} from '../../session/sensor.ts'
import { startThread } from './thread.ts'

export interface Capture {
  setPorts(ports: BoundPorts): void
  /** Resolves once the thread has ended. */
  close(): Promise<void>
}

export interface CaptureEvents {
  readonly onEvent: (event: SensorEvent) => void
  /** It ended by itself, after it had begun. */
  readonly onFailure: (reason: string) => void
}

/** Resolves once packets are read; rejects with an Error that says why they cannot be. */
export function openCapture(
  { capture }: Pick<Sensor, 'capture'>,
  data: CaptureData,
  { onEvent, onFailure }: CaptureEvents,
): Promise<Capture> {
  const { promise, resolve, reject } = Promise.withResolvers<Capture>()
  const thread = startThread(capture.thread, capture.from, data)
  const ended = new Promise<void>((settle) => thread.once('exit', () => settle()))
  const post = (message: ToCapture): void => thread.postMessage(message)
  let isOpen = false
  let isClosing = false

  const fail = (reason: string): void => {
    if (isClosing) return
    isClosing = true
    if (isOpen) onFailure(reason)
    else reject(new Error(reason))
  }
  thread.on('message', (message: FromCapture) => {
    switch (message.type) {
      case 'open':
        isOpen = true
        return resolve({ setPorts: (ports) => post({ type: 'ports', ports }), close })
      case 'failed':
        return fail(message.reason)
      case 'event':
        return onEvent(message.event)
    }
  })
  thread.on('error', (error) => fail(error.message))
  void ended.then(() => fail('its thread ended'))

  async function close(): Promise<void> {
    isClosing = true
    post({ type: 'stop' })
    await ended
  }
  return promise
}
