// Incidents for the page: touches as the ingest hears them.
import { hostileTexts } from '@rookery/console/test/hostile-fields.ts'
import { HOSTILE } from '@rookery/console/test/hostile.ts'
import type { TestConsole } from '@rookery/console/test/test-console.ts'
import { sshLogin } from '@rookery/console/test/touches.ts'

const AT_ONCE = 500

/** An incident each of `count` sources, at many Birds: where one Bird has a flood, incidents become one of many sources. */
export async function seed(rookery: TestConsole, count: number): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) =>
        rookery.console.ingest.fromConsole(
          sshLogin({ srcHost: addressOf(from + n), nodeId: birdOf(from + n) }),
        ),
      ),
    )
}

const birdOf = (n: number): string =>
  Math.floor(n / 10)
    .toString(16)
    .padStart(16, '0')

export const addressOf = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

/** What intruders write; a text of a megabyte is cut at what the ingest takes. */
export const CORPUS: readonly string[] = [
  ...HOSTILE.filter((text) => text.trim() !== ''),
  ...hostileTexts('mk1').map(({ text }) => text.slice(0, 20_000)),
]
