// Searches and reads for the search index, in a thread and on a connection of their own, one after the other.
import { parentPort, workerData } from 'node:worker_threads'
import { openSnapshotReader, type DatabaseTarget } from '../../db/snapshot-reader.ts'
import { find } from './find.ts'
import { openDrafting } from './draft.ts'
import type { Asked, Told } from './finder.ts'

const { link } = workerData as { link: DatabaseTarget }
const beside = await openSnapshotReader(link)
const drafting = openDrafting()
let last: Promise<void> = Promise.resolve()

async function answer({ id, ask, untilMs }: Asked): Promise<Told> {
  // One clock for both threads; the time is meant, not its difference from some start.
  const goOn = (): void => {
    if (performance.timeOrigin + performance.now() > untilMs) throw new TooLong()
  }
  try {
    goOn()
    const value = await beside.snapshot<unknown>((query) =>
      ask.kind === 'find' ? find({ query, engine: beside.engine, goOn }, ask.request) : drafting.next(query),
    )
    return { id, value }
  } catch (error) {
    return error instanceof TooLong ? { id, tooLong: true } : { id, reason: String(error) }
  }
}

class TooLong extends Error {}

parentPort?.on('message', (asked: Asked) => {
  last = last.then(async () => parentPort?.postMessage(await answer(asked)))
})
