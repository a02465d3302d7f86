// A process with a watchdog, whose main thread computes or waits when it is asked to: node watchdog.child.ts SILENCE_MS NOTE FIFO.
import { closeSync, openSync } from 'node:fs'
import { startWatchdog } from '../src/watchdog/watchdog.ts'

const [silenceMs, noteFile, fifo = ''] = process.argv.slice(2)
startWatchdog({ silenceMs: Number(silenceMs), noteFile })

function computeForever(): void {
  for (let n = 0; ; n++) if (/^(a+)+$/.test(`${'a'.repeat(8)}${n}`)) return
}

process.on('message', (message) => {
  if (message === 'compute') computeForever()
  // Opening it waits for a writer.
  if (message === 'wait') closeSync(openSync(fifo, 'r'))
  process.send?.('here')
})
process.send?.('ready')
