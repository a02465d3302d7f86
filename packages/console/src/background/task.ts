// What the console does by itself, declared where it is done: README.md lists every task, and a test holds it to that.

export interface Task {
  /** In snake case, as it stands in `rookery_task_errors_total{task="…"}`. */
  readonly name: string
  /** How often it runs; undefined where it waits until something wakes it. */
  readonly everyMs: number | undefined
  readonly does: string
  /** A run lasts as long as there is work: only a failed one makes it late. */
  readonly runsLong: boolean
}

const tasks = new Map<string, Task>()

/** Declares a task, once for each process; a name that is taken throws. */
export function task(
  name: string,
  everyMs: number | undefined,
  does: string,
  { runsLong = false }: { readonly runsLong?: boolean } = {},
): Task {
  if (tasks.has(name))
    throw new Error(`The task ${name} is declared twice; give the second a name of its own.`)
  const made: Task = { name, everyMs, does, runsLong }
  tasks.set(name, made)
  return made
}

/** Every task that a loaded module declares. */
export const declaredTasks = (): IteratorObject<Task> => tasks.values()
