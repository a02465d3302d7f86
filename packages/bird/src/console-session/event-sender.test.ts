import { describe, expect, test } from 'vitest'
import {
  startTestBird,
  startTestConsole,
  portOf,
  startRegisteredBird,
  sendLines,
} from '../../test/test-bird.ts'

describe('events', () => {
  test('wait on the disk while the console is away, survive a restart of the Bird, and arrive once each, in order', async () => {
    const { console, bird, dataDir } = await startRegisteredBird()
    await sendLines(portOf(bird), '1', '2')
    await console.until(() => console.events.length === 2)
    await console.stop()
    await sendLines(portOf(bird), '3', '4')
    await bird.stop()
    const again = await startTestBird({ consoleUrl: console.url, dataDir })
    await sendLines(portOf(again), '5')
    expect(again.state().spooled).toBeGreaterThanOrEqual(3)
    const back = await startTestConsole(console.port, console.key)
    back.isCommissioned = true
    back.settings = console.settings
    await back.until(() => back.events.some(({ fields }) => fields['CMD'] === '5'))
    await sendLines(portOf(again), '6')
    await back.until(() => back.events.some(({ fields }) => fields['CMD'] === '6'))
    const texts = back.events.map(({ fields }) => fields['CMD'])
    expect(texts.slice(-4)).toEqual(['3', '4', '5', '6'])
    expect(again.logs.join()).toContain('No link to the console')
  })

  test('are sent again when the connection broke before the acknowledgement, and deleted only after it', async () => {
    const { console, bird } = await startRegisteredBird()
    console.acks = false
    await sendLines(portOf(bird), '1', '2', '3')
    await console.until(() => console.events.length === 3)
    expect(bird.state().spooled).toBe(3)
    console.acks = true
    const seen = console.frames.length
    console.terminate()
    await console.frame('HELLO', seen)
    await sendLines(portOf(bird), '4')
    await console.until(() => console.events.length === 4)
    expect(console.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  test('all arrive, in order, when there are thousands', async () => {
    const { console, bird } = await startRegisteredBird()
    const lines = Array.from({ length: 2000 }, (_, i) => `line ${i}`)
    await Promise.all(
      [0, 1, 2, 3].map((part) => sendLines(portOf(bird), ...lines.filter((_, i) => i % 4 === part))),
    )
    await console.until(() => console.events.length === lines.length)
    expect(console.events.map(({ seq }) => seq)).toEqual(lines.map((_, i) => i + 1))
    expect(new Set(console.events.map(({ fields }) => fields['CMD'])).size).toBe(lines.length)
  })
})
