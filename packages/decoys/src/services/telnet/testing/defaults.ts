// The decoy under its default settings, with some changed.
import type { SessionRunner } from '../../../session.ts'
import { descriptor } from '../descriptor.ts'
import service from '../service.ts'

const defaults = Object.fromEntries(
  Object.entries(descriptor.settings).map(([key, setting]) => [key, setting.default]),
)

export const telnetDefaults = (changes: Readonly<Record<string, unknown>> = {}): SessionRunner =>
  service.listeners({ ...defaults, 'telnet.enabled': true, ...changes })[0]!.startSession
