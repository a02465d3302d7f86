// Records what a real server answers to drawn hellos: `node …/record-flights.ts <host> <port> [seed] [count] [server]`.
import { writeFileSync } from 'node:fs'
import { drawFrom } from '../../test/draw.ts'
import { observe } from '../../test/observe.ts'
import { describeFlight } from './describe-flight.ts'
import { drawHello } from './draw-hello.ts'

const [host = '127.0.0.1', port = '443', seed = 'apache-2.4.71', count = '320', server = 'apache'] =
  process.argv.slice(2)
const draw = drawFrom(seed)
const flights: { hello: string; flight: string }[] = []
for (let left = Number(count); left > 0; left -= 1) {
  const hello = drawHello(draw)
  const { text, close } = await observe({ host, port: Number(port) }, [hello], 150)
  flights.push({
    hello: Buffer.from(hello, 'latin1').toString('base64'),
    flight: `${describeFlight(text)}${close}`,
  })
}
writeFileSync(
  new URL(`./openssl/${server}.jsonl`, import.meta.url),
  flights.map((one) => `${JSON.stringify(one)}\n`).join(''),
)
console.log(`${flights.length} flights of ${new Set(flights.map(({ flight }) => flight)).size} kinds`)
