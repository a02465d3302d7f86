// The probes that some-product and our decoy answer alike.
import type { Probe } from '@rookery/decoys/test/probe.ts'

export const probes: readonly Probe[] = []
