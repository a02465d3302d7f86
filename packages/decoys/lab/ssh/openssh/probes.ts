// The probe corpus: what scanners, broken clients and curious people send. The answers are compared with the recorded
// answers of a real sshd (openssh-9.2p1.jsonl).
import { earlyProbes } from './early-probes.ts'
import { lateProbes } from './late-probes.ts'
import { lineProbes } from './line-probes.ts'
import type { Probe } from './probe.ts'

export const probes: readonly Probe[] = [...lineProbes, ...earlyProbes, ...lateProbes]
