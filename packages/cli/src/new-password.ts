// A new password: typed twice at a terminal, which does not show it, or the first line of standard input.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { Fault } from '@rookery/kernel/fault.ts'

const MAX_CHARACTERS = 10_000

export async function readNewPassword(email: string): Promise<string> {
  if (!process.stdin.isTTY) return firstLine()
  const password = await ask(`New password of ${email}: `)
  if ((await ask('The same again: ')) === password) return password
  throw new Fault('bad-input', 'The two passwords are not the same; nothing is changed.')
}

async function firstLine(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const piece of process.stdin as AsyncIterable<string>) {
    text += piece
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break
  }
  return text.split(/\r?\n/, 1)[0] ?? ''
}

/** Ctrl-C and Ctrl-D end it. */
async function ask(question: string): Promise<string> {
  const unseen = new Writable({ write: (_piece, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true })
  // From here on the terminal shows nothing of what is typed.
  process.stderr.write(question)
  const stopped = new Promise<never>((_resolve, reject) =>
    lines.once('close', () => reject(new Fault('bad-input', 'No password was given; nothing is changed.'))),
  )
  try {
    return await Promise.race([lines.question(''), stopped])
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
