// A decoy for tests: answers every line with `ok <line>`, and raises an event with it.
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import { sessionRunner } from '@rookery/decoys/session/session-runner.ts'
import type { Service } from '@rookery/decoys/session/session.ts'

const startSession = sessionRunner<undefined, string>({
  limits: { frameBytes: 1000, idleMs: 60_000 },
  decode(bytes) {
    const end = bytes.indexOf(10)
    return end < 0 ? undefined : { frame: bytes.toString('utf8', 0, end), length: end + 1 }
  },
  open: () => ({ state: undefined }),
  step: (state, line) => ({
    state,
    events: [{ logtype: '21001', fields: { CMD: line } }],
    send: `ok ${line}\n`,
  }),
})

export const lineDescriptor: Pick<ServiceDescriptor, 'settings'> = {
  settings: {
    'line.enabled': { type: 'boolean', default: true, title: 'On' },
    'line.port': { type: 'port', default: 6379, title: 'Port' },
  },
}

export const lineService: Service = {
  listeners: (settings) =>
    settings['line.enabled'] === true
      ? [{ instance: 'line', transport: 'tcp', port: Number(settings['line.port']), startSession }]
      : [],
}
