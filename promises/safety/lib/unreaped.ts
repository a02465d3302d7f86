// G1: consoles are killed under parents that never wait for them, and each next one is started at once on the same data.
import { readFileSync } from 'node:fs'
import { startConsole, type RunningConsole } from '../../rig/scenes/console.ts'
import { freshFolder, removeFolder } from '../../rig/folder.ts'

export interface Unreaped {
  /** Starts that another console, which is dead, kept from the data directory. */
  readonly refused: number
  /** Killed consoles that were still in the list of processes behind the last start. */
  readonly zombies: number
}

/** A parent that never waits for its child: killed, it stays a zombie until the parent ends. */
const NEVER_REAPS = ['sh', '-c', '"$@" & echo "Process $!"; exec sleep 7200 >&- 2>&-', 'sh']

const processIn = (said: string): number => Number(/^Process (\d+)$/m.exec(said)?.[1])

const isZombie = (pid: number): boolean => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

/** Kills so many consoles, none of them reaped, and starts one more behind each. */
export async function startUnreaped(kills: number): Promise<Unreaped> {
  const dataDir = freshFolder()
  const parents: RunningConsole[] = []
  const killed: number[] = []
  let refused = 0
  try {
    while (killed.length + refused < kills + 1) {
      const started = await startConsole({ dataDir, wrapper: NEVER_REAPS }).catch((error: unknown) => {
        if (!String(error).includes('Another Rookery uses this data directory')) throw error
        refused++
      })
      if (!started) continue
      parents.push(started)
      const pid = processIn(started.said())
      process.kill(pid, 'SIGKILL')
      killed.push(pid)
    }
    // The last one stands for the start behind the one before it.
    return { refused, zombies: killed.slice(0, kills).filter(isZombie).length }
  } finally {
    for (const parent of parents) await parent.kill()
    removeFolder(dataDir)
  }
}
