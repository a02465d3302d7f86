// What recorded tools sent is answered as it was when they were content, byte for byte, and reported alike.
import { expect, it } from 'vitest'
import { fixedSession, transcripts } from './transcript.ts'

it.each(transcripts())('%s', (_, { conversations }) => {
  expect(conversations.length).toBeGreaterThan(0)
  for (const [i, { exchanges, events, isClosed }] of conversations.entries()) {
    const session = fixedSession(i)
    for (const { client } of exchanges) session.receive(Buffer.from(client, 'base64'))
    expect(session.conversation()).toEqual({ exchanges, events, isClosed })
  }
})

it('over 300 messages of tools are recorded', () => {
  const messages = transcripts().flatMap(([, { conversations }]) =>
    conversations.flatMap(({ exchanges }) => exchanges),
  )
  expect(messages.length).toBeGreaterThan(300)
})
