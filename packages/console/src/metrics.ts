// What a monitoring system may ask for (`GET /metrics`, Prometheus text); docs/metrics.md lists it.
import { declaredLimits } from '@rookery/kernel/limit.ts'
import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client'
import type { TaskStatus } from './background/background.ts'

export interface Metrics {
  readonly registry: Registry
  readonly ignored: (list: string) => void
  readonly raised: (incidents: number) => void
  readonly refused: (reason: string) => void
}

export interface MeasuredState {
  readonly touchesWaiting: () => number
  readonly touchesNotDurable: () => number
  readonly diskFull: () => boolean
  /** Rejects while the database is away. */
  readonly decoysNotStanding: () => Promise<number>
  readonly tasks: () => readonly TaskStatus[]
  readonly now: () => number
}

let ofProcess: Registry | undefined

/** Memory, loop and collections. The watch of a process stays on until it ends, and so it has one, however many consoles. */
function processMetrics(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess })
  return ofProcess
}

export function openMetrics(gauges: MeasuredState): Metrics {
  const own = new Registry()
  const registers = [own]
  const ignored = new Counter({
    name: 'rookery_touches_ignored_total',
    help: 'Touches that raised nothing because a list ignores them',
    labelNames: ['list'],
    registers,
  })
  const refused = new Counter({
    name: 'rookery_bird_events_refused_total',
    help: 'Events of Birds that raised nothing because that Bird cannot have seen them',
    labelNames: ['reason'],
    registers,
  })
  const raised = new Counter({ name: 'rookery_incidents_raised_total', help: 'New incidents', registers })
  new Gauge({
    name: 'rookery_touches_waiting',
    help: 'Token touches in the spool of this console, because the disk is full or the database away',
    registers,
    collect() {
      this.set(gauges.touchesWaiting())
    },
  })
  new Gauge({
    name: 'rookery_touches_not_durable',
    help: 'Those of them that wait in memory alone, because the disk of the spool is full',
    registers,
    collect() {
      this.set(gauges.touchesNotDurable())
    },
  })
  new Gauge({
    name: 'rookery_disk_full',
    help: '1 while ingest is refused because the disk is full',
    registers,
    collect() {
      this.set(gauges.diskFull() ? 1 : 0)
    },
  })
  new Gauge({
    name: 'rookery_decoys_not_standing',
    help: 'Decoys of all Birds that do not listen although their settings say so',
    registers,
    async collect() {
      this.set(await gauges.decoysNotStanding().catch(() => Number.NaN))
    },
  })
  new Counter({
    name: 'rookery_limit_hits_total',
    help: 'How often a limit refused something or pushed something out, since the process started',
    labelNames: ['limit'],
    registers,
    collect() {
      this.reset()
      for (const { name, hits } of declaredLimits()) this.inc({ limit: name }, hits())
    },
  })
  measureTasks(gauges, registers)
  return {
    registry: Registry.merge([processMetrics(), own]),
    ignored: (list) => ignored.inc({ list }),
    raised: (n) => raised.inc(n),
    refused: (reason) => refused.inc({ reason }),
  }
}

function measureTasks({ tasks, now }: MeasuredState, registers: Registry[]): void {
  const labelNames = ['task']
  new Counter({
    name: 'rookery_task_errors_total',
    help: 'Failed runs of a background task, since the process started',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { task, errors } of tasks()) this.inc({ task: task.name }, errors)
    },
  })
  new Gauge({
    name: 'rookery_task_success_age_seconds',
    help: 'Since the last run of a background task that succeeded; none before the first',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { task, lastSuccessAt } of tasks())
        if (lastSuccessAt !== undefined) this.set({ task: task.name }, (now() - lastSuccessAt) / 1_000)
    },
  })
  new Gauge({
    name: 'rookery_task_overdue_seconds',
    help: 'How long a run of a background task has been due, or has lasted, without a success',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const { task, overdueMs } of tasks()) this.set({ task: task.name }, overdueMs / 1_000)
    },
  })
}
