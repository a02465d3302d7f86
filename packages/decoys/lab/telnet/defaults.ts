// The decoy under its default settings, with some changed.
import type { SessionRunner } from '../../src/session/session.ts'
import { descriptor } from '../../src/services/telnet/descriptor.ts'
import service from '../../src/services/telnet/service.ts'

const defaults = Object.fromEntries(
  Object.entries(descriptor.settings).map(([key, setting]) => [key, setting.default]),
)

export const telnetDefaults = (changes: Readonly<Record<string, unknown>> = {}): SessionRunner =>
  service.listeners({ ...defaults, 'telnet.enabled': true, ...changes })[0]!.startSession
